"""A sheet is filtered by its index as it would be by reading it; an index that does not fit is never believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.formats.parquet import read_columns, write_parquet
from beleg.app.sheet_index import FACTS, PLACES, open_index
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.evidence import EvidenceCase
from beleg.core.sheet_export import SheetFilter
from beleg.evidence.review_fold import claim_reviews
from support.q017 import evidence, output
from support.sheet_data import RUN_ID, reviewed, taken, write_sheet

NAMES = [*PLACES, *FACTS, "stamp"]


def cases() -> list[EvidenceCase]:
    english = evidence(None).model_copy(update={"case_id": "Q-018", "language": "en"})
    rows = tuple(row.model_copy(update={"claim_id": f"D-{row.claim_id}"}) for row in english.claims)
    empty = evidence((), returned=output(None)).model_copy(update={"case_id": "Q-019"})
    return [evidence(), english.model_copy(update={"claims": rows}), empty]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_sheet(tmp_path / "run", cases())


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"cases": ["Q-018", "Q-019"]},
        {"languages": ["de"]},
        {"machine": ["nobody"]},
        {"machine": ["not_supported"], "attribution": ["attached"]},
        {"human": ["nobody"]},
        {"human": ["not_supported"]},
        {"reviewers": ["A. Kurz"]},
        {"observations": ["fact_not_in_collection"]},
        {"text": "ABSENDEN"},
        {"text": "nowhere"},
    ],
)
def test_the_index_takes_what_reading_every_case_takes(run: Path, wanted: dict[str, object]) -> None:
    asked = SheetFilter.model_validate(wanted, strict=False)
    reviews = claim_reviews(RUN_ID, reviewed())
    index = open_index(run)
    found = list(index.read(index.select(asked, reviews), asked, reviews))
    assert found == [each for case in cases() if (each := taken(case, asked, reviews)) is not None]


def test_an_index_is_made_once_and_anew_when_the_sheet_changes(run: Path) -> None:
    open_index(run)
    made = run / "evidence/index.parquet"
    before = made.read_bytes()
    stamp = made.stat().st_mtime_ns
    open_index(run)
    assert made.stat().st_mtime_ns == stamp
    write_sheet(run, cases()[:1])
    index = open_index(run)
    assert len(index.select(SheetFilter(), {})) == 1
    assert made.read_bytes() != before


def test_the_same_sheet_gives_the_same_bytes(run: Path, tmp_path: Path) -> None:
    other = write_sheet(tmp_path / "other", cases())
    open_index(run)
    open_index(other)
    assert (run / "evidence/index.parquet").read_bytes() == (other / "evidence/index.parquet").read_bytes()


@pytest.mark.parametrize("junk", [b"", b"PAR1", b"not a table"])
def test_a_damaged_index_is_made_anew(run: Path, junk: bytes) -> None:
    (run / "evidence").mkdir(exist_ok=True)
    (run / "evidence/index.parquet").write_bytes(junk)
    assert len(open_index(run).select(SheetFilter(), {})) == 3


def test_an_index_that_lies_is_found_out(run: Path) -> None:
    open_index(run)
    path = run / "evidence/index.parquet"
    columns = read_columns(path, NAMES)
    columns["case_id"] = np.array(["Q-018"] * len(columns["case_id"]), dtype=object)
    write_parquet(path, columns)
    asked = SheetFilter(cases=("Q-018",))
    index = open_index(run)
    with pytest.raises(EvidenceError, match="does not fit the sheet"):
        list(index.read(index.select(asked, {}), asked, {}))


def test_places_outside_of_the_file_are_refused(run: Path) -> None:
    open_index(run)
    path = run / "evidence/index.parquet"
    columns = read_columns(path, NAMES)
    columns["start"] = columns["start"] + 5
    write_parquet(path, columns)
    index = open_index(run)
    with pytest.raises(EvidenceError, match="damaged"):
        list(index.read(index.select(SheetFilter(), {}), SheetFilter(), {}))


def test_changed_cases_are_refused_before_anything_is_shown(run: Path) -> None:
    path = run / "evidence/cases.jsonl"
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(EvidenceError, match="digest"):
        open_index(run)
    path.unlink()
    with pytest.raises(EvidenceError, match="missing"):
        open_index(run)


def test_segments_that_nobody_recorded_are_not_guessed(run: Path) -> None:
    with pytest.raises(UsageError, match="no suite"):
        open_index(run).select(SheetFilter(segments=("locale=de",)), {})


def test_what_a_killed_process_left_is_cleared_away(run: Path) -> None:
    (run / "evidence/.index.parquet.abc.partial").write_bytes(b"cut")
    open_index(run)
    assert sorted(path.name for path in (run / "evidence").iterdir()) == ["cases.jsonl", "header.json", "index.parquet"]


def test_an_empty_sheet_has_an_index_too(tmp_path: Path) -> None:
    index = open_index(write_sheet(tmp_path / "run", []))
    assert index.select(SheetFilter(), {}) == []
