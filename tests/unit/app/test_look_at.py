"""A decision finds the claims of its worst cases, and a sheet that is stale or damaged says nothing but that."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app import look_at
from beleg.app.look_at import claims_of
from beleg.report.view import worst_cases
from support.q017 import evidence
from support.report_data import build_report
from support.sheet_data import write_sheet

DECISION = build_report().decision
NAMED = worst_cases(DECISION, limit=2)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(look_at, "stale_parts", lambda _: ())
    return write_sheet(tmp_path / "a run", [evidence().model_copy(update={"case_id": name}) for name in NAMED])


def test_claims_of_the_worst_cases_are_found_and_the_command_can_be_copied(run: Path) -> None:
    found = claims_of(DECISION, run)
    assert found is not None
    assert [case.case_id for case in found.cases] == list(NAMED)
    assert found.command.startswith("beleg sheet show '")
    assert found.unreadable is None


def test_where_no_sheet_was_built_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert claims_of(DECISION, tmp_path) is None


def test_a_stale_sheet_is_not_believed(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_at, "stale_parts", lambda _: ("traces",))
    found = claims_of(DECISION, run)
    assert found is not None
    assert found.cases == ()
    assert found.unreadable == "traces: changed since it was built"
    assert found.command.startswith("beleg sheet build")


def test_a_damaged_sheet_is_named_and_stops_no_decision(run: Path) -> None:
    (run / "evidence/cases.jsonl").write_text("junk\n", "utf-8")
    found = claims_of(DECISION, run)
    assert found is not None
    assert found.unreadable is not None
    assert "digest" in found.unreadable
