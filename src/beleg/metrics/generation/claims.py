"""Figures over the claims of an answer, each with its verdict (A1)."""

from __future__ import annotations

from collections.abc import Callable

from beleg.core.findings import ClaimFinding, Support
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column, valid_evidence


class ClaimSupport(StoredModel):
    """The evidence of the measure ``claim_support``: every claim of an answer with its verdict."""

    claims: tuple[ClaimFinding, ...]


def faithfulness(found: ClaimSupport) -> Score:
    """Share of the claims of an answer that the delivered passages carry in full.

    Formula: supported claims / all claims, with the same meaning as Ragas' Faithfulness; a claim that is supported only
    in part, contradicted, or not in the context counts as not supported. Where nothing was delivered, no claim is in
    the context and the score is 0. Range: 0 to 1, higher is better. Undefined (``no_claims``) for an answer that makes
    no claim.

    Example:
        >>> claims = [ClaimFinding(claim_id=str(i), claim="c", support=Support.SUPPORTED) for i in range(3)]
        >>> claims.append(ClaimFinding(claim_id="3", claim="c", support=Support.CONTRADICTED))
        >>> faithfulness(ClaimSupport(claims=tuple(claims))).value
        0.75
    """
    return _share(found, lambda claim: claim.support is Support.SUPPORTED)


def contradicted_claims(found: ClaimSupport) -> Score:
    """Share of the claims that the delivered passages speak against.

    Formula: contradicted claims / all claims. Range: 0 to 1, lower is better; 0 says nothing of claims that no passage
    speaks of. Undefined (``no_claims``) for an answer that makes no claim.

    Example:
        >>> claim = ClaimFinding(claim_id="1", claim="c", support=Support.CONTRADICTED)
        >>> contradicted_claims(ClaimSupport(claims=(claim,))).value
        1.0
    """
    return _share(found, lambda claim: claim.support is Support.CONTRADICTED)


def claims_not_in_context(found: ClaimSupport) -> Score:
    """Share of the claims of which no delivered passage says whether they are so.

    Formula: claims not in the context / all claims. Range: 0 to 1, lower is better. Undefined (``no_claims``) for an
    answer that makes no claim.

    Example:
        >>> claim = ClaimFinding(claim_id="1", claim="c", support=Support.NOT_IN_CONTEXT)
        >>> claims_not_in_context(ClaimSupport(claims=(claim,))).value
        1.0
    """
    return _share(found, lambda claim: claim.support is Support.NOT_IN_CONTEXT)


def partly_supported_claims(found: ClaimSupport) -> Score:
    """Share of the claims that the delivered passages carry only in part.

    Formula: partially supported claims / all claims. Range: 0 to 1, lower is better. Undefined (``no_claims``) for an
    answer that makes no claim.

    Example:
        >>> claim = ClaimFinding(claim_id="1", claim="c", support=Support.PARTIALLY_SUPPORTED)
        >>> partly_supported_claims(ClaimSupport(claims=(claim,))).value
        1.0
    """
    return _share(found, lambda claim: claim.support is Support.PARTIALLY_SUPPORTED)


def flagged_claims(found: ClaimSupport) -> Score:
    """Share of the claims called supported in full or in part against which a deterministic check found something.

    A flag is a number, unit, name or negation of the claim that its quote does not hold. The verdict stands; the flag
    tells a person where to look first. Formula: such claims / all claims. Range: 0 to 1, lower is better. Undefined
    (``no_claims``) for an answer that makes no claim.

    Example:
        >>> claim = ClaimFinding(claim_id="1", claim="30 days", support=Support.SUPPORTED, flags=("number: 30",))
        >>> flagged_claims(ClaimSupport(claims=(claim,))).value
        1.0
    """
    carried = {Support.SUPPORTED, Support.PARTIALLY_SUPPORTED}
    return _share(found, lambda claim: claim.support in carried and bool(claim.flags))


def claim_count(found: ClaimSupport) -> Score:
    """How many claims the answer makes. Neither high nor low is better.

    Undefined (``no_claims``) for an answer that makes none.

    Example:
        >>> claim_count(ClaimSupport(claims=())).status.value
        'no_claims'
    """
    return Score.of(len(found.claims)) if found.claims else _no_claims()


def faithfulness_column(batch: Batch) -> ScoreColumn:
    """`faithfulness` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, faithfulness)


def contradicted_claims_column(batch: Batch) -> ScoreColumn:
    """`contradicted_claims` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, contradicted_claims)


def claims_not_in_context_column(batch: Batch) -> ScoreColumn:
    """`claims_not_in_context` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, claims_not_in_context)


def partly_supported_claims_column(batch: Batch) -> ScoreColumn:
    """`partly_supported_claims` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, partly_supported_claims)


def flagged_claims_column(batch: Batch) -> ScoreColumn:
    """`flagged_claims` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, flagged_claims)


def claim_count_column(batch: Batch) -> ScoreColumn:
    """`claim_count` of every row, from what a judge found; missing where none was asked."""
    return _column(batch, claim_count)


def claims_by_case(batch: Batch) -> dict[str, tuple[ClaimFinding, ...]]:
    """For each case the claims of all its answers with their verdicts; a case whose verdicts do not count is absent."""
    found: dict[str, list[ClaimFinding]] = {}
    for row in batch.rows:
        held = None if isinstance(row, Score) else valid_evidence(batch, row, "claim_support", ClaimSupport)
        if isinstance(row, Score) or held is None or isinstance(held, Score):
            continue
        found.setdefault(row.case.case_id, []).extend(held.claims)
    return {case_id: tuple(claims) for case_id, claims in found.items()}


def _share(found: ClaimSupport, counts: Callable[[ClaimFinding], bool]) -> Score:
    if not found.claims:
        return _no_claims()
    return Score.of(sum(map(counts, found.claims)) / len(found.claims))


def _no_claims() -> Score:
    return Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim")


def _column(batch: Batch, score: Callable[[ClaimSupport], Score]) -> ScoreColumn:
    return finding_column(batch, "claim_support", ClaimSupport, lambda _row, found: score(found))
