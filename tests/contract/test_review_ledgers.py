# ruff: noqa: S608 - these statements are the attacks
"""What a review ledger promises in SQLite and in PostgreSQL alike, attacked as whoever records could."""

# ruff: noqa: S608 - the statements are attacks on a database of the test's own

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_postgres import open_postgres_ledger
from beleg.core.errors import DataError, EvidenceError, UsageError
from beleg.core.review import NO_HASH, DamagedEvent, ReviewEvent, ReviewLedger, StreamMovedOn
from support.ledgers import Place, postgres_place, sqlite_place
from support.postgres import Cluster
from support.review_events import WHEN, action

TABLE = "beleg_review_events"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return sqlite_place(tmp_path)
    return postgres_place(request.getfixturevalue("postgres"))


@pytest.fixture
def ledger(place: Place) -> Iterator[SqlReviewLedger]:
    with place.open() as opened:
        yield opened


def is_whole(events: tuple[ReviewEvent, ...]) -> bool:
    """Whether the sequence has no gap and every hash follows from what stands before it."""
    hashes = [NO_HASH, *(event.hash for event in events)]
    return [event.sequence for event in events] == [*range(1, len(events) + 1)] and all(
        event.previous_hash == before and event.content_hash() == event.hash
        for event, before in zip(events, hashes, strict=False)
    )


def test_it_is_what_the_protocol_says(ledger: SqlReviewLedger) -> None:
    known: ReviewLedger = ledger
    assert known.events() == ()
    head = known.head()
    assert (head.size, head.hash) == (0, NO_HASH)


def test_what_was_appended_is_given_back_whole(ledger: SqlReviewLedger, place: Place) -> None:
    text = '„Umlaute“ 👩‍👩‍👧 \u202e \x00 \x7f \'; DROP TABLE x; -- {"a": 1}'
    first = ledger.append(action("note_added", note=text), at=WHEN)
    assert (first.sequence, first.version, first.recorded_at, first.previous_hash) == (1, 1, WHEN, NO_HASH)
    second = ledger.append(action(version=1), at=WHEN)
    assert second.previous_hash == first.hash
    with place.open() as again:
        assert again.events() == again.stream("r1/C-1") == (first, second)
        assert again.events()[0].action.note == text
        assert (again.head().size, again.head().hash) == (2, second.hash)
        assert again.head().ledger == ledger.head().ledger


def test_a_reviewer_who_comes_second_is_told_and_nothing_is_overwritten(ledger: SqlReviewLedger) -> None:
    ledger.append(action(by="ada"), at=WHEN)
    with pytest.raises(StreamMovedOn) as told:
        ledger.append(action(by="bob"), at=WHEN)
    assert (told.value.stream, told.value.expected, told.value.actual) == ("r1/C-1", 0, 1)
    with pytest.raises(StreamMovedOn):
        ledger.append(action(by="bob", version=2), at=WHEN)
    assert [event.action.actor for event in ledger.events()] == ["ada"]


def test_the_same_action_again_gives_the_first_event(ledger: SqlReviewLedger) -> None:
    first = ledger.append(action(), at=WHEN)
    ledger.append(action("note_added", version=1), at=WHEN)
    assert ledger.append(action(), at=WHEN + timedelta(days=1)) == first
    assert ledger.head().size == 2


def test_another_action_under_a_used_key_is_refused(ledger: SqlReviewLedger) -> None:
    ledger.append(action(idempotency_key="k"), at=WHEN)
    with pytest.raises(DataError, match="event 1") as told:
        ledger.append(action("note_added", stream="r1/C-2", idempotency_key="k"), at=WHEN)
    assert told.value.problems[0].field == "idempotency_key"
    assert ledger.head().size == 1


def test_many_are_appended_or_none(ledger: SqlReviewLedger) -> None:
    ledger.append(action(), at=WHEN)
    good = [action(stream=f"r1/C-{number}") for number in range(2, 5)]
    with pytest.raises(StreamMovedOn):
        ledger.append_all((*good, action("note_added")), at=WHEN)
    with pytest.raises(DataError):
        ledger.append_all((*good, action("note_added", idempotency_key=good[0].idempotency_key)), at=WHEN)
    assert ledger.head().size == 1
    events = ledger.append_all((*good, action("note_added", stream="r1/C-2", version=1), good[1]), at=WHEN)
    assert [event.sequence for event in events] == [2, 3, 4, 5, 3]
    assert ledger.append_all((), at=WHEN) == ()
    assert is_whole(ledger.events())


