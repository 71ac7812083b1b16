"""What every review ledger promises, in SQLite and in PostgreSQL: nothing is lost, changed, or recorded twice."""

from __future__ import annotations

import hashlib
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import rfc8785

from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_postgres import create_postgres_ledger, open_postgres_ledger
from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from beleg.core.errors import DataError, UsageError
from beleg.core.review import NO_HASH, ReviewEvent, StreamMovedOn
from support.postgres import OWNER, READER, RECORDER, Cluster
from support.reviews import AT, action

NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Place:
    """A ledger and how another process opens it."""

    open: Callable[[], SqlReviewLedger]
    script: str


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        path = tmp_path / "reviews.db"
        return Place(
            lambda: open_sqlite_ledger(path),
            "from pathlib import Path\n"
            "from beleg.adapters.stores.review_sqlite import open_sqlite_ledger\n"
            f"ledger = open_sqlite_ledger(Path({str(path)!r}))\n",
        )
    cluster: Cluster = request.getfixturevalue("postgres")
    database = f"contract_{next(NUMBERS)}"
    cluster.sql(f"CREATE DATABASE {database} OWNER {OWNER}")
    create_postgres_ledger(cluster.address(OWNER, database), {}, grant_to=(RECORDER,))
    cluster.sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}", database=database)
    address = cluster.address(RECORDER, database)
    return Place(
        lambda: open_postgres_ledger(address, {}),
        "from beleg.adapters.stores.review_postgres import open_postgres_ledger\n"
        f"ledger = open_postgres_ledger({address!r}, {{}}, connections=1)\n",
    )


@pytest.fixture
def ledger(place: Place) -> Iterator[SqlReviewLedger]:
    with place.open() as opened:
        yield opened


def require_whole(events: tuple[ReviewEvent, ...]) -> None:
    """Sequence without a gap, versions without a gap, every hash made anew here from its definition."""
    previous = NO_HASH
    versions: dict[str, int] = {}
    for place, event in enumerate(events, start=1):
        plain = json.loads(event.model_dump_json(exclude_none=True, exclude={"hash", "previous_hash"}))
        assert event.sequence == place
        assert event.previous_hash == previous
        assert event.hash == hashlib.sha256(previous.encode() + rfc8785.dumps(plain)).hexdigest()
        versions[event.action.stream] = versions.get(event.action.stream, 0) + 1
        assert event.version == versions[event.action.stream]
        previous = event.hash


def test_an_empty_ledger_has_a_head_of_nothing(ledger: SqlReviewLedger) -> None:
    assert (ledger.head().size, ledger.head().hash) == (0, NO_HASH)
    assert ledger.events() == () == ledger.stream("r1/C-1")
    assert ledger.streams("r1/") == {}


def test_events_stand_one_behind_the_other_and_are_read_back_as_they_were(place: Place) -> None:
    actions = [
        action("assigned"),
        action(version=1),
        action(stream="r1/C-2"),
        action("note_added", version=2, note="\u0000 'quoted' \\ {\"a\": 1} — „ü“ 👩‍👩‍👧\nnext", idempotency_key="n"),
    ]
    with place.open() as first:
        made = tuple(first.append(each, at=AT) for each in actions)
    with place.open() as second:
        assert second.events() == made
        assert second.head().hash == made[-1].hash
        assert second.head().size == 4
        assert [event.version for event in second.stream("r1/C-1")] == [1, 2, 3]
    assert [event.action for event in made] == actions
    require_whole(made)


def test_two_ledgers_have_different_names_and_one_keeps_its_own(place: Place, tmp_path: Path) -> None:
    with place.open() as first, place.open() as again, open_sqlite_ledger(tmp_path / "other.db") as other:
        assert first.head().ledger == again.head().ledger != other.head().ledger


def test_the_same_action_sent_again_gives_the_first_event(ledger: SqlReviewLedger) -> None:
    first = ledger.append(action(), at=AT)
    ledger.append(action("note_added", version=1), at=AT)
    assert ledger.append(action(), at=AT.replace(year=2027)) == first
    assert len(ledger.events()) == 2


def test_another_action_under_a_used_key_is_refused(ledger: SqlReviewLedger) -> None:
    ledger.append(action(idempotency_key="k"), at=AT)
    with pytest.raises(DataError, match="another action, which is event 1"):
        ledger.append(action("note_added", version=1, idempotency_key="k"), at=AT)
    assert len(ledger.events()) == 1


def test_a_reviewer_who_looked_at_an_older_version_is_refused(ledger: SqlReviewLedger) -> None:
    ledger.append(action(actor="R. Ito"), at=AT)
    with pytest.raises(StreamMovedOn) as caught:
        ledger.append(action(actor="M. Abel"), at=AT)
    assert (caught.value.expected, caught.value.actual) == (0, 1)
    with pytest.raises(StreamMovedOn):
        ledger.append(action("note_added", version=5), at=AT)
    assert [event.action.actor for event in ledger.events()] == ["R. Ito"]


