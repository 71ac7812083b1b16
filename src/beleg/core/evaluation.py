"""A scored run: every expected row of every metric, ready to be summarised, compared and decided on."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from beleg.core.calibration import JudgeStanding
from beleg.core.case import Case
from beleg.core.decision import StageCount
from beleg.core.findings import ClaimFinding
from beleg.core.policy_rules import RecordedPlace
from beleg.core.run import RunHeader
from beleg.core.score import FAILED_STATUSES, STATUS_CODE, ScoreColumn, ScoreStatus
from beleg.core.ties import tied_groups


@dataclass(frozen=True, kw_only=True, eq=False)
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
    """How many rows (cases times repeats) have required evidence that can be followed."""
    suite_cases: int | None = None
    """How many cases the whole suite has; ``None`` where the run covers all of it."""
    is_fast_subset: bool = False
    """Whether the cases are the stratified subset that anybody can choose again."""
    final_stage: str = "delivered"
    """Which list ranked metrics measured: what was delivered to the generator, or the last list before that."""
    traces_digest: str | None = None
    """The content address of the traces."""
    findings_digest: str | None = None
    """The content address of what judges found out; ``None`` where nobody judged."""
    inventory_digest: str | None = None
    models_answered: tuple[str, ...] = ()
    """Every model that answered, as its provider names it, in order of name."""
    answers_without_model: int = 0
    """Answers of which nobody recorded the model that gave them."""
    normalisation: str | None = None
    """The normal forms of text by which the run was scored."""
    filter_losses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """For each metadata field that a hard relevance filter names: the cases in which it removes all eligible gold."""
    judges: dict[str, JudgeStanding] = field(default_factory=dict)
    """For each metric that rests on a judge: who stands behind it."""
    human: dict[str, ScoreColumn] = field(default_factory=dict)
    """For metrics that people scored in this very run: their scores, missing where nobody looked."""
    claims: dict[str, tuple[ClaimFinding, ...]] = field(default_factory=dict)
    """For each case the claims of its answers with the verdict of a machine, where a decision needs them."""
    unrecorded: dict[RecordedPlace, tuple[str, ...]] = field(default_factory=dict)
    """For each place of a trace the cases in which it was not recorded, where a decision needs that."""

    def by_case(self, metric: str) -> ScoreColumn:
        """One score per case: the mean over repeats.

        A case in which a repeat failed has no score: dropping the failed repeat could raise the figure.
        """
        if metric not in self._folded:
            column, n_cases = self.scores[metric], len(self.cases)
            one_row_each = len(column) == n_cases and np.array_equal(self.row_case, np.arange(n_cases))
            self._folded[metric] = column if one_row_each else _fold_repeats(column, self.row_case, n_cases)
        return self._folded[metric]

    def human_by_case(self, metric: str) -> ScoreColumn | None:
        """What people said, one score per case; ``None`` where nobody was asked. A case counts where all repeats do."""
        column = self.human.get(metric)
        return None if column is None else _fold_repeats(column, self.row_case, len(self.cases))

    @cached_property
    def cluster_numbers(self) -> npt.NDArray[np.intp]:
        """For each case a number that it shares with every case tied to it by a session or a source, over any chain."""
        return tied_groups([case.ties() for case in self.cases])

    @cached_property
    def case_ids(self) -> npt.NDArray[np.object_]:
        """The ids of the cases, in their order."""
        return np.array([case.case_id for case in self.cases], dtype=np.object_)

    @cached_property
    def _folded(self) -> dict[str, ScoreColumn]:
        return {}


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