def test_more_than_one_statement_takes_are_appended_at_once(ledger: SqlReviewLedger) -> None:
    many = tuple(action(stream=f"r1/C-{number}") for number in range(450))
    assert [event.sequence for event in ledger.append_all(many, at=WHEN)] == [*range(1, 451)]
    assert ledger.append_all(many, at=WHEN) == ledger.events()
    assert [event.sequence for event in ledger.events(after=440, limit=3)] == [441, 442, 443]
    assert is_whole(ledger.events())


def test_the_streams_of_a_run_are_found_and_no_others(ledger: SqlReviewLedger) -> None:
    names = ["r1/C-1", "r1/C-2", "r10/C-1", "R1/C-1", "r1-b/C-1", "r1", "r1/\U0001f9fe", "r%/C-1", "r_/C-1"]
    ledger.append_all(tuple(action(stream=name) for name in names), at=WHEN)
    ledger.append(action("note_added", stream="r1/C-1", version=1), at=WHEN)
    found = ledger.streams("r1/")
    assert {name: len(events) for name, events in found.items()} == {"r1/C-1": 2, "r1/C-2": 1, "r1/\U0001f9fe": 1}
    assert list(ledger.streams("r%/")) == ["r%/C-1"]


def test_a_time_without_a_zone_is_refused_and_any_zone_is_kept_in_utc(ledger: SqlReviewLedger) -> None:
    with pytest.raises(UsageError, match="time zone"):
        ledger.append(action(), at=datetime(2026, 11, 30, 12))  # noqa: DTZ001 - meant to be refused
    there = WHEN.astimezone(timezone(timedelta(hours=9)))
    assert ledger.append(action(), at=there).recorded_at.tzinfo == UTC
    assert ledger.events()[0].recorded_at == WHEN


