"""Whether the evidence that an answer needs was delivered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Passage, Stage
from beleg.metrics.batch import Batch, Row, passages_of
from beleg.metrics.matching import EvidenceMatcher, pieces
from beleg.metrics.ranks import list_fault, ranked_passages
from beleg.text.tokens import words


def evidence_recall_column(
    batch: Batch, *, k: int | None = None, stage: str | None = None, tokens: int | None = None
) -> ScoreColumn:
    """Share of the required evidence that stands in the top k passages, or in those that fit a budget of tokens.

    Formula: required pieces held by one of the top k passages / required pieces; alternatives of one ``any_of`` label
    are one piece. A piece is matched by document and quote, so the figure does not depend on chunking.
    Range: 0 to 1, higher is better. Undefined: when nothing is required; missing when the stage or a text that
    decides was not recorded; invalid when the order matters and the list contradicts itself.

    Args:
        batch: the run.
        k: how many passages count; ``None`` takes all that were delivered.
        stage: the ranked stage; ``None`` takes the last list there is.
        tokens: whole passages count from the top as long as all of them together hold no more word tokens than this,
            so that candidates with small and large passages can be compared at equal cost.

    Returns:
        One score per row.
    """
    chosen = None if stage is None else Stage(stage)
    limits = _Limits(k, tokens)
    return batch.column(lambda row: _evidence_recall(row, batch.matcher, limits, chosen))


def missing_evidence_column(batch: Batch, *, k: int | None = None, stage: str | None = None) -> ScoreColumn:
    """Whether any required evidence is missing from the top k passages.

    Formula: 1 where `evidence_recall_column` is below 1, else 0. Range: 0 or 1, lower is better. Undefined: as for
    `evidence_recall_column`.

    Args:
        batch: the run.
        k: how many passages count; ``None`` takes all that were delivered.
        stage: the ranked stage; ``None`` takes the last list there is.

    Returns:
        One score per row.
    """
    found = evidence_recall_column(batch, k=k, stage=stage)
    return ScoreColumn(status=found.status, values=(found.values < 1.0).astype(np.float64), details=found.details)


class _Limits(NamedTuple):
    """How much of a ranked list counts."""

    k: int | None
    tokens: int | None


def _evidence_recall(row: Row, matcher: EvidenceMatcher, limits: _Limits, stage: Stage | None) -> Score:
    needed = pieces(row.case)
    if not needed:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case requires no evidence")
    passages = passages_of(row.output, stage)
    if passages is None:
        return Score.without(ScoreStatus.MISSING, f"the stage {stage} was not recorded")
    if limits != _Limits(None, None):
        fault = list_fault(passages)
        if fault is not None:
            return Score.without(ScoreStatus.INVALID, fault)
        passages = ranked_passages(passages)[: limits.k]
    if limits.tokens is not None:
        fitting = _within(passages, matcher, limits.tokens)
        if fitting is None:
            return Score.without(ScoreStatus.MISSING, "the text of a passage that would be counted was not recorded")
        passages = fitting
    found = [matcher.any_holds(passages, piece) for piece in needed]
    if None in found:
        return Score.without(ScoreStatus.MISSING, "the text of a passage that may hold the evidence was not recorded")
    return Score.of(sum(held is True for held in found) / len(needed))


def _within(passages: Sequence[Passage], matcher: EvidenceMatcher, budget: int) -> list[Passage] | None:
    """The passages from the top that fit the budget together; ``None`` where a text that must be counted is unknown."""
    kept: list[Passage] = []
    spent = 0
    for passage in passages:
        text = matcher.text_of(passage)
        if text is None:
            return None
        spent += len(words(text))
        if spent > budget:
            break
        kept.append(passage)
    return kept
