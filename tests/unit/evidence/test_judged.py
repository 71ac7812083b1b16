from __future__ import annotations

from beleg.core.findings import ClaimFinding, Finding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.evidence.judged import JudgedClaims, judged_claims
from beleg.metrics.batch import Row
from beleg.metrics.findings import subject_digest
from beleg.metrics.generation.verified import VerifiedClaims
from support import q017

CASE, TRACE = q017.golden(), q017.traced(q017.output())
ROW = Row(CASE, TRACE, q017.output())


def by_verifier() -> Finding:
    claim = ClaimFinding(claim_id="1", claim="Es gilt.", support=Support.SUPPORTED)
    found = VerifiedClaims(claims=(claim,), supports=(0.91,), threshold=0.6, verifier="sha256:v", claims_from="judge")
    return Finding(
        case_id="Q-017",
        measure="claim_support_by_verifier",
        measure_version="1",
        evidence=found.to_json_dict(),
        subject_digest=subject_digest(ROW),
    )


def test_a_judge_comes_before_a_verifier() -> None:
    found = judged_claims(
        ROW, {"claim_support_by_verifier": by_verifier(), "claim_support": q017.judged(CASE, TRACE, q017.CLAIMS)}
    )
    assert isinstance(found, JudgedClaims)
    assert (found.decider.kind, found.decider.name) == ("llm", "judge-1")


def test_a_verifier_gives_its_figures_as_the_reason() -> None:
    found = judged_claims(ROW, {"claim_support_by_verifier": by_verifier()})
    assert isinstance(found, JudgedClaims)
    assert found.decider.kind == "verifier"
    assert found.claims[0].rationale == "support 0.9100, threshold 0.6"


def test_where_the_judge_gave_none_the_verifier_counts() -> None:
    failed = q017.judged(CASE, TRACE, (), status=ScoreStatus.TIMEOUT, evidence=None)
    found = judged_claims(ROW, {"claim_support": failed, "claim_support_by_verifier": by_verifier()})
    assert isinstance(found, JudgedClaims)
    alone = judged_claims(ROW, {"claim_support": failed})
    assert isinstance(alone, Score)
    assert alone.status is ScoreStatus.TIMEOUT


def test_nothing_is_asked_of_other_measures() -> None:
    assert judged_claims(ROW, {}) is None


def test_what_no_judge_was_asked_is_decided_by_the_rule() -> None:
    found = judged_claims(ROW, {"claim_support": q017.judged(CASE, TRACE, q017.CLAIMS, judge=None)})
    assert isinstance(found, JudgedClaims)
    assert found.decider.kind == "code"
