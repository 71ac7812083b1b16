"""How far wrong claims come from the delivered passages: noise that the generator did not withstand (A2)."""

from __future__ import annotations

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column


class TracedClaim(StoredModel):
    """One claim of the answer, with the passages that carry it."""

    claim_id: Identifier
    claim: str
    in_reference: bool
    """Whether the reference answer carries it; a claim that it does not carry counts as wrong."""
    passages: tuple[Identifier, ...] = ()
    """The delivered passages that carry it."""


class TracedClaims(StoredModel):
    """The evidence of the measure ``claims_by_passage``."""

    claims: tuple[TracedClaim, ...]
    relevant: tuple[Identifier, ...]
    """The delivered passages that carry at least one claim of the reference answer."""


def noise_sensitivity(found: TracedClaims, mode: str = "relevant") -> Score:
    """Share of the claims of an answer that are wrong and stem from delivered passages.

    Formula: in mode ``relevant``, claims that the reference does not carry and a relevant passage does / all claims; in
    mode ``irrelevant``, claims that the reference does not carry, an irrelevant passage does and no relevant one does /
    all claims. A passage is relevant where it carries a claim of the reference. Same definition as Ragas'
    NoiseSensitivity. Range: 0 to 1, lower is better. Undefined: ``no_claims`` for an answer that makes none,
    ``not_applicable`` where nothing was delivered (the measure says so).

    Example:
        >>> claim = TracedClaim(claim_id="1", claim="c", in_reference=False, passages=("p1",))
        >>> noise_sensitivity(TracedClaims(claims=(claim,), relevant=("p1",))).value
        1.0
        >>> noise_sensitivity(TracedClaims(claims=(claim,), relevant=("p1",)), "irrelevant").value
        0.0
    """
    if not found.claims:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim")
    relevant = set(found.relevant)
    wrong = [set(claim.passages) for claim in found.claims if not claim.in_reference]
    misled = sum(bool(carried & relevant) for carried in wrong)
    if mode == "irrelevant":
        misled = sum(bool(carried) and not carried & relevant for carried in wrong)
    return Score.of(misled / len(found.claims))


def noise_sensitivity_column(batch: Batch, *, mode: str = "relevant") -> ScoreColumn:
    """`noise_sensitivity` of every row.

    Undefined: where the case has no reference answer or nothing was delivered; missing where no judge was asked.
    """
    return finding_column(batch, "claims_by_passage", TracedClaims, lambda _row, found: noise_sensitivity(found, mode))
