"""Long sheets become several pages, each whole in itself, and a folder that cannot be written is read all the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beleg.app import sheet_index
from beleg.app.sheet_views import export_sheet, sheet_view, shown_lines, shown_page
from beleg.core.errors import UsageError
from support.q017 import evidence
from support.sheet_data import write_sheet


@pytest.fixture
def run(tmp_path: Path) -> Path:
    cases = []
    for number in range(120):
        rows = tuple(row.model_copy(update={"claim_id": f"{row.claim_id}-{number}"}) for row in evidence().claims)
        cases.append(evidence().model_copy(update={"case_id": f"Q-{number}", "claims": rows}))
    return write_sheet(tmp_path / "run", cases)


def test_a_long_sheet_is_paged_and_every_claim_is_on_one_page(run: Path, tmp_path: Path) -> None:
    written = export_sheet(sheet_view(run), tmp_path / "sheet.html", kind="html")
    assert [path.name for path in written.paths] == ["sheet.html", "sheet-2.html", "sheet-3.html"]
    pages = [path.read_text("utf-8") for path in written.paths]
    assert [len(re.findall('<li class="claim"', page)) for page in pages] == [200, 200, 80]
    assert 'rel="next" href="sheet-2.html"' in pages[0]
    assert 'rel="prev" href="sheet-2.html"' in pages[2]
    assert 'rel="next"' not in pages[2]


def test_the_terminal_shows_the_first_answers_and_says_that_there_are_more(run: Path) -> None:
    lines = list(shown_lines(shown_page(sheet_view(run), limit=2), "de"))
    assert lines[0] == "Nachweisblatt von run-1: 480 Aussagen, 120 Antworten"
    assert lines[-1] == "Weitere Antworten passen; --limit 4 zeigt mehr davon."


def test_an_index_that_cannot_be_stored_is_held(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise UsageError("cannot write")

    monkeypatch.setattr(sheet_index, "write_parquet", refuse)
    assert sheet_view(run).claims == 480
    assert not (run / "evidence/index.parquet").exists()
