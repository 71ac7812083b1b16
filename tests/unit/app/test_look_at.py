"""A decision finds the claims of its worst cases, and a sheet that is stale or damaged says nothing but that."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app import look_at
from beleg.app.look_at import claims_of, report_sheet
from beleg.report.view import worst_cases
from support.q017 import evidence
from support.report_data import build_report
from support.sheet_data import reviewed, write_sheet

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


def test_the_report_gets_the_whole_sheet(run: Path) -> None:
    sheet = report_sheet(run)
    assert sheet.header is not None
    assert [each.case.case_id for each in sheet.cases] == list(NAMED)
    assert sheet.command.startswith("beleg sheet show '")


def test_what_people_decided_stands_in_the_sheet_of_the_report(run: Path, tmp_path: Path) -> None:
    first = evidence().model_copy(update={"case_id": NAMED[0]})
    reviews = tmp_path / "reviews.jsonl"
    reviews.write_text("".join(event.model_dump_json() + "\n" for event in reviewed(first)), "utf-8")
    decided = [review for each in report_sheet(run, reviews=reviews).cases for review in each.reviews]
    assert {event.action.actor for review in decided for event in review.verdicts} == {"A. Kurz", "B. Lang"}


def test_the_report_says_why_it_shows_no_sheet(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = report_sheet(tmp_path)
    assert (absent.header, absent.unreadable) == (None, None)
    assert absent.command.startswith("beleg sheet build")
    monkeypatch.setattr(look_at, "stale_parts", lambda _: ("findings",))
    assert report_sheet(run).unreadable == "findings: changed since it was built"
    monkeypatch.setattr(look_at, "stale_parts", lambda _: ())
    (run / "evidence/cases.jsonl").write_text("junk\n", "utf-8")
    damaged = report_sheet(run)
    assert damaged.header is None
    assert "digest" in str(damaged.unreadable)
