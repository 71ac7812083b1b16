"""What judges found about the claims of one answer, if it is about these very words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beleg.core.evidence import Decider
from beleg.core.findings import ClaimFinding, Finding
from beleg.core.score import Score
from beleg.metrics.batch import Row
from beleg.metrics.findings import held_evidence
from beleg.metrics.generation.claims import ClaimSupport
from beleg.metrics.generation.verified import VerifiedClaims

BY_JUDGE = "claim_support"
BY_VERIFIER = "claim_support_by_verifier"
MEASURES = (BY_JUDGE, BY_VERIFIER)
"""The measures whose findings are claims of the answer, the richer one first."""

_MAX_NAME_CHARS = 512


@dataclass(frozen=True, slots=True)
class JudgedClaims:
    """The claims with the verdict on each, and who decided."""

    claims: tuple[ClaimFinding, ...]
    decider: Decider


def judged_claims(row: Row, findings: Mapping[str, Finding]) -> JudgedClaims | Score | None:
    """The claims that a judge, else a dedicated verifier, found in the answer of a row.

    Returns:
        The reason where they were asked and there is no verdict that counts; ``None`` where nobody was asked.
    """
    reason: Score | None = None
    for measure in MEASURES:
        finding = findings.get(measure)
        if finding is None:
            continue
        found = _by_judge(row, finding) if measure == BY_JUDGE else _by_verifier(row, finding)
        if isinstance(found, JudgedClaims):
            return found
        reason = reason or found
    return reason


def _by_judge(row: Row, finding: Finding) -> JudgedClaims | Score:
    held = held_evidence(row, finding, ClaimSupport)
    if isinstance(held, Score):
        return held
    judge = finding.judge
    if judge is None:
        # Nobody was asked: nothing was delivered, and the measure itself says that no claim is in the context.
        return JudgedClaims(held.claims, Decider(kind="code", name=BY_JUDGE, version=finding.measure_version))
    return JudgedClaims(held.claims, Decider(kind="llm", name=judge.model, version=judge.digest))


def _by_verifier(row: Row, finding: Finding) -> JudgedClaims | Score:
    held = held_evidence(row, finding, VerifiedClaims)
    if isinstance(held, Score):
        return held
    reasoned = tuple(
        claim.model_copy(
            update={"rationale": claim.rationale or f"support {support:.4f}, threshold {held.threshold:g}"}
        )
        for claim, support in zip(held.claims, held.supports, strict=False)
    )
    return JudgedClaims(reasoned, Decider(kind="verifier", name=held.verifier[:_MAX_NAME_CHARS] or BY_VERIFIER))