ROW = "2, 'r1/X', 1, 'other', 'p2', 'h2', '{}'"
COLUMNS = "sequence, stream, version, idempotency_key, previous_hash, hash, content"
ATTACKS = {
    "update": f"UPDATE {TABLE} SET content = 'x'",
    "update a key": f"UPDATE {TABLE} SET sequence = 9",
    "delete": f"DELETE FROM {TABLE}",
    "upsert": f"INSERT INTO {TABLE} SELECT * FROM {TABLE} WHERE sequence = 1 "
    "ON CONFLICT (sequence) DO UPDATE SET content = 'x'",
    "upsert by key": f"INSERT INTO {TABLE} ({COLUMNS}) SELECT 2, stream, version, 'n', 'n', 'n', 'x' FROM {TABLE} "
    "WHERE sequence = 1 ON CONFLICT (stream, version) DO UPDATE SET content = 'x'",
    "rename the ledger": "UPDATE beleg_review_ledger SET ledger = 'x'",
    "forget the ledger": "DELETE FROM beleg_review_ledger",
    "second name": "INSERT INTO beleg_review_ledger VALUES (2, 'x')",
}
SQLITE_ATTACKS = {
    f"{verb} over the {key}": f"{verb} INTO {TABLE} ({COLUMNS}) SELECT {values} FROM {TABLE} WHERE sequence = 1"
    for verb in ("INSERT OR REPLACE", "REPLACE")
    for key, values in {
        "sequence": "1, 's', 1, 'k', 'p', 'h', 'x'",
        "stream": "2, stream, version, 'k', 'p', 'h', 'x'",
        "key": "2, 's', 1, idempotency_key, 'p', 'h', 'x'",
        "previous hash": "2, 's', 1, 'k', previous_hash, 'h', 'x'",
        "hash": "2, 's', 1, 'k', 'p', hash, 'x'",
    }.items()
} | {
    f"replace by {name}": f"INSERT OR REPLACE INTO {TABLE} ({COLUMNS}, {name}) VALUES ({ROW}, 1)"
    for name in ("rowid", "_rowid_", "oid")
} | {
    "replace by update": f"UPDATE OR REPLACE {TABLE} SET content = 'x'",
    "replace without triggers for what is in the way": "PRAGMA recursive_triggers = OFF; "
    f"INSERT OR REPLACE INTO {TABLE} VALUES (1, 's', 1, 'k', 'p', 'h', 'x')",
    "rename by replacing": "INSERT OR REPLACE INTO beleg_review_ledger VALUES (1, 'x')",
    "a gap": f"INSERT INTO {TABLE} VALUES (7, 's', 1, 'k', 'p', 'h', 'x')",
    "no place": f"INSERT INTO {TABLE} VALUES (NULL, 's', 1, 'k', 'p', 'h', 'x')",
}  # fmt: skip
POSTGRES_ATTACKS = {
    "truncate": f"TRUNCATE {TABLE}",
    "drop": f"DROP TABLE {TABLE}",
    "switch the guard off": f"ALTER TABLE {TABLE} DISABLE TRIGGER ALL",
    "take the guard away": f"DROP TRIGGER {TABLE}_no_change ON {TABLE}",
    "replace the guard": "CREATE OR REPLACE FUNCTION beleg_review_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RETURN NULL; END $$",
    "pose as a replica": "SET session_replication_role = replica",
    "merge": f"MERGE INTO {TABLE} t USING (SELECT 1 AS one) s ON t.sequence = s.one WHEN MATCHED THEN DELETE",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return sqlite_place(tmp_path_factory.mktemp("attacked"))


@pytest.fixture(scope="module")
def database(postgres: Cluster) -> Place:
    return postgres_place(postgres, is_own=True)


@pytest.mark.parametrize("name", ATTACKS | SQLITE_ATTACKS)
def test_no_event_of_a_file_is_changed_replaced_or_removed(file: Place, name: str) -> None:
    _withstands(file, (ATTACKS | SQLITE_ATTACKS)[name])


@pytest.mark.parametrize("name", ATTACKS | POSTGRES_ATTACKS)
def test_the_role_that_records_can_do_nothing_else(database: Place, name: str) -> None:
    _withstands(database, (ATTACKS | POSTGRES_ATTACKS)[name])


def _withstands(place: Place, attack: str) -> None:
    with place.open() as ledger:
        ledger.append(action("note_added", version=ledger.head().size), at=WHEN)
        before, identity = ledger.events(), ledger.head().ledger
    told = place.attack(attack)
    assert any(words in told for words in ("append-only", "permission denied", "must be owner")), told
    with place.open() as again:
        assert again.events() == before
        assert again.head().ledger == identity


@pytest.mark.parametrize("name", ["rowid", "_rowid_", "oid"])
def test_a_file_has_no_second_number_of_a_row_by_which_it_could_be_replaced(tmp_path: Path, name: str) -> None:
    place = sqlite_place(tmp_path)
    with place.open() as ledger:
        first = ledger.append(action(), at=WHEN)
        place.attack(f"INSERT OR REPLACE INTO {TABLE} ({name}, {COLUMNS}) VALUES (1, {ROW})")
        assert ledger.events(limit=1) == (first,)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("content = 'no json'", "Invalid JSON"),
        ("content = ''", "Invalid JSON"),
        ('content = replace(content, \'"version":1\', \'"version":1,"extra":1\')', "extra"),
        ("content = replace(content, '\"version\":1', '\"version\": 1')", "canonical"),
        ("stream = 'r1/C-9'", "stream"),
        ("idempotency_key = 'other'", "idempotency_key"),
        ("version = 7", "version"),
    ],
)
def test_a_row_that_was_changed_past_every_guard_is_named(
    place: Place, ledger: SqlReviewLedger, change: str, what: str
) -> None:
    ledger.append_all((action(), action(stream="r1/C-2")), at=WHEN)
    place.force(f"UPDATE {TABLE} SET {change} WHERE sequence = 2")
    with pytest.raises(DamagedEvent, match=what) as told:
        ledger.events()
    assert told.value.sequence == 2
    assert len(ledger.events(limit=1)) == 1


def recorded_until_taken(ledger: SqlReviewLedger, stream: str, name: str) -> None:
    """Looks at the claim again and again until nobody was quicker."""
    while True:
        try:
            version = len(ledger.stream(stream))
            ledger.append(action(by=name, stream=stream, version=version), at=datetime.now(UTC))
        except StreamMovedOn:
            continue
        return


