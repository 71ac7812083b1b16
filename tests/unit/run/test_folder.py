from __future__ import annotations

from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError, UsageError
from beleg.run.folder import RunFolder, write_model
from support.builders import case, header, suite

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
