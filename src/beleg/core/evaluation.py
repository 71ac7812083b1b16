"""A scored run: every expected row of every metric, ready to be summarised, compared and decided on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from beleg.core.case import Case
from beleg.core.decision import StageCount
from beleg.core.run import RunHeader
from beleg.core.score import FAILED_STATUSES, STATUS_CODE, ScoreColumn, ScoreStatus


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """The scores of one run. Rows are cases times repeats; no expected row is ever left out (R6)."""

    header: RunHeader
    cases: tuple[Case, ...]
    row_case: npt.NDArray[np.intp]
    """For each row, the index of its case."""
    scores: dict[str, ScoreColumn]
    """By the printed name of the metric, such as ``ndcg@10``."""
    metric_versions: dict[str, str] = field(default_factory=dict)
    waterfall: tuple[StageCount, ...] = ()
    waterfall_cases: int = 0
    """How many cases have required evidence that can be followed."""
    filter_losses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each metadata field that a hard relevance filter names: the cases in which it removes all eligible gold."""

    def by_case(self, metric: str) -> ScoreColumn:
        """One score per case: the mean over repeats.

        A case in which a repeat failed has no score: dropping the failed repeat could raise the figure.
        """
        column = self.scores[metric]
        n_cases = len(self.cases)
        if len(column) == n_cases and np.array_equal(self.row_case, np.arange(n_cases)):
            return column
        return _fold_repeats(column, self.row_case, n_cases)


def _fold_repeats(column: ScoreColumn, row_case: npt.NDArray[np.intp], n_cases: int) -> ScoreColumn:
    status = np.full(n_cases, STATUS_CODE[ScoreStatus.MISSING], dtype=np.uint8)
    outside = ~column.scored & ~column.failed
    status[row_case[outside]] = column.status[outside]
    status[row_case[column.scored]] = STATUS_CODE[ScoreStatus.SCORED]
    for failure in sorted(FAILED_STATUSES, key=STATUS_CODE.__getitem__):
        status[row_case[column.status == STATUS_CODE[failure]]] = STATUS_CODE[failure]
    scored_case = row_case[column.scored]
    totals = np.bincount(scored_case, weights=column.values, minlength=n_cases)
    counted = np.bincount(scored_case, minlength=n_cases)
    return ScoreColumn.from_parts(totals / np.maximum(counted, 1), status)
