"""One metric over the cases of one check: values, what is missing, and which cases share their luck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Counts
from beleg.core.evaluation import Evaluation
from beleg.core.score import ScoreColumn, ScoreStatus


@dataclass(frozen=True, slots=True, eq=False)
class GroupColumn:
    """Scores of the cases of a check, in their order."""

    scores: ScoreColumn
    case_ids: npt.NDArray[np.object_]
    clusters: npt.NDArray[np.intp]
    """For each case a number that it shares with every case of the same session or source."""

    @classmethod
    def of(cls, evaluation: Evaluation, metric: str, members: npt.NDArray[np.intp]) -> GroupColumn:
        """The scores of some cases of a run, given by their positions."""
        return cls(
            scores=evaluation.by_case(metric).take(members),
            case_ids=evaluation.case_ids[members],
            clusters=evaluation.cluster_numbers[members],
        )

    @classmethod
    def of_rows(cls, evaluation: Evaluation, metric: str, members: npt.NDArray[np.intp]) -> GroupColumn:
        """The same with one entry per attempt, for figures whose tail a mean over repeats would hide."""
        rows = np.flatnonzero(np.isin(evaluation.row_case, members))
        owners = evaluation.row_case[rows]
        return cls(
            scores=evaluation.scores[metric].take(rows),
            case_ids=evaluation.case_ids[owners],
            clusters=evaluation.cluster_numbers[owners],
        )

    @property
    def due(self) -> npt.NDArray[np.bool_]:
        """The cases that should have a score: scored or failed, not those outside the question."""
        return self.scores.scored | self.scores.failed

    @property
    def n_scored(self) -> int:
        """How many cases have a score."""
        return len(self.scores.values)

    @property
    def n_cases(self) -> int:
        """How many cases have a score, each counted once however often it was asked."""
        return len(set(self.case_ids[self.scores.scored].tolist()))

    @property
    def n_failed(self) -> int:
        """How many cases should have a score and do not."""
        return int(np.count_nonzero(self.scores.failed))

    @property
    def coverage(self) -> float | None:
        """The share of due cases that have a score; ``None`` when no case is due."""
        due = int(np.count_nonzero(self.due))
        return self.n_scored / due if due else None

    def counts(self) -> Counts:
        """How many cases there are, how many are scored, and every reason why others are not."""
        by_status = self.scores.counts()
        return Counts(
            expected=len(self.scores),
            scored=by_status.pop(ScoreStatus.SCORED, 0),
            reasons=by_status,
        )

    def scored_values(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
        """The values of the scored cases with their clusters."""
        return self.scores.values, self.clusters[self.scores.scored]

    def bounded_values(self, stand_in: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.intp]]:
        """The values of all due cases, the failed ones at a bound, with their clusters."""
        return self.scores.filled(stand_in)[self.due], self.clusters[self.due]

    def ids(self, mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
        """The case ids at which a mask is set, each once."""
        return tuple(dict.fromkeys(self.case_ids[np.flatnonzero(mask)].tolist()))
