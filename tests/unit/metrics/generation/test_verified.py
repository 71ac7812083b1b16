from __future__ import annotations

from beleg.core.findings import ClaimFinding, Finding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.catalogue import compute
from beleg.metrics.findings import subject_digest
from beleg.metrics.generation.verified import VerifiedClaims, hallucination, verified_faithfulness
from unit.metrics.building import case, passage, trace


def found(*carried: bool) -> VerifiedClaims:
    claims = tuple(
        ClaimFinding(claim_id=str(at), claim="c", support=Support.SUPPORTED if good else Support.NOT_IN_CONTEXT)
        for at, good in enumerate(carried)
    )
    supports = tuple(0.9 if good else 0.1 for good in carried)
    return VerifiedClaims(claims=claims, supports=supports, threshold=0.5, verifier="v", claims_from="sentences")


def test_three_of_four_claims_are_three_quarters_and_one_hallucinated_answer() -> None:
    assert verified_faithfulness(found(True, True, False, True)).value == 0.75
    assert hallucination(found(True, True, False, True)).value == 1.0
    assert hallucination(found(True, True)).value == 0.0


def test_an_answer_without_claims_has_no_figure() -> None:
    assert verified_faithfulness(found()).status is ScoreStatus.NO_CLAIMS
    assert hallucination(found()).status is ScoreStatus.NO_CLAIMS


def scored(metric: str, evidence: VerifiedClaims | None) -> Score:
    attempt = trace(answer="a", delivered=(passage("d1", "t"),))
    (row,) = Batch.of([case()], [attempt]).rows
    assert isinstance(row, Row)
    findings = {}
    if evidence is not None:
        finding = Finding(
            case_id="c1",
            measure="claim_support_by_verifier",
            measure_version="1",
            evidence=evidence.to_json_dict(),
            subject_digest=subject_digest(row),
        )
        findings = {("c1", 0, "claim_support_by_verifier"): finding}
    return compute([metric], Batch.of([case()], [attempt], findings=findings))[metric].score_at(0)


def test_the_columns_read_the_findings() -> None:
    assert scored("verified_faithfulness", found(True, False)).value == 0.5
    assert scored("hallucination_rate", found(True, False)).value == 1.0
    assert scored("verified_faithfulness", None).status is ScoreStatus.MISSING
    assert scored("hallucination_rate", None).status is ScoreStatus.MISSING
