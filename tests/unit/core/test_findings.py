from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.findings import Finding
from beleg.core.score import ScoreStatus


def finding(**fields: object) -> Finding:
    given = {"case_id": "c1", "measure": "m", "measure_version": "1", "subject_digest": "d"}
    return Finding.model_validate(given | fields)


def test_a_finding_holds_evidence_or_a_reason() -> None:
    assert finding(evidence={"claims": []}).status is ScoreStatus.SCORED
    assert finding(status=ScoreStatus.JUDGE_ERROR).evidence is None


@pytest.mark.parametrize("fields", [{}, {"status": ScoreStatus.TIMEOUT, "evidence": {}}])
def test_a_finding_holds_never_both_and_never_neither(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="exactly when"):
        finding(**fields)
