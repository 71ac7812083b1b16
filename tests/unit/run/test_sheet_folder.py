"""A sheet is whole or refused, whatever instant the writer was killed at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from beleg.core.errors import EvidenceError, UsageError
from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.core.manifest import Manifest
from beleg.run.sheet_folder import SheetFolder, SheetSize

MANIFEST = Manifest(name="m")


def header(size: SheetSize) -> SheetHeader:
    return SheetHeader(
        run_id="r",
        manifest=MANIFEST,
        manifest_digest=MANIFEST.digest,
        suite_name="s",
        suite_version=1,
        suite_digest="sha256:0",
        case_count=size.cases,
        claim_count=size.claims,
        cases_digest=size.digest,
        beleg_version="0",
        created_at=datetime(2026, 8, 1, tzinfo=UTC),
    )


def case(name: str) -> EvidenceCase:
    return EvidenceCase(case_id=name, query_id=name, answer_id=f"A-{name}", question="Grüße? \U0001f600")


def read(folder: SheetFolder) -> list[str]:
    return [each.case_id for each in folder.cases(folder.header())]


def test_what_is_written_is_read_back_in_order(tmp_path: Path) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    made = folder.write(map(case, "cab"), header)
    assert (made.case_count, made.claim_count) == (3, 0)
    assert folder.header() == made
    assert list(folder.cases(made)) == [case("c"), case("a"), case("b")]
    assert sorted(path.name for path in folder.path.iterdir()) == ["cases.jsonl", "header.json"]


def test_a_writer_that_dies_leaves_the_sheet_of_before(tmp_path: Path) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    folder.write(map(case, "ab"), header)

    def dying() -> Iterator[EvidenceCase]:
        yield case("x")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.write(dying(), header)
    assert read(folder) == ["a", "b"]
    folder.write(map(case, "c"), header)
    assert read(folder) == ["c"]


def test_cases_of_another_build_than_the_header_are_refused(tmp_path: Path) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    before = folder.write(map(case, "ab"), header)
    folder.write(map(case, "c"), header)
    with pytest.raises(EvidenceError, match="its digest is not the one in"):
        list(folder.cases(before))


@pytest.mark.parametrize("cut", [1, 40])
def test_a_cut_sheet_is_refused(tmp_path: Path, cut: int) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    folder.write(map(case, "ab"), header)
    folder.cases_file.write_bytes(folder.cases_file.read_bytes()[:-cut])
    with pytest.raises(EvidenceError, match=r"cases.jsonl:2: the evidence sheet is damaged") as raised:
        read(folder)
    assert "beleg sheet build RUN" in (raised.value.hint or "")


def test_a_line_that_was_taken_out_is_noticed(tmp_path: Path) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    folder.write(map(case, "ab"), header)
    folder.cases_file.write_bytes(folder.cases_file.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(EvidenceError, match="digest"):
        read(folder)


def test_without_a_sheet_the_command_is_named(tmp_path: Path) -> None:
    folder = SheetFolder(tmp_path / "evidence")
    with pytest.raises(UsageError, match="holds no evidence sheet"):
        folder.header()
    folder.write((), header)
    folder.cases_file.unlink()
    with pytest.raises(EvidenceError, match="is missing"):
        read(folder)
