from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beleg.app.judging_result import JudgingProgress, JudgingResult
from beleg.core.findings import Finding
from beleg.core.score import ScoreStatus
from support.judge_models import spec

FAILED = (ScoreStatus.INVALID, ScoreStatus.TIMEOUT, ScoreStatus.JUDGE_ERROR)


def finding(status: ScoreStatus, *calls: str) -> Finding:
    evidence = {"a": 1} if status is ScoreStatus.SCORED else None
    return Finding(
        case_id="c",
        repeat=0,
        measure="claim_support",
        measure_version="1",
        status=status,
        subject_digest="s",
        calls=calls,
        evidence=evidence,
    )


def result(*findings: Finding, **fields: Any) -> JudgingResult:
    progress = JudgingProgress(total=len(findings))
    for each in findings:
        progress.count(each)
    given: dict[str, Any] = {"run": Path("r"), "judge": spec(), "held": 0, "stopped": None, "seconds": 1.0}
    return JudgingResult(progress=progress, **given | fields)


@pytest.mark.parametrize("status", FAILED)
def test_judging_is_unfinished_where_somebody_was_asked_and_no_row_got_a_verdict(status: ScoreStatus) -> None:
    assert result(finding(status, "k"), finding(ScoreStatus.INVALID)).is_unfinished
    assert not result(finding(status, "k"), finding(ScoreStatus.SCORED, "k")).is_unfinished


def test_rows_about_which_nobody_was_asked_are_no_failure() -> None:
    assert not result(finding(ScoreStatus.INVALID), finding(ScoreStatus.MISSING, "k")).is_unfinished
    assert not result().is_unfinished
