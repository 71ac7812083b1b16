"""How an answer relates its facts: what verifying claims one by one cannot see (A4).

An answer that tells true facts in a false order, or joins them by a false cause, has only supported claims. Source of
the deception: MontageLie (Zheng et al., 2025).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from beleg.core.findings import ClaimFinding, Support
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.findings import finding_column
from beleg.metrics.generation.claims import ClaimSupport
from beleg.text.normalise import fold_typography

RelationKind = Literal["order", "cause", "condition", "comparison", "other"]

MAX_CLAIMS_OF_PASSAGE = 1_000
"""More claims on one passage are not compared pair by pair."""


class RelationFinding(StoredModel):
    """One relation that the answer states between facts, with its verdict."""

    kind: RelationKind
    words: str
    """The words of the answer that state it."""
    finding: ClaimFinding
    """The relation as a sentence of its own, with the verdict on it."""


class RelationSupport(StoredModel):
    """The evidence of the measure ``claim_relations``: every relation that an answer states."""

    relations: tuple[RelationFinding, ...]


def relation_support(found: RelationSupport) -> Score:
    """Share of the relations between facts that the delivered passages carry.

    Relations are orders in time, causes, conditions and comparisons. Formula: supported relations / relations. Range: 0
    to 1, higher is better. Undefined (``no_claims``) for an answer that states no relation.

    Example:
        >>> claim = ClaimFinding(claim_id="1", claim="A came before B.", support=Support.CONTRADICTED)
        >>> stated = RelationFinding(kind="order", words="then", finding=claim)
        >>> relation_support(RelationSupport(relations=(stated,))).value
        0.0
    """
    if not found.relations:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer states no relation between facts")
    supported = sum(relation.finding.support is Support.SUPPORTED for relation in found.relations)
    return Score.of(supported / len(found.relations))


def claim_order_agreement(found: ClaimSupport, texts: Mapping[str, str]) -> Score:
    """Share of the pairs of claims that the answer tells in the order of their passage.

    Formula: pairs of supported claims whose quotes stand in the same passage at different places, in the same order as
    in the answer / all such pairs. An answer may have good reason to tell things in another order; the figure only says
    that somebody should look. Range: 0 to 1. Undefined (``not_applicable``) without such a pair.

    Args:
        found: the claims in the order in which the answer makes them.
        texts: the text of each delivered passage.
    """
    agreeing, pairs = 0, 0
    for places in _places(found, texts).values():
        later = np.triu(np.ones((len(places), len(places)), dtype=np.bool_), k=1)
        steps = np.array(places)[None, :] - np.array(places)[:, None]
        agreeing += int(np.count_nonzero(later & (steps > 0)))
        pairs += int(np.count_nonzero(later & (steps != 0)))
    if pairs == 0:
        return Score.without(
            ScoreStatus.NOT_APPLICABLE, "no two claims are quoted from different places of one passage"
        )
    return Score.of(agreeing / pairs)


def unseen_reordering(found: ClaimSupport, texts: Mapping[str, str]) -> Score:
    """1 where every claim is supported and some stand in another order than in their passage, else 0.

    Faithfulness is 1 for such an answer whether the order matters or not: claims one by one do not show it.
    The flag tells where `relation_support` or a person has to look. Lower is better. Undefined as in
    `claim_order_agreement`.

    Args:
        found: the claims in the order in which the answer makes them.
        texts: the text of each delivered passage.
    """
    agreement = claim_order_agreement(found, texts)
    if agreement.value is None:
        return agreement
    all_supported = all(claim.support is Support.SUPPORTED for claim in found.claims)
    return Score.of(float(all_supported and agreement.value < 1))


def relation_support_column(batch: Batch) -> ScoreColumn:
    """`relation_support` of every row; missing where no judge was asked."""
    return finding_column(batch, "claim_relations", RelationSupport, lambda _row, found: relation_support(found))


def claim_order_agreement_column(batch: Batch) -> ScoreColumn:
    """`claim_order_agreement` of every row; missing where no judge was asked."""
    return finding_column(
        batch, "claim_support", ClaimSupport, lambda row, found: claim_order_agreement(found, _texts(row))
    )


def unseen_reordering_column(batch: Batch) -> ScoreColumn:
    """`unseen_reordering` of every row; missing where no judge was asked."""
    return finding_column(
        batch, "claim_support", ClaimSupport, lambda row, found: unseen_reordering(found, _texts(row))
    )


def _texts(row: Row) -> dict[str, str]:
    return {passage.passage_id: passage.text or "" for passage in row.output.final_passages()}


def _places(found: ClaimSupport, texts: Mapping[str, str]) -> dict[str, list[int]]:
    """Where the quote of each supported claim stands, by passage, in the order of the answer."""
    folded: dict[str, str] = {}
    places: dict[str, list[int]] = {}
    for claim in found.claims:
        if claim.support is not Support.SUPPORTED or not claim.quotes:
            continue
        quote = claim.quotes[0]
        text = folded.setdefault(quote.passage_id, fold_typography(texts.get(quote.passage_id, "")))
        place = text.find(fold_typography(quote.text))
        listed = places.setdefault(quote.passage_id, [])
        if place >= 0 and len(listed) < MAX_CLAIMS_OF_PASSAGE:
            listed.append(place)
    return places