def test_many_are_appended_together_or_none(ledger: SqlReviewLedger) -> None:
    whole = [action(stream=f"r1/C-{number}") for number in range(450)]
    assert len(ledger.append_all(whole, at=AT)) == 450
    half = [action(stream="r1/D-1"), action(stream="r1/D-2"), action(stream="r1/C-1", actor="M. Abel")]
    with pytest.raises(StreamMovedOn):
        ledger.append_all(half, at=AT)
    assert ledger.stream("r1/D-1") == ()
    assert len(ledger.append_all((*whole, action(stream="r1/D-1")), at=AT)) == 451
    assert ledger.head().size == 451
    assert ledger.append_all((), at=AT) == ()
    require_whole(ledger.events())


def test_many_may_build_upon_each_other(ledger: SqlReviewLedger) -> None:
    together = [action("assigned"), action(version=1), action("withdrawn", version=2, supersedes=2)]
    assert [event.version for event in ledger.append_all([*together, together[0]], at=AT)] == [1, 2, 3, 1]


def test_events_are_read_in_portions(ledger: SqlReviewLedger) -> None:
    ledger.append_all([action(stream=f"r1/C-{number}") for number in range(7)], at=AT)
    portions = [ledger.events(after=after, limit=3) for after in (0, 3, 6, 7)]
    assert [[event.sequence for event in portion] for portion in portions] == [[1, 2, 3], [4, 5, 6], [7], []]


def test_the_streams_of_a_run_are_those_whose_name_begins_with_it(ledger: SqlReviewLedger) -> None:
    names = ["r1/C-1", "r1/C-2", "r10/C-1", "R1/C-1", "r_/C-1", "r%/C-1", "r1/Ü👩", "r2/x"]
    ledger.append_all([action(stream=name) for name in names], at=AT)
    assert set(ledger.streams("r1/")) == {"r1/C-1", "r1/C-2", "r1/Ü👩"}
    assert set(ledger.streams("r_/")) == {"r_/C-1"}
    assert set(ledger.streams("r%/")) == {"r%/C-1"}
    assert len(ledger.streams("")) == len(names)


def test_a_time_without_a_zone_is_refused(ledger: SqlReviewLedger) -> None:
    with pytest.raises(UsageError, match="time zone"):
        ledger.append(action(), at=AT.replace(tzinfo=None))


def test_reviewers_in_threads_lose_no_event(place: Place) -> None:
    faults: list[BaseException] = []

    def review(name: str) -> None:
        try:
            with place.open() as own:
                for number in range(5):
                    own.append(action(stream=f"r1/{name}-{number}", actor=name), at=AT)
        except BaseException as fault:
            faults.append(fault)

    people = [threading.Thread(target=review, args=(f"P{number}",)) for number in range(8)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert faults == []
    with place.open() as ledger:
        events = ledger.events()
    assert {event.action.stream for event in events} == {f"r1/P{a}-{b}" for a in range(8) for b in range(5)}
    assert len(events) == 40
    require_whole(events)


def test_threads_that_share_one_ledger_lose_no_event(ledger: SqlReviewLedger) -> None:
    people = [
        threading.Thread(target=lambda name=name: ledger.append(action(stream=f"r1/{name}"), at=AT))
        for name in range(20)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert ledger.head().size == 20
    require_whole(ledger.events())


def test_of_all_who_act_on_one_version_one_is_first(place: Place) -> None:
    refused: list[StreamMovedOn] = []

    def review(name: str) -> None:
        with place.open() as own:
            try:
                own.append(action(actor=name), at=AT)
            except StreamMovedOn as moved:
                refused.append(moved)

    people = [threading.Thread(target=review, args=(f"P{number}",)) for number in range(6)]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert len(refused) == 5
    with place.open() as ledger:
        assert len(ledger.stream("r1/C-1")) == 1


REVIEW_FOREVER = """
import itertools, sys
sys.path.insert(0, {tests!r})
from support.reviews import AT, action
{opening}
for number in itertools.count():
    event = ledger.append(action(stream=f"r1/{name}-{{number}}"), at=AT)
    print(event.sequence, event.hash, flush=True)
"""


def test_what_was_acknowledged_before_a_kill_is_there_and_the_chain_is_whole(place: Place) -> None:
    with closing(place.open()):
        pass
    tests = str(Path(__file__).parent.parent)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", REVIEW_FOREVER.format(tests=tests, opening=place.script, name=name)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b", "c")
    ]
    acknowledged: dict[int, str] = {}
    for process in processes:
        assert process.stdout is not None
        for _ in range(10):
            sequence, found = process.stdout.readline().split()
            acknowledged[int(sequence)] = found
    for process in processes:
        process.kill()
        assert process.stdout is not None
        for line in process.stdout.read().splitlines():
            if len(line.split()) == 2 and len(line.split()[1]) == 64:
                acknowledged[int(line.split()[0])] = line.split()[1]
        process.wait()
        process.stdout.close()
    with place.open() as ledger:
        events = ledger.events()
        require_whole(events)
        by_sequence = {event.sequence: event.hash for event in events}
        assert len(acknowledged) >= 30
        assert acknowledged.items() <= by_sequence.items()
        assert ledger.append(action(stream="r1/after"), at=AT).sequence == len(events) + 1
