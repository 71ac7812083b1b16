"""Figures over the claims of an answer, each with its verdict (A1)."""

from __future__ import annotations

from beleg.core.findings import ClaimFinding, Support
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column


class ClaimSupport(StoredModel):
    """The evidence of the measure ``claim_support``: every claim of an answer with its verdict."""

    claims: tuple[ClaimFinding, ...]


def faithfulness(found: ClaimSupport) -> Score:
    """Share of the claims of an answer that the delivered passages carry in full.

    Formula: supported claims / all claims, with the same meaning as Ragas' Faithfulness; a claim that is supported only
    in part, contradicted, or not in the context counts as not supported. Range: 0 to 1, higher is better. Undefined
    (``no_claims``) for an answer that makes no claim.

    Example:
        >>> claims = [ClaimFinding(claim_id=str(i), claim="c", support=Support.SUPPORTED) for i in range(3)]
        >>> claims.append(ClaimFinding(claim_id="3", claim="c", support=Support.CONTRADICTED))
        >>> faithfulness(ClaimSupport(claims=tuple(claims))).value
        0.75
    """
    if not found.claims:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim")
    supported = sum(claim.support is Support.SUPPORTED for claim in found.claims)
    return Score.of(supported / len(found.claims))


def faithfulness_column(batch: Batch) -> ScoreColumn:
    """`faithfulness` of every row, from what a judge found; missing where none was asked."""
    return finding_column(batch, "claim_support", ClaimSupport, lambda _row, found: faithfulness(found))
