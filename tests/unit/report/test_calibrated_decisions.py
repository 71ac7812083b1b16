"""Decisions that rest on a judge name it, in every rendering."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from beleg.core.decision import Decision, Verdict
from beleg.gating.decide import decide
from beleg.report.html import html_report
from beleg.report.markdown import markdown_report
from beleg.report.terminal import terminal_report
from beleg.report.view import ReportInput, check_views
from support.calibrations import METRIC, WHEN, judged, record, standing
from support.judge_models import spec
from unit.gating.building import policy

GOOD = [1.0] * 290 + [0.5] * 10


def decision(model: str = "judge-1", *, is_calibrated: bool = True) -> Decision:
    rules = policy({"metric": METRIC, "pass_at": 0.9, "block_at": 0.7}, require_baseline=False)
    named = spec(model=model)
    records = [record(named)] if is_calibrated else []
    run = judged(GOOD, by=standing(named))
    return decide(rules, run, None, decided_at=WHEN, beleg_version="0", calibrations=records)


def rendered(found: Decision, language: str) -> dict[str, str]:
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    console.print(terminal_report(found, language=language))
    return {
        "terminal": console.file.getvalue(),  # type: ignore[attr-defined]
        "markdown": markdown_report(found, language=language),
        "html": html_report(ReportInput(decision=found, candidate=judged(GOOD)), language=language),
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_judge_who_is_believed_has_one_line(language: str) -> None:
    found = decision()
    assert found.verdict is Verdict.PASS
    for name, text in rendered(found, language).items():
        plain = text.replace("\xa0", " ").replace("\\", "")
        assert "judge-1, 220 " in plain, name
        assert ("falsch bestanden 3 [0; 11] %" if language == "de" else "false pass 3 [0, 11] %") in plain, name


def test_the_table_of_checks_tells_the_calibration_from_the_figure() -> None:
    titles = [(view.title.en, view.candidate.en) for view in check_views(decision())]
    assert ("Faithfulness: Calibration of the judge", "not applicable") in titles
    assert sum(title == "Faithfulness" for title, _ in titles) == 1


def test_the_row_of_a_calibration_is_not_taken_for_that_of_the_figure() -> None:
    found = rendered(decision(), "en")
    for name in ("terminal", "markdown"):
        row = next(line for line in found[name].splitlines() if "Faithfulness: Calibration of the judge" in line)
        assert "not measured" not in row, name


def test_a_judge_who_is_not_is_the_first_reason() -> None:
    found = decision(is_calibrated=False)
    assert found.headline.en.endswith("not calibrated for claim_support; calibrate it with: beleg judge calibrate")
    for name, text in rendered(found, "en").items():
        assert "not calibrated for" in text, name


def test_a_hostile_name_of_a_judge_reaches_no_page_or_terminal_unescaped() -> None:
    for name, text in rendered(decision("<img src=x onerror=alert(1)>|`@all\u202e"), "en").items():
        assert name == "terminal" or "<img" not in text, name
        assert "\u202e" not in text, name