def in_threads(work: Callable[[int], None], count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_reviewers_at_once_lose_no_event(place: Place) -> None:
    reviewers, each, shared = 12, 8, 6
    ledgers = [place.open() for _ in range(3)]

    def review(number: int) -> None:
        ledger, name = ledgers[number % 3], f"reviewer {number}"
        for at in range(each):
            ledger.append(action(by=name, stream=f"r1/{number}-{at}"), at=datetime.now(UTC))
        for at in range(shared):
            recorded_until_taken(ledger, f"r1/shared-{at}", name)

    in_threads(review, reviewers)
    events = ledgers[0].events()
    assert len(events) == reviewers * (each + shared)
    assert is_whole(events)
    for at in range(shared):
        stream = ledgers[1].stream(f"r1/shared-{at}")
        assert {event.action.actor for event in stream} == {f"reviewer {number}" for number in range(reviewers)}
        assert [event.version for event in stream] == [*range(1, reviewers + 1)]
    for ledger in ledgers:
        ledger.close()


def test_one_refusal_among_threads_befalls_no_other(place: Place, ledger: SqlReviewLedger) -> None:
    ledger.append(action(stream="r1/taken"), at=WHEN)
    refused: list[int] = []

    def review(number: int) -> None:
        stream = "r1/taken" if number % 2 else f"r1/{number}"
        try:
            ledger.append(action("note_added", by=str(number), stream=stream), at=WHEN)
        except StreamMovedOn:
            refused.append(number)

    in_threads(review, 16)
    assert sorted(refused) == [*range(1, 16, 2)]
    assert ledger.head().size == 9
    assert is_whole(ledger.events())


WRITER = """
import sys
from datetime import UTC, datetime
sys.path.insert(0, sys.argv[1])
from support.review_events import action
from beleg.app.review_ledgers import open_ledger
ledger = open_ledger(sys.argv[2])
for number in range(100_000):
    event = ledger.append(action(stream=f"r1/{sys.argv[3]}-{number}"), at=datetime.now(UTC))
    sys.stdout.write(f"{event.hash}\\n")
    sys.stdout.flush()
"""


def test_a_writer_that_is_killed_leaves_a_whole_chain_with_all_that_it_was_told(place: Place) -> None:
    tests = Path(__file__).parent.parent
    promised: set[str] = set()
    for name in ("a", "b"):
        words = [sys.executable, "-c", WRITER, str(tests), place.address, name]
        writer = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        promised.update(writer.stdout.readline().strip() for _ in range(5))
        time.sleep(random.uniform(0, 0.1))
        os.kill(writer.pid, signal.SIGKILL)
        promised.update(line.strip() for line in writer.stdout if line.endswith("\n"))
        writer.wait()
        writer.stdout.close()
    with place.open() as ledger:
        events = ledger.events()
        assert is_whole(events)
        assert promised <= {event.hash for event in events}
        assert ledger.append(action(stream="r1/after"), at=WHEN).sequence == len(events) + 1


def test_whoever_may_change_events_may_not_record(database: Place) -> None:
    place = database
    for role in ("ledger_owner", "postgres"):
        address = place.address.replace("recorder@", f"{role}@")
        with pytest.raises(UsageError, match="may change or remove events") as told:
            open_postgres_ledger(address, {})
        assert "--grant" in told.value.diagnostics()
        open_postgres_ledger(address, {}, is_read_only=True).close()
    place.force(f"GRANT UPDATE (content) ON {TABLE} TO reader")
    place.force("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    with pytest.raises(UsageError, match="may change or remove events"):
        open_postgres_ledger(place.address.replace("recorder@", "reader@"), {})


def test_the_owner_of_the_tables_is_held_by_the_guards(postgres: Cluster) -> None:
    place = postgres_place(postgres)
    database = place.address.partition("@/")[2].partition("?")[0]
    with place.open() as ledger:
        ledger.append(action(), at=WHEN)
        for attack in (*ATTACKS.values(), f"TRUNCATE {TABLE}"):
            if "beleg_review_ledger VALUES" in attack:
                continue
            assert "append-only" in postgres.sql(attack, role="ledger_owner", database=database), attack
        assert ledger.head().size == 1


def test_a_role_without_rights_is_told_what_to_ask_for(postgres: Cluster) -> None:
    place = postgres_place(postgres)
    with pytest.raises(EvidenceError, match="permission denied") as told:
        open_postgres_ledger(place.address.replace("recorder@", "reader@"), {})
    assert "--grant" in told.value.diagnostics()
