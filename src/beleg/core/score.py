"""A score is a value or a reason, never a stand-in (design rule 1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import model_validator

from beleg.core.model import StoredModel


class ScoreStatus(StrEnum):
    """Why a score is there, or why it is not."""

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    NO_CLAIMS = "no_claims"
    MISSING = "missing"
    TIMEOUT = "timeout"
    INVALID = "invalid"
    JUDGE_ERROR = "judge_error"
    INFRA_ERROR = "infra_error"


STATUS_ORDER: tuple[ScoreStatus, ...] = tuple(ScoreStatus)
"""The fixed order by which a status is stored as a small integer in a column."""

STATUS_CODE: dict[ScoreStatus, int] = {status: code for code, status in enumerate(STATUS_ORDER)}

OUTSIDE_STATUSES = frozenset({ScoreStatus.NOT_APPLICABLE, ScoreStatus.NO_CLAIMS})
"""The question does not arise for the row: it is counted, and leaves the denominator."""

FAILED_STATUSES = frozenset(set(ScoreStatus) - OUTSIDE_STATUSES - {ScoreStatus.SCORED})
"""A score was due and is not there: the row stays in the denominator and is bounded from both sides."""


_IS_FAILED: npt.NDArray[np.bool_] = np.array([status in FAILED_STATUSES for status in STATUS_ORDER], dtype=np.bool_)


class Score(StoredModel):
    """One measured value, or the reason why there is none.

    Example:
        >>> Score.of(0.5).value
        0.5
        >>> Score.without(ScoreStatus.TIMEOUT, "no answer in 30 s").value is None
        True
    """

    status: ScoreStatus
    value: float | None = None
    detail: str | None = None

    @model_validator(mode="after")
    def _value_xor_reason(self) -> Self:
        if (self.status is ScoreStatus.SCORED) != (self.value is not None):
            raise ValueError("a score has a value exactly when its status is 'scored'")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError("a score is a finite number")
        return self

    @classmethod
    def of(cls, value: float, detail: str | None = None) -> Self:
        """A measured value."""
        return cls(status=ScoreStatus.SCORED, value=float(value), detail=detail)

    @classmethod
    def without(cls, status: ScoreStatus, detail: str | None = None) -> Self:
        """The reason why there is no value."""
        return cls(status=status, detail=detail)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumn:
    """The scores of one metric over all rows of a run, without any stand-in value.

    ``status`` has one small integer per row (see `STATUS_ORDER`); ``values`` has one float per *scored* row,
    in row order. A row without a value therefore has no number anywhere. ``details`` says why, for the rows where
    there is more to say than the status.
    """

    status: npt.NDArray[np.uint8]
    values: npt.NDArray[np.float64]
    details: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.status.ndim != 1 or self.values.ndim != 1:
            raise ValueError("status and values are one-dimensional")
        if len(self.values) != int(np.count_nonzero(self.scored)):
            raise ValueError("there must be exactly one value per scored row")
        if not np.isfinite(self.values).all():
            raise ValueError("values must be finite")

    def __len__(self) -> int:
        return len(self.status)

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Which rows have a value."""
        return np.equal(self.status, STATUS_CODE[ScoreStatus.SCORED])

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Which rows should have a value and do not."""
        return _IS_FAILED[self.status]

    def counts(self) -> dict[ScoreStatus, int]:
        """How many rows have each status; the sum is the number of rows."""
        counted = np.bincount(self.status, minlength=len(STATUS_ORDER))
        return {status: int(counted[code]) for code, status in enumerate(STATUS_ORDER) if counted[code]}

    def row_of_value(self) -> npt.NDArray[np.intp]:
        """For each row, its position in ``values``; only meaningful where the row is scored."""
        return np.cumsum(self.scored) - 1

    def take(self, rows: npt.NDArray[np.intp]) -> ScoreColumn:
        """The column restricted to some rows, in the order given."""
        status = self.status[rows]
        kept = rows[status == STATUS_CODE[ScoreStatus.SCORED]]
        details = {new: self.details[old] for new, old in enumerate(rows.tolist()) if old in self.details}
        return ScoreColumn(status=status, values=self.values[self.row_of_value()[kept]], details=details)

    def filled(self, stand_in: float) -> npt.NDArray[np.float64]:
        """All rows as numbers, the unscored ones at a bound that the caller names (for worst and best cases)."""
        full = np.full(len(self.status), stand_in, dtype=np.float64)
        full[self.scored] = self.values
        return full

    def score_at(self, row: int) -> Score:
        """The score of one row."""
        status = STATUS_ORDER[self.status[row]]
        if status is not ScoreStatus.SCORED:
            return Score.without(status, self.details.get(row))
        return Score.of(float(self.values[self.row_of_value()[row]]), self.details.get(row))

    @classmethod
    def from_scores(cls, scores: Iterable[Score]) -> ScoreColumn:
        """A column from single scores."""
        listed = list(scores)
        return cls(
            status=np.fromiter((STATUS_CODE[score.status] for score in listed), dtype=np.uint8, count=len(listed)),
            values=np.array([score.value for score in listed if score.value is not None], dtype=np.float64),
            details={row: score.detail for row, score in enumerate(listed) if score.detail is not None},
        )

    @classmethod
    def from_parts(
        cls, values: Sequence[float] | npt.NDArray[np.float64], status: npt.NDArray[np.uint8]
    ) -> ScoreColumn:
        """A column from full-length values and statuses; values of unscored rows are dropped."""
        full = np.asarray(values, dtype=np.float64)
        return cls(status=status, values=full[status == STATUS_CODE[ScoreStatus.SCORED]])
