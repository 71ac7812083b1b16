from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError, UsageError
from beleg.core.inventory import Inventory, InventoryDocument
from beleg.core.run import RunSettings
from beleg.run.folder import RunFolder, write_model
from beleg.run.journal import encode
from support.builders import case, header, suite, trace

CASES = [case("a"), case("b")]


def begun(path: Path) -> RunFolder:
    folder, cases = RunFolder(path), suite(CASES)
    folder.create(header(CASES, suite_digest=cases.digest), cases)
    return folder


def test_a_run_is_read_back_as_it_was_begun(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    assert folder.suite() == suite(CASES)
    assert folder.header().case_ids == ("a", "b")
    assert folder.traces().traces == ()
    assert folder.inventory() is None


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    begun(tmp_path / "r")
    with pytest.raises(UsageError, match="never overwritten"):
        begun(tmp_path / "r")


def test_a_suite_that_was_edited_after_the_run_is_found(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    folder.suite_file.write_text(folder.suite_file.read_text().replace("question a", "question A"))
    with pytest.raises(EvidenceError, match="changed after the run began"):
        folder.suite()


def test_an_edited_header_names_file_and_field(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    folder.header_file.write_text(folder.header_file.read_text().replace('"concurrency":8', '"concurrency":"8"'))
    with pytest.raises(EvidenceError, match=r"run\.json: field 'settings\.concurrency'"):
        folder.header()


def test_a_missing_suite_is_named(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    folder.suite_file.unlink()
    with pytest.raises(EvidenceError, match=r"suite\.json is missing"):
        folder.suite()


def test_a_folder_without_a_run_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        RunFolder(tmp_path).header()
    assert "beleg run" in caught.value.diagnostics()


def test_a_second_writer_is_kept_out_until_the_first_is_done(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "r")
    with folder.locked(), pytest.raises(UsageError, match="another process is writing"):
        RunFolder(tmp_path / "r").locked().__enter__()
    with folder.locked():
        pass


def test_a_journal_without_a_header_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_bytes(b"")
    with pytest.raises(UsageError, match="already holds a run"):
        begun(tmp_path)


@pytest.mark.parametrize("place", ["file", "file/inside"])
def test_a_place_where_no_folder_can_be_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write to") as caught, RunFolder(tmp_path / place).locked():
        pass
    assert caught.value.hint == "Name another folder with --out"


def test_a_value_that_cannot_be_written_names_its_file_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "run.json").mkdir()
    (tmp_path / "run.json" / "inside").write_text("")
    with pytest.raises(EvidenceError, match=r"run\.json cannot be written"):
        write_model(tmp_path / "run.json", header(CASES))
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_header_that_is_no_json_is_named_without_a_field(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    folder.header_file.write_text("{")
    with pytest.raises(EvidenceError, match=r"run\.json: Invalid JSON"):
        folder.header()


INVENTORY = Inventory(
    documents=(InventoryDocument(document_id="d1", text="x", metadata={"tenant": "globex"}),), passages=()
)


def with_inventory(path: Path) -> RunFolder:
    folder, cases = RunFolder(path), suite(CASES)
    folder.create(header(CASES, suite_digest=cases.digest), cases, INVENTORY)
    return folder


def test_the_header_names_the_bytes_of_the_inventory(tmp_path: Path) -> None:
    folder, cases = RunFolder(tmp_path / "r"), suite(CASES)
    written = folder.create(header(CASES, suite_digest=cases.digest), cases, INVENTORY)
    digest = hashlib.sha256((tmp_path / "r" / "inventory.json").read_bytes()).hexdigest()
    assert written.inventory_digest == f"sha256:{digest}"
    assert folder.header() == written
    assert folder.inventory() == INVENTORY


def test_an_inventory_that_was_edited_after_the_run_is_found(tmp_path: Path) -> None:
    folder = with_inventory(tmp_path / "r")
    folder.inventory_file.write_text(folder.inventory_file.read_text().replace("globex", "acme"))
    with pytest.raises(EvidenceError, match=r"inventory\.json was changed after the run began"):
        folder.inventory()


def test_an_inventory_that_was_removed_after_the_run_is_missed(tmp_path: Path) -> None:
    folder = with_inventory(tmp_path / "r")
    folder.inventory_file.unlink()
    with pytest.raises(EvidenceError, match=r"inventory\.json is missing"):
        folder.inventory()


def test_an_inventory_that_was_added_after_the_run_is_not_taken(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    write_model(folder.inventory_file, INVENTORY)
    with pytest.raises(EvidenceError, match="changed after the run began"):
        folder.inventory()


def test_the_inventory_of_a_start_that_was_killed_is_not_inherited(tmp_path: Path) -> None:
    folder = with_inventory(tmp_path / "r")
    folder.header_file.unlink()
    assert begun(tmp_path / "r").inventory() is None
    assert not folder.inventory_file.exists()


def edited(folder: RunFolder, old: str, new: str) -> RunFolder:
    text = folder.header_file.read_text()
    assert old in text
    folder.header_file.write_text(text.replace(old, new))
    return folder


def test_a_manifest_that_was_edited_after_the_run_is_found(tmp_path: Path) -> None:
    folder = edited(begun(tmp_path / "r"), '"manifest":{"name":"run"', '"manifest":{"name":"better"')
    with pytest.raises(EvidenceError, match="its manifest does not have its manifest_digest"):
        folder.header()


@pytest.mark.parametrize(
    ("case_ids", "words"),
    [
        ('["a","nope"]', "'nope' which the suite does not hold"),
        ('["a","b","b"]', "'b' more than once"),
        ('["a"]', "says that all cases were asked"),
        ('["0","1","2","3","4","5","6"]', "'0', '1', '2', '3', '4' and 2 more which"),
    ],
)
def test_a_header_whose_cases_were_edited_is_found(tmp_path: Path, case_ids: str, words: str) -> None:
    folder = edited(begun(tmp_path / "r"), '"case_ids":["a","b"]', f'"case_ids":{case_ids}')
    with pytest.raises(EvidenceError, match=words):
        folder.suite()


@pytest.mark.parametrize("stray", ["b", "nope"])
def test_a_trace_of_a_case_that_the_header_does_not_name_is_not_hidden(tmp_path: Path, stray: str) -> None:
    folder = RunFolder(tmp_path / "r")
    folder.create(header(CASES[:1], subset="named", suite_digest=suite(CASES).digest), suite(CASES))
    folder.journal_file.write_bytes(encode(trace("a")) + encode(trace(stray)))
    assert folder.suite() == suite(CASES)
    with pytest.raises(EvidenceError, match=rf"holds traces of '{stray}'"):
        folder.traces()


def test_a_repeat_that_the_header_does_not_name_is_not_hidden(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "r")
    settings = RunSettings(repeats=2)
    folder.create(header(CASES, settings=settings, suite_digest=suite(CASES).digest), suite(CASES))
    folder.journal_file.write_bytes(encode(trace("a", repeat=1)))
    assert len(folder.traces().traces) == 1
    folder.journal_file.write_bytes(encode(trace("a", repeat=2)))
    with pytest.raises(EvidenceError, match="more repeats of 'a' than the 2"):
        folder.traces()


def test_the_traces_have_a_digest_even_before_the_first(tmp_path: Path) -> None:
    folder = begun(tmp_path / "r")
    assert folder.traces_digest() == f"sha256:{hashlib.sha256(b'').hexdigest()}"
    folder.journal_file.write_bytes(encode(trace("a")) + b"cut")
    assert folder.traces_digest() == f"sha256:{hashlib.sha256(encode(trace('a'))).hexdigest()}"


def test_the_folder_is_forced_onto_the_disk_after_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, synced = os.fsync, []

    def watched(descriptor: int) -> None:
        synced.append((str(Path(f"/proc/self/fd/{descriptor}").readlink()), (tmp_path / "run.json").exists()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    write_model(tmp_path / "run.json", header(CASES))
    assert [exists for _, exists in synced] == [False, True]
    assert synced[-1][0] == str(tmp_path.resolve())
