from __future__ import annotations

from typing import Any

import pytest

from beleg.core.findings import Finding
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.findings import finding_column, subject_digest
from unit.metrics.building import case, listed, trace


class Count(StoredModel):
    n: int


def batch(*findings: Finding, answer: str = "yes") -> Batch:
    attempt = trace(answer=answer, delivered=listed("d1"))
    return Batch.of([case()], [attempt], findings={(one.case_id, one.repeat, one.measure): one for one in findings})


def row(of: Batch) -> Row:
    (only,) = of.rows
    assert isinstance(only, Row)
    return only


def finding(**fields: object) -> Finding:
    digest = subject_digest(row(batch()))
    given = {"case_id": "c1", "measure": "count", "measure_version": "1", "subject_digest": digest}
    return Finding.model_validate(given | fields)


def scored(of: Batch) -> ScoreColumn:
    return finding_column(of, "count", Count, lambda _row, found: Score.of(found.n))


def test_a_score_is_computed_from_the_evidence() -> None:
    assert scored(batch(finding(evidence={"n": 3}))).score_at(0).value == 3


def test_a_row_that_nobody_judged_is_missing() -> None:
    assert scored(batch()).score_at(0).status is ScoreStatus.MISSING
    assert scored(batch(finding(measure="other", evidence={"n": 3}))).score_at(0).status is ScoreStatus.MISSING


def test_a_judge_that_gave_no_verdict_leaves_its_reason() -> None:
    score = scored(batch(finding(status=ScoreStatus.JUDGE_ERROR, detail="quota"))).score_at(0)
    assert (score.status, score.detail) == (ScoreStatus.JUDGE_ERROR, "quota")


def test_a_finding_about_other_words_counts_for_nothing() -> None:
    score = scored(batch(finding(evidence={"n": 3}), answer="no")).score_at(0)
    assert score.status is ScoreStatus.MISSING
    assert "judge it again" in (score.detail or "")


@pytest.mark.parametrize("fields", [{"evidence": {"n": 3}}, {"status": ScoreStatus.NO_CLAIMS}])
def test_a_finding_of_another_version_of_the_measure_counts_for_nothing(fields: dict[str, Any]) -> None:
    score = scored(batch(finding(measure_version="0", **fields))).score_at(0)
    assert score.status is ScoreStatus.MISSING
    assert "judged by another version of the measure (0, now 1); judge it again" in (score.detail or "")


def test_damaged_evidence_is_invalid() -> None:
    assert scored(batch(finding(evidence={"n": "many"}))).score_at(0).status is ScoreStatus.INVALID


def test_the_digest_of_a_row_is_computed_once() -> None:
    only = row(batch())
    assert subject_digest(only) is subject_digest(only)
