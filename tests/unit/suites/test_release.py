from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.case import Case
from beleg.core.errors import DataError, Error, EvidenceError, UsageError
from beleg.core.suite import Suite, SuiteKind
from beleg.suites.release import ReleaseRecord, history, load_release, release, released_versions
from unit.suites.builders import drawn_suites, make_case, make_suite, numbered

AT = datetime(2026, 6, 15, 12, tzinfo=UTC)


def put(suite: Suite, store: Path, note: str = "") -> ReleaseRecord:
    return release(suite, store, note=note, released_at=AT)


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    data = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(change(data))


def files_of(store: Path) -> dict[str, bytes]:
    return {str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def test_a_release_is_read_back_as_it_was(tmp_path: Path) -> None:
    suite = make_suite(*numbered(3), kind=SuiteKind.RELEASE)
    record = put(suite, tmp_path, note="first")
    loaded = load_release(tmp_path, "shop")
    assert loaded.suite == suite
    assert loaded.record == record
    assert (record.version, record.digest, record.note, record.released_at) == (1, suite.digest, "first", AT)


def test_the_layout_can_be_checked_with_standard_tools(tmp_path: Path) -> None:
    put(make_suite(make_case("b"), make_case("a")), tmp_path)
    place = tmp_path / "shop" / "v1"
    assert sorted(path.name for path in place.iterdir()) == ["cases.jsonl", "release.json", "suite.json"]
    lines = (place / "cases.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["case_id"] for line in lines] == ["a", "b"]
    record = json.loads((place / "release.json").read_bytes())
    assert record["case_digests"]["a"] == f"sha256:{hashlib.sha256(lines[0]).hexdigest()}"


def test_the_files_are_read_only(tmp_path: Path) -> None:
    put(make_suite(*numbered(1)), tmp_path)
    for path in (tmp_path / "shop" / "v1").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o444


def test_releasing_the_same_suite_again_changes_nothing(tmp_path: Path) -> None:
    first = put(make_suite(*numbered(3)), tmp_path, note="first")
    before = files_of(tmp_path)
    again = put(make_suite(*reversed(numbered(3))), tmp_path, note="second")
    assert again == first
    assert files_of(tmp_path) == before


def test_a_released_version_is_never_changed_in_place(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    put(make_suite(*numbered(3), version=2), tmp_path)
    before = files_of(tmp_path)
    with pytest.raises(DataError, match=r"never changed in place.*Raise the version to 3"):
        put(make_suite(*numbered(4)), tmp_path)
    assert files_of(tmp_path) == before


def test_versions_follow_each_other_and_remember_the_one_before(tmp_path: Path) -> None:
    first = put(make_suite(*numbered(2)), tmp_path)
    second = put(make_suite(*numbered(3), version=2), tmp_path)
    assert (second.previous_version, second.previous_digest) == (1, first.digest)
    assert released_versions(tmp_path, "shop") == (1, 2)
    assert history(tmp_path, "shop") == (first, second)
    assert len(load_release(tmp_path, "shop", 1).suite.cases) == 2


@pytest.mark.parametrize("version", [3, 7])
def test_a_gap_in_the_versions_is_refused_with_the_right_number(tmp_path: Path, version: int) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    with pytest.raises(DataError, match="Set it to 2"):
        put(make_suite(*numbered(3), version=version), tmp_path)


def test_the_first_version_is_1(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Set it to 1"):
        put(make_suite(*numbered(2), version=2), tmp_path)


def test_the_same_content_is_not_released_twice(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    put(make_suite(*numbered(3), version=2), tmp_path)
    with pytest.raises(DataError, match="already released as version 1"):
        put(make_suite(*numbered(2), version=3), tmp_path)


def test_a_change_of_the_header_alone_is_a_new_version(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    assert put(make_suite(*numbered(2), version=2, description="clearer"), tmp_path).version == 2


def test_a_development_suite_does_not_turn_into_a_release_suite(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    with pytest.raises(DataError, match="kinds are never mixed"):
        put(make_suite(*numbered(3), version=2, kind=SuiteKind.RELEASE), tmp_path)


def test_a_burnt_release_suite_may_become_a_development_suite(tmp_path: Path) -> None:
    put(make_suite(*numbered(2), kind=SuiteKind.RELEASE), tmp_path)
    assert put(make_suite(*numbered(2), version=2), tmp_path).kind is SuiteKind.DEVELOPMENT


@pytest.mark.parametrize(
    "suite",
    [
        make_suite(),
        make_suite(make_case("q1"), make_case("q1", user_input="Other?")),
        make_suite(make_case("q1", guided_tuning=True), kind=SuiteKind.HOLDOUT),
    ],
    ids=["empty", "duplicate ids", "guided tuning in a holdout"],
)
def test_a_suite_with_errors_is_not_released(tmp_path: Path, suite: Suite) -> None:
    with pytest.raises(DataError):
        put(suite, tmp_path)
    assert files_of(tmp_path) == {}


def test_a_duplicate_id_cannot_hide_behind_the_digest_of_a_released_suite(tmp_path: Path) -> None:
    put(make_suite(make_case("q1")), tmp_path)
    with pytest.raises(DataError, match="never changed in place"):
        put(make_suite(make_case("q1", user_input="Hidden?"), make_case("q1")), tmp_path)


def test_a_time_without_zone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="time zone"):
        release(make_suite(*numbered(1)), tmp_path, note="", released_at=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize("name", ["../escape", "a/b", "..", ".hidden", "Händler & Söhne", "v1"])
def test_no_suite_name_leaves_the_store(tmp_path: Path, name: str) -> None:
    store = tmp_path / "store"
    put(make_suite(*numbered(1), name=name), store)
    assert load_release(store, name).suite.header.name == name
    assert [path.name for path in tmp_path.iterdir()] == ["store"]
    assert len(list(store.iterdir())) == 1


def test_a_name_too_long_for_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="too long"):
        put(make_suite(*numbered(1), name="ü" * 100), tmp_path)


# What an edited store says.


def test_an_edited_case_is_named(tmp_path: Path) -> None:
    put(make_suite(*numbered(5)), tmp_path)
    rewrite(tmp_path / "shop" / "v1" / "cases.jsonl", lambda data: data.replace(b"Question q003", b"Question q00X"))
    with pytest.raises(EvidenceError, match="case 'q003' was changed or removed"):
        load_release(tmp_path, "shop")
    with pytest.raises(EvidenceError, match="'q003'"):
        put(make_suite(*numbered(5)), tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"".join(data.splitlines(keepends=True)[1:]), "case 'q000' was changed or removed"),
        (lambda data: data.replace(b'"case_id":"q001"', b'"case_id": "q001"'), "case 'q001' was changed"),
        (lambda data: data[:-5], "case 'q002' was changed or removed"),
        (lambda data: data + data.splitlines(keepends=True)[0], "cases were added or moved"),
        (lambda data: b"".join(reversed(data.splitlines(keepends=True))), "cases were added or moved"),
        (lambda data: data + b"{", "cases were added or moved"),
        (lambda _: b"", "case 'q000' was changed or removed"),
    ],
    ids=["removed", "respaced", "cut", "doubled", "reordered", "appended", "emptied"],
)
def test_every_edit_of_the_cases_is_found(tmp_path: Path, change: Callable[[bytes], bytes], message: str) -> None:
    put(make_suite(*numbered(3)), tmp_path)
    rewrite(tmp_path / "shop" / "v1" / "cases.jsonl", change)
    with pytest.raises(EvidenceError, match=message):
        load_release(tmp_path, "shop")


@pytest.mark.parametrize("new", [b'{"name":"other"}', b"[]", b"not json", b""])
def test_an_edited_header_is_found(tmp_path: Path, new: bytes) -> None:
    put(make_suite(*numbered(3)), tmp_path)
    rewrite(tmp_path / "shop" / "v1" / "suite.json", lambda _: new)
    with pytest.raises(EvidenceError, match=r"suite\.json.*header"):
        load_release(tmp_path, "shop")


def test_an_edited_record_is_found(tmp_path: Path) -> None:
    put(make_suite(*numbered(3)), tmp_path)
    record = tmp_path / "shop" / "v1" / "release.json"
    original = record.read_bytes()
    for old, new in [(b'"name":"shop"', b'"name":"shup"'), (b'"version":1', b'"version":2'), (b"{", b"")]:
        rewrite(record, lambda _, old=old, new=new: original.replace(old, new, 1))
        with pytest.raises(EvidenceError, match=r"release\.json"):
            load_release(tmp_path, "shop")


def test_a_missing_file_is_evidence_that_is_not_there(tmp_path: Path) -> None:
    put(make_suite(*numbered(3)), tmp_path)
    (tmp_path / "shop" / "v1" / "suite.json").unlink()
    with pytest.raises(EvidenceError, match=r"suite\.json: cannot be read"):
        load_release(tmp_path, "shop")


def test_the_next_version_vouches_for_a_version_whose_record_was_forged_too(tmp_path: Path) -> None:
    store, forger = tmp_path / "store", tmp_path / "forger"
    put(make_suite(*numbered(2)), store)
    put(make_suite(*numbered(3), version=2), store)
    put(make_suite(make_case("forged")), forger)
    for name in ("cases.jsonl", "release.json", "suite.json"):
        rewrite(store / "shop" / "v1" / name, lambda _, name=name: (forger / "shop" / "v1" / name).read_bytes())
    with pytest.raises(EvidenceError, match="version 2 follows another content"):
        load_release(store, "shop", 1)


@pytest.mark.parametrize(("name", "version"), [("shop", 2), ("other", None)])
def test_what_was_not_released_is_not_found(tmp_path: Path, name: str, version: int | None) -> None:
    put(make_suite(*numbered(1)), tmp_path)
    with pytest.raises(EvidenceError, match="is not released"):
        load_release(tmp_path, name, version)


def test_a_draft_of_a_release_that_was_cut_off_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".draft-v1-0123456789abcdef").mkdir(parents=True)
    assert released_versions(tmp_path, "shop") == ()
    assert put(make_suite(*numbered(1)), tmp_path).version == 1


def test_a_failed_write_leaves_no_version_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EvidenceError, match="No space left"):
        put(make_suite(*numbered(1)), tmp_path)
    assert list((tmp_path / "shop").iterdir()) == []


def test_a_rename_that_fails_is_no_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(EvidenceError, match="version 1 could not be written: Input/output error"):
        put(make_suite(*numbered(1)), tmp_path)
    assert released_versions(tmp_path, "shop") == ()


def forge(place: Path, header: dict[str, Any], record: dict[str, Any]) -> None:
    """Writes a header and a record that agree with each other and with the cases."""
    digests = sorted(record["case_digests"].values())
    whole = json.dumps({"cases": digests, "header": header}, sort_keys=True, separators=(",", ":")).encode()
    record = {**record, "digest": f"sha256:{hashlib.sha256(whole).hexdigest()}"}
    for name, value in (("suite.json", header), ("release.json", record)):
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
        rewrite(place / name, lambda _, text=text: text.encode())


def test_a_release_of_a_later_beleg_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    place = tmp_path / "shop" / "v1"
    header, record = (json.loads((place / name).read_bytes()) for name in ("suite.json", "release.json"))
    forge(place, {**header, "a_later_field": 1}, record)
    with pytest.raises(EvidenceError, match="this version of Beleg cannot read"):
        load_release(tmp_path, "shop")


def test_a_record_that_names_another_suite_is_found(tmp_path: Path) -> None:
    put(make_suite(*numbered(2)), tmp_path)
    place = tmp_path / "shop" / "v1"
    header, record = (json.loads((place / name).read_bytes()) for name in ("suite.json", "release.json"))
    forge(place, header, {**record, "kind": "holdout"})
    with pytest.raises(EvidenceError, match="names another suite"):
        load_release(tmp_path, "shop")


# What guided tuning is marked for good (G3).


def guided(case_id: str, **fields: Any) -> Case:
    return make_case(case_id, guided_tuning=True, **fields)


def test_a_mark_cannot_be_taken_back_by_the_next_version(tmp_path: Path) -> None:
    put(make_suite(make_case("a"), guided("b")), tmp_path)
    with pytest.raises(DataError, match="case 'b' guided tuning in a release of suite 'shop'"):
        put(make_suite(make_case("a"), make_case("b"), version=2), tmp_path)


def test_a_mark_outlives_the_removal_of_its_case(tmp_path: Path) -> None:
    put(make_suite(make_case("a"), guided("b")), tmp_path)
    put(make_suite(make_case("a"), version=2), tmp_path)
    with pytest.raises(DataError, match="case 'b'"):
        put(make_suite(make_case("a"), make_case("b", user_input="Reworded?"), version=3), tmp_path)


def test_a_mark_outlives_a_new_id(tmp_path: Path) -> None:
    put(make_suite(guided("b", user_input="How long?")), tmp_path)
    with pytest.raises(DataError, match="case 'renamed'"):
        put(make_suite(make_case("renamed", user_input="how long"), version=2), tmp_path)


def test_a_marked_question_enters_no_release_suite_of_the_store(tmp_path: Path) -> None:
    put(make_suite(guided("b", user_input="How long?"), name="shop-dev"), tmp_path)
    again = make_suite(make_case("x", user_input="How long?"), name="shop-release", kind=SuiteKind.RELEASE)
    with pytest.raises(DataError, match="'x' guided tuning in a release of suite 'shop-dev'"):
        put(again, tmp_path)


def test_the_same_id_in_another_suite_is_another_case(tmp_path: Path) -> None:
    put(make_suite(guided("q1", user_input="How long?"), name="dev"), tmp_path)
    other = make_suite(make_case("q1", user_input="How much?"), name="release", kind=SuiteKind.RELEASE)
    assert put(other, tmp_path).version == 1


def test_a_mark_that_stays_is_no_problem(tmp_path: Path) -> None:
    put(make_suite(guided("b")), tmp_path)
    assert put(make_suite(guided("b"), make_case("c"), version=2), tmp_path).version == 2


# Laws.


@pytest.mark.parametrize("same", [True, False])
def test_of_two_releases_at_once_exactly_one_wins(tmp_path: Path, same: bool) -> None:
    n_writers = 8
    barrier = threading.Barrier(n_writers)
    results: list[ReleaseRecord | Error] = []

    def write(index: int) -> None:
        suite = make_suite(make_case("q", user_input="Same?" if same else f"Question {index}?"))
        barrier.wait()
        try:
            results.append(put(suite, tmp_path, note=str(index)))
        except DataError as error:
            results.append(error)

    writers = [threading.Thread(target=write, args=(index,)) for index in range(n_writers)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    stored = load_release(tmp_path, "shop").record
    won = [result for result in results if isinstance(result, ReleaseRecord)]
    lost = [str(result) for result in results if isinstance(result, Error)]
    assert {record.note for record in won} == {stored.note}
    assert len(won) == (n_writers if same else 1)
    assert all("never changed in place" in message for message in lost)
    assert [path.name for path in (tmp_path / "shop").iterdir()] == ["v1"]


@settings(max_examples=40, deadline=None)
@given(suite=drawn_suites(min_size=1, max_size=8), data=st.data())
def test_release_is_immutable_and_independent_of_the_order_of_cases(suite: Suite, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        first = put(suite, store)
        before = files_of(store)
        shuffled = Suite(header=suite.header, cases=tuple(data.draw(st.permutations(suite.cases))))
        assert shuffled.digest == suite.digest
        assert put(shuffled, store) == first
        changed = Suite(header=suite.header, cases=(*suite.cases, make_case("a new case")))
        with pytest.raises(DataError):
            put(changed, store)
        assert files_of(store) == before
        assert sorted(load_release(store, "shop").suite.cases, key=str) == sorted(suite.cases, key=str)
