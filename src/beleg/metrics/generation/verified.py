"""Figures over claims that a dedicated verifier checked (A3)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beleg.core.findings import ClaimFinding, Support
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

NO_CLAIMS = Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim")


class VerifiedClaims(StoredModel):
    """The evidence of the measure ``claim_support_by_verifier``."""

    claims: tuple[ClaimFinding, ...]
    supports: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    """The verifier's probability for each claim, in the same order."""
    threshold: Annotated[float, Field(gt=0, lt=1)]
    """From where on a claim counted as carried."""
    verifier: str
    """The digest of the verifier."""
    claims_from: Literal["sentences", "judge"]
    """Whether the claims are the sentences of the answer, or what a judge split it into."""


def verified_faithfulness(found: VerifiedClaims) -> Score:
    """Share of the claims of an answer whose support by a dedicated verifier reaches its threshold.

    Formula: claims at or above the threshold / all claims, as Ragas' FaithfulnesswithHHEM counts; there the threshold
    is 0.5, here it comes from a calibration. Range: 0 to 1, higher is better. Undefined (``no_claims``) for an answer
    that makes no claim.

    Example:
        >>> yes = ClaimFinding(claim_id="1", claim="c", support=Support.SUPPORTED)
        >>> no = ClaimFinding(claim_id="2", claim="d", support=Support.NOT_IN_CONTEXT)
        >>> found = VerifiedClaims(
        ...     claims=(yes, no), supports=(0.9, 0.2), threshold=0.5, verifier="x", claims_from="sentences"
        ... )
        >>> verified_faithfulness(found).value, hallucination(found).value
        (0.5, 1.0)
    """
    if not found.claims:
        return NO_CLAIMS
    return Score.of(sum(claim.support is Support.SUPPORTED for claim in found.claims) / len(found.claims))


def hallucination(found: VerifiedClaims) -> Score:
    """1 when any claim of an answer is not carried, else 0; its mean over answers is the hallucination rate.

    Lower is better. Undefined (``no_claims``) for an answer that makes no claim.
    """
    if not found.claims:
        return NO_CLAIMS
    return Score.of(float(any(claim.support is not Support.SUPPORTED for claim in found.claims)))


def verified_faithfulness_column(batch: Batch) -> ScoreColumn:
    """`verified_faithfulness` of every row; missing where no verifier was asked."""
    return finding_column(
        batch, "claim_support_by_verifier", VerifiedClaims, lambda _row, found: verified_faithfulness(found)
    )


def hallucination_rate_column(batch: Batch) -> ScoreColumn:
    """`hallucination` of every row; missing where no verifier was asked."""
    return finding_column(batch, "claim_support_by_verifier", VerifiedClaims, lambda _row, found: hallucination(found))
