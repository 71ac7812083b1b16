"""Whether useful passages stand before useless ones, from a judge's verdict on each (A2)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column


class JudgedPassage(StoredModel):
    """The verdict on one delivered passage."""

    passage_id: Identifier
    useful: bool
    """Whether the passage helps to arrive at the answer that it was held against."""
    reason: str | None = None
    """Why, in the judge's words."""


class PassageUsefulness(StoredModel):
    """The evidence of ``passage_usefulness`` and ``passage_usefulness_for_answer``: all passages in their order."""

    passages: tuple[JudgedPassage, ...]


def context_precision(useful: Sequence[bool]) -> Score:
    """Mean of the precision at the rank of each useful passage.

    Formula: sum over ranks i of (useful passages among the first i / i) · [rank i is useful] / useful passages. It is
    average precision over the passages that were delivered: a useful passage that was not delivered is not missed here
    (context recall sees it). Same definition as Ragas' ContextPrecision, without the 1e-10 in its denominator.
    Range: 0 to 1, higher is better; 0 where no passage is useful, and where nothing was delivered.

    Args:
        useful: for each passage, in the order delivered, whether it is useful.

    Example:
        >>> context_precision([True, False, True]).value
        0.8333333333333333
        >>> context_precision([]).value
        0.0
    """
    hits, total = 0, 0.0
    for rank, is_useful in enumerate(useful, start=1):
        if is_useful:
            hits += 1
            total += hits / rank
    if not useful:
        return Score.of(0.0, "nothing was delivered")
    return Score.of(total / hits) if hits else Score.of(0.0, "no delivered passage is useful")


def context_precision_column(batch: Batch) -> ScoreColumn:
    """`context_precision` of every row, passages held against the reference answer.

    Undefined: where the case has no reference answer; missing where no judge was asked.
    """
    return _column(batch, "passage_usefulness")


def context_utilization_column(batch: Batch) -> ScoreColumn:
    """`context_precision` of every row, passages held against the candidate's own answer.

    It needs no reference and cannot see that the answer is wrong: passages that lead to a wrong answer count as useful.
    Undefined: missing where no judge was asked.
    """
    return _column(batch, "passage_usefulness_for_answer")


def _column(batch: Batch, measure: str) -> ScoreColumn:
    return finding_column(
        batch,
        measure,
        PassageUsefulness,
        lambda _row, found: context_precision([passage.useful for passage in found.passages]),
    )
