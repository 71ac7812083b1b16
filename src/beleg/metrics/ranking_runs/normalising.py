"""Scores of different lanes brought to one scale, query by query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.metrics.ranking_runs.order import ranks
from beleg.metrics.ranking_runs.table import FloatArray, Table

Norm = Literal["minmax", "zscore", "rank", "max", "sum", "none"]
Missing = Literal["zero", "lowest"]

NORMS: tuple[Norm, ...] = get_args(Norm)
MISSING: tuple[Missing, ...] = get_args(Missing)
DEFAULT_MISSING: dict[Norm, Missing] = {
    "minmax": "zero", "zscore": "lowest", "rank": "zero", "max": "zero", "sum": "zero", "none": "zero",
}  # fmt: skip
"""What a document counts that a lane did not return. A z-score of 0 is an average document, not a missing one."""

_BELOW_ZERO_BEATEN: tuple[Norm, ...] = ("max", "none")


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """The scores of one lane on the common scale."""

    value: FloatArray
    """One for every row of the lane."""
    floor: FloatArray
    """One for every query: what a document counts that the lane did not return."""


def normalise(lane: Table, norm: Norm, *, missing: Missing | None = None, name: str = "the lane") -> Scaled:
    """Brings the scores of every query of a lane to one scale.

    Formulas, over the scores s of one query, n of them, r the rank in the one order:

    * ``minmax``: (s - min) / (max - min), from 0 to 1.
    * ``zscore``: (s - mean) / sd, sd over n (ranx calls it zmuv).
    * ``rank``: 1 - (r - 1) / n, above 0 up to 1.
    * ``max``: s / max, up to 1; needs a score above 0.
    * ``sum``: (s - min) / sum of all (s - min), from 0 to 1.
    * ``none``: s.

    A list whose scores are all the same (one document alone is such a list) shows no order, only that its documents
    were found: each of them counts 1 (``sum``: 1/n), a document that is not in it 0, so that what was returned does not
    become equal to what was not. Under ``rank`` this holds for one document alone; ``none`` changes nothing.

    Args:
        lane: the scores.
        norm: which formula.
        missing: ``zero`` counts 0 for a document that the lane did not return, ``lowest`` as much as the lowest that
            it did return for the query; the default is `DEFAULT_MISSING`. A lane without the query counts 0.
        name: of the lane, for errors.

    Returns:
        The scaled scores, and what a missing document counts for every query.

    Raises:
        DataError: naming lane, query and document for an infinite score (save for ``rank``), for a query without a
            score above 0 under ``max``, and for a score below 0 under ``max`` or ``none`` where a missing document
            would count 0 and so beat it.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> lane = table_from_mapping({"q1": {"a": 4.0, "b": 3.0, "c": 2.0}, "q2": {"a": 9.0}})
        >>> normalise(lane, "minmax").value.tolist()
        [1.0, 0.5, 0.0, 1.0]
    """
    rule = missing or DEFAULT_MISSING[norm]
    lists = _Lists.of(lane)
    if norm == "rank":
        value = 1.0 - (ranks(lane) - 1) / lists.spread(lists.size)
    else:
        _require_finite(lane, name)
        value = _FORMULAS[norm](lists, name)
    floor = np.zeros(len(lane.queries))
    if rule == "lowest":
        floor[lists.number] = lists.reduce(np.minimum, value)
        if norm != "none":
            floor[lists.number[lists.size == 1 if norm == "rank" else lists.is_constant]] = 0.0
    elif norm in _BELOW_ZERO_BEATEN:
        _require_none_below_zero(lane, name)
    return Scaled(value, floor)


@dataclass(frozen=True, slots=True, eq=False)
class _Lists:
    """The lists of a lane that hold a document, with what the formulas share."""

    table: Table
    number: npt.NDArray[np.int64]
    """The queries that have a list."""
    size: npt.NDArray[np.int64]
    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, table: Table) -> _Lists:
        sizes = np.diff(table.offsets)
        number = np.flatnonzero(sizes)
        starts = table.offsets[number]
        if not len(number):
            return cls(table, number, sizes[number], np.empty(0), np.empty(0))
        low, high = np.minimum.reduceat(table.value, starts), np.maximum.reduceat(table.value, starts)
        return cls(table, number, sizes[number], low, high)

    @property
    def is_constant(self) -> npt.NDArray[np.bool_]:
        """Which lists have no two different scores."""
        return np.asarray(self.low == self.high)

    def spread(self, of_list: FloatArray | npt.NDArray[np.int64]) -> FloatArray:
        """A figure of every list on each of its rows."""
        return np.repeat(of_list.astype(np.float64), self.size)

    def reduce(self, by: np.ufunc, value: FloatArray) -> FloatArray:
        """A figure of every list from its rows."""
        if not len(self.number):
            return np.empty(0)
        return np.asarray(by.reduceat(value, self.table.offsets[self.number]), dtype=np.float64)

    def above_low(self, name: str) -> FloatArray:
        """From 0 for the lowest score of a list to 1 for its highest; 0 where all are the same."""
        with np.errstate(over="ignore"):
            span = self.high - self.low
        if not np.isfinite(span).all():
            query = self.table.queries[self.number[np.flatnonzero(~np.isfinite(span))[0]]]
            raise DataError(
                Problem(
                    message=f"the scores of query {shown(query)} in {name} lie too far apart to be subtracted",
                    remedy="Fuse by rank: rrf, or the normalisation rank",
                )
            )
        above = self.table.value - self.spread(self.low)
        return np.asarray(above / self.spread(np.where(span > 0.0, span, 1.0)), dtype=np.float64)

    def unless_constant(self, value: FloatArray, otherwise: FloatArray) -> FloatArray:
        """The values, with a figure of the list in place of those of lists without an order."""
        return np.where(np.repeat(self.is_constant, self.size), self.spread(otherwise), value)


def _minmax(lists: _Lists, name: str) -> FloatArray:
    return lists.unless_constant(lists.above_low(name), np.ones(len(lists.number)))


def _zscore(lists: _Lists, name: str) -> FloatArray:
    # A z-score is the same for scores that were first brought to 0..1, and no square can vanish there.
    above = lists.above_low(name)
    centred = above - lists.spread(lists.reduce(np.add, above) / lists.size)
    deviation = np.sqrt(lists.reduce(np.add, centred**2) / lists.size)
    value = centred / lists.spread(np.where(lists.is_constant, 1.0, deviation))
    return lists.unless_constant(value, np.ones(len(lists.number)))


def _by_max(lists: _Lists, name: str) -> FloatArray:
    without = np.flatnonzero((lists.high <= 0.0) & ~lists.is_constant)
    if len(without):
        query = lists.table.queries[lists.number[without[0]]]
        raise DataError(
            Problem(
                message=f"query {shown(query)} has no score above 0 in {name}, which max normalisation divides by",
                value=shown(float(lists.high[without[0]])),
                remedy="Take minmax, zscore or rank",
            )
        )
    value = lists.table.value / lists.spread(np.where(lists.is_constant, 1.0, lists.high))
    return lists.unless_constant(value, np.ones(len(lists.number)))


def _by_sum(lists: _Lists, name: str) -> FloatArray:
    above = lists.above_low(name)
    total = np.where(lists.is_constant, 1.0, lists.reduce(np.add, above))
    return lists.unless_constant(above / lists.spread(total), 1.0 / lists.size)


def _raw(lists: _Lists, name: str) -> FloatArray:
    return lists.table.value


_FORMULAS: dict[Norm, Callable[[_Lists, str], FloatArray]] = {
    "minmax": _minmax,
    "zscore": _zscore,
    "max": _by_max,
    "sum": _by_sum,
    "none": _raw,
}


def _require_finite(lane: Table, name: str) -> None:
    infinite = np.flatnonzero(~np.isfinite(lane.value))
    if len(infinite):
        remedy = "Fuse by rank: rrf, or the normalisation rank"
        raise DataError(_about(lane, int(infinite[0]), f"an infinite score in {name} cannot be normalised", remedy))


def _require_none_below_zero(lane: Table, name: str) -> None:
    below = np.flatnonzero(lane.value < 0.0)
    if len(below):
        message = f"a score below 0 in {name} would count less than a document that {name} did not return"
        remedy = "Take minmax, zscore or rank, or let a missing document count as the lowest"
        raise DataError(_about(lane, int(below[0]), message, remedy))


def _about(lane: Table, row: int, message: str, remedy: str) -> Problem:
    query = lane.queries[int(np.searchsorted(lane.offsets, row, side="right")) - 1]
    document = lane.documents[row].decode("utf-8", "replace")
    return Problem(
        message=f"{message}: query {shown(query)}, document {shown(document)}",
        field="score",
        value=shown(float(lane.value[row])),
        remedy=remedy,
    )
