"""Which units of information an answer holds: the nugget scores of TREC RAG (A7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]

NuggetFlavour = Literal["strict_vital", "vital", "strict_all", "all", "weighted", "weighted_strict"]
NUGGET_FLAVOURS: tuple[NuggetFlavour, ...] = (
    "strict_vital",
    "vital",
    "strict_all",
    "all",
    "weighted",
    "weighted_strict",
)

OKAY_WEIGHT = {
    "strict_vital": 0.0,
    "vital": 0.0,
    "strict_all": 1.0,
    "all": 1.0,
    "weighted": 0.5,
    "weighted_strict": 0.5,
}
"""What an okay nugget weighs beside a vital one, which weighs 1."""

PARTIAL_CREDIT = {
    "strict_vital": 0.0,
    "vital": 0.5,
    "strict_all": 0.0,
    "all": 0.5,
    "weighted": 0.5,
    "weighted_strict": 0.0,
}
"""What a nugget counts that the answer holds in part."""

HELD, HELD_IN_PART, NOT_HELD = 2, 1, 0


class Assignment(StrEnum):
    """Whether an answer holds a nugget."""

    SUPPORT = "support"
    PARTIAL_SUPPORT = "partial_support"
    NOT_SUPPORT = "not_support"


ASSIGNMENT_CODE = {Assignment.SUPPORT: HELD, Assignment.PARTIAL_SUPPORT: HELD_IN_PART, Assignment.NOT_SUPPORT: NOT_HELD}


class NuggetFinding(StoredModel):
    """The verdict on one nugget."""

    nugget_id: Identifier
    text: str
    vital: bool
    assignment: Assignment
    quote: str | None = None
    """The words of the answer that carry the verdict."""
    rationale: str | None = None


class NuggetAssignment(StoredModel):
    """The evidence of the measure ``nugget_assignment``: every nugget of the case with its verdict."""

    nuggets: tuple[NuggetFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NuggetColumns:
    """The nuggets of many answers: whose each is, whether it is vital, and whether the answer holds it."""

    answers: int
    answer: IntArray
    vital: npt.NDArray[np.bool_]
    held: npt.NDArray[np.int8]
    """`HELD`, `HELD_IN_PART` or `NOT_HELD` for each nugget."""

    def __post_init__(self) -> None:
        if not len(self.answer) == len(self.vital) == len(self.held):
            raise ValueError("there must be one answer, one importance and one verdict per nugget")


def nugget_counts(columns: NuggetColumns, flavour: NuggetFlavour) -> tuple[FloatArray, FloatArray]:
    """For each answer the credit and the weight of its nuggets; the score is credit / weight where there is weight.

    A nugget weighs 1 when it is vital and `OKAY_WEIGHT` when it is okay, and brings its weight when the answer holds
    it, `PARTIAL_CREDIT` of it when it holds it in part. ``strict_vital``, ``vital``, ``strict_all`` and ``all`` are
    those of the TREC 2024 and 2025 RAG tracks (Pradeep et al. 2025), ``weighted`` is that of the initial report of 2024
    (Pradeep et al. 2024).

    Args:
        columns: the nuggets.
        flavour: the rules.

    Example:
        >>> columns = NuggetColumns(answers=1, answer=np.zeros(4, dtype=np.intp),
        ...     vital=np.array([True, True, False, False]), held=np.array([2, 1, 2, 0], dtype=np.int8))
        >>> [float(credit[0] / weight[0]) for credit, weight in (nugget_counts(columns, "vital"),
        ...                                                      nugget_counts(columns, "all"))]
        [0.75, 0.625]
    """
    weight = np.where(columns.vital, 1.0, OKAY_WEIGHT[flavour])
    credit = weight * np.array([0.0, PARTIAL_CREDIT[flavour], 1.0])[columns.held]
    found = (np.bincount(columns.answer, weights=part, minlength=columns.answers) for part in (credit, weight))
    summed_credit, summed_weight = (np.asarray(part, dtype=np.float64) for part in found)
    return summed_credit, summed_weight


def nugget_columns(answers: Sequence[NuggetAssignment]) -> NuggetColumns:
    """The evidence of many answers as columns for the kernel."""
    listed = [(at, nugget) for at, answer in enumerate(answers) for nugget in answer.nuggets]
    return NuggetColumns(
        answers=len(answers),
        answer=np.array([at for at, _ in listed], dtype=np.intp),
        vital=np.array([nugget.vital for _, nugget in listed], dtype=np.bool_),
        held=np.array([ASSIGNMENT_CODE[nugget.assignment] for _, nugget in listed], dtype=np.int8),
    )


def nugget_score(found: NuggetAssignment, flavour: NuggetFlavour) -> Score:
    """The nugget score of one answer; see `nugget_counts`. The score of a run is the mean over its cases.

    Range: 0 to 1, higher is better. Undefined: for a case without nuggets and, in the vital flavours, for one without
    vital nuggets. Such a case says nothing about the answer and leaves the mean.

    Example:
        >>> nugget = NuggetFinding(nugget_id="1", text="n", vital=True, assignment=Assignment.PARTIAL_SUPPORT)
        >>> nugget_score(NuggetAssignment(nuggets=(nugget,)), "vital").value
        0.5
    """
    if not found.nuggets:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no nuggets")
    credit, weight = nugget_counts(nugget_columns([found]), flavour)
    if not weight[0]:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no vital nugget")
    return Score.of(float(credit[0] / weight[0]))


def nugget_score_column(batch: Batch, *, flavour: NuggetFlavour) -> ScoreColumn:
    """`nugget_score` of every row, from what a judge found; missing where none was asked."""
    return finding_column(
        batch, "nugget_assignment", NuggetAssignment, lambda _row, found: nugget_score(found, flavour)
    )
