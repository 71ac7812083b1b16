"""Two samples with their labels exchanged: what a two-sample permutation test counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.stats.inputs import FloatArray, IntArray, Labels, cluster_codes

MIN_UNITS = 4
"""Fewer rows or groups leave nothing to exchange: no p-value below 1/6 can come out."""


@dataclass(frozen=True, slots=True, eq=False)
class ExchangedLabels:
    """Members of the first sample under each exchange.

    Attributes:
        members: rows by exchanges, 1.0 where a row stands in the first sample; column 0 is how it really was.
        groups: number of groups that changed sides as one, None where rows did.
    """

    members: npt.NDArray[np.float32]
    groups: int | None

    @property
    def first_sizes(self) -> FloatArray:
        """Rows in the first sample, per exchange."""
        sizes: FloatArray = self.members.sum(axis=0, dtype=np.float64)
        return sizes


def exchanged_labels(
    first: int,
    second: int,
    *,
    permutations: int,
    rng: np.random.Generator,
    groups: Labels | None = None,
) -> ExchangedLabels:
    """The labels of two samples, exchanged at random.

    Where both samples come from one distribution, every way to share the rows out is as likely. Rows of one document or
    session are no independent draws: named as a group, they change sides together, and the groups of the first sample
    are as many in each exchange as they really were.

    Args:
        first: rows of the first sample.
        second: rows of the second one.
        permutations: how many exchanges, besides the real one.
        rng: the random generator.
        groups: a label per row, those of the first sample first; no group may stand in both.

    Returns:
        The real labels and the exchanged ones.

    Raises:
        DataError: if there are fewer than four rows or groups, a sample has none, or a group stands in both.

    Example:
        >>> made = exchanged_labels(2, 3, permutations=2, rng=np.random.default_rng(1))
        >>> made.members[:, 0].tolist(), made.first_sizes.tolist()
        ([1.0, 1.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0])
    """
    rows = first + second
    if permutations < 1:
        raise DataError(Problem(message="a permutation test exchanges at least once", field="permutations"))
    if first < 1 or second < 1:
        raise DataError(Problem(message="a sample has no rows", field="reference" if first < 1 else "current"))
    codes = np.arange(rows) if groups is None else cluster_codes(groups, rows)
    units = int(codes.max()) + 1
    is_first = np.zeros(units, dtype=bool)
    is_first[codes[:first]] = True
    _require_exchangeable(is_first, codes[first:], "rows" if groups is None else "groups")
    chosen = np.empty((units, permutations + 1), dtype=np.float32)
    chosen[:, 0] = is_first
    for column in range(1, permutations + 1):
        chosen[:, column] = rng.permutation(is_first)
    members = chosen if groups is None else chosen[codes]
    return ExchangedLabels(members=members, groups=None if groups is None else units)


def _require_exchangeable(is_first: npt.NDArray[np.bool_], second: IntArray, what: str) -> None:
    if is_first[second].any():
        raise DataError(
            Problem(
                message="a group stands in both samples, so that it cannot change sides",
                field="groups",
                remedy="Compare samples of different documents or sessions, or leave the groups out",
            )
        )
    if len(is_first) < MIN_UNITS:
        raise DataError(
            Problem(
                message=f"{len(is_first)} {what} are too few to exchange",
                field="reference" if what == "rows" else "groups",
                remedy=f"Give at least {MIN_UNITS} in both samples together",
            )
        )


def permutation_p_value(statistics: FloatArray) -> float:
    """The share of exchanges whose statistic is at least the real one, which stands first and is counted among them.

    So p is never 0: with B exchanges it is at least 1/(B+1). Source: Phipson and Smyth 2010.

    Args:
        statistics: the real value, then one for each exchange; large values speak against one distribution.

    Example:
        >>> permutation_p_value(np.array([3.0, 1.0, 3.0, 2.0]))
        0.5
    """
    return float((statistics >= statistics[0]).mean())
