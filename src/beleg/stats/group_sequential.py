"""Looking more than once without letting a chance finding decide: spending functions and the levels that follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.distributions import normal_cdf, normal_quantile
from beleg.stats.inputs import FloatArray, finite_vector

Spending = Literal["pocock", "obrien_fleming"]

NODES = 320
"""Points of the Gauss-Legendre rule between two looks; with steps of 2 % and more, doubling them moves no level by
1e-9."""

REACH = 9.0
"""How many standard deviations of the statistic are integrated over; what lies beyond is below 1e-18."""

LEAST_LEVEL = 1e-12
"""Less than this is no level by which anything could be decided, and counts as none."""

_ERF = np.vectorize(math.erfc, otypes=[np.float64])


def pocock_spending(fraction: float, alpha: float) -> float:
    """How much of alpha may be spent by the time a fraction of the information is there, about evenly at every look.

    Formula: ``alpha * ln(1 + (e - 1) t)``. Source: Lan and DeMets 1983.
    Range: 0 at t = 0 to alpha at t = 1.

    Args:
        fraction: the share t of the information, from 0 to 1.
        alpha: the one-sided error in all.

    Raises:
        DataError: if the fraction lies outside [0, 1] or alpha outside (0, 0.5).

    Example:
        >>> round(pocock_spending(0.5, 0.05), 5)
        0.03101
    """
    _require(fraction, alpha)
    return alpha * math.log1p((math.e - 1.0) * fraction)


def obrien_fleming_spending(fraction: float, alpha: float) -> float:
    """The same, next to nothing at early looks: only an overwhelming finding stops early.

    Formula: ``2 - 2 Phi(z / sqrt(t))`` with ``z`` the upper alpha/2 point of the normal law. Source: Lan and DeMets
    1983.
    Range: 0 at t = 0 to alpha at t = 1.

    Args:
        fraction: the share t of the information, from 0 to 1.
        alpha: the one-sided error in all.

    Raises:
        DataError: if the fraction lies outside [0, 1] or alpha outside (0, 0.5).

    Example:
        >>> round(obrien_fleming_spending(0.5, 0.05), 5)
        0.00557
    """
    _require(fraction, alpha)
    if fraction == 0.0:
        return 0.0
    return math.erfc(-normal_quantile(alpha / 2.0) / math.sqrt(2.0 * fraction))


SPENDING: dict[Spending, Callable[[float, float], float]] = {
    "pocock": pocock_spending,
    "obrien_fleming": obrien_fleming_spending,
}
"""The spending functions by name."""


def nominal_levels(fractions: Sequence[float] | FloatArray, alpha: float, spending: Spending) -> FloatArray:
    """The one-sided level of each look, so that the chance that any look finds what is not there stays alpha.

    Formula: with ``B`` the standard Brownian motion at the fractions ``t_k`` and ``Z_k = B(t_k) / sqrt(t_k)``, the
    bounds ``c_k`` solve ``P(Z_j <= c_j for all j < k, Z_k > c_k) = s(t_k) - s(t_(k-1))``; the level is
    ``1 - Phi(c_k)``. Solved by integration from look to look. Source: Armitage, McPherson and Rowe 1969; Lan and
    DeMets 1983.
    Range: 0 to alpha; a look at which next to nothing is spent gets 0 and decides nothing. Undefined: never.

    Args:
        fractions: the share of all information that is there at each look, rising, the last one 1.
        alpha: the one-sided error in all.
        spending: how alpha is spread over the looks.

    Returns:
        One level per look.

    Raises:
        DataError: if the fractions do not rise to 1, or alpha lies outside (0, 0.5).

    Example:
        >>> nominal_levels([0.2, 0.4, 0.6, 0.8, 1.0], 0.025, "obrien_fleming").round(5).tolist()
        [0.0, 0.00039, 0.00368, 0.01102, 0.02113]
        >>> nominal_levels([1.0], 0.05, "pocock").round(6).tolist()
        [0.05]
    """
    return np.array(_levels(tuple(_rising(fractions).tolist()), alpha, spending))


@lru_cache(maxsize=4_096)
def _levels(times: tuple[float, ...], alpha: float, spending: Spending) -> tuple[float, ...]:
    spent = [SPENDING[spending](min(time, 1.0), alpha) for time in times]
    walk = _Walk()
    return tuple(walk.look(time, more) for time, more in zip(times, np.diff([0.0, *spent]).tolist(), strict=True))


@lru_cache(maxsize=1)
def _rule() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return nodes, weights


class _Walk:
    """The law of the statistic over all paths that no look has stopped yet, on a grid."""

    def __init__(self) -> None:
        self._time = 0.0
        self._at: FloatArray = np.zeros(1)
        self._mass: FloatArray = np.ones(1)
        """Density times quadrature weight: sums over it are integrals."""

    def look(self, time: float, spent: float) -> float:
        """Spends so much at this time, and returns the nominal level that does."""
        step = math.sqrt(time - self._time)
        if spent < LEAST_LEVEL:
            bound, level = REACH * math.sqrt(time), 0.0
        else:
            bound = self._bound(step, spent, time)
            level = 1.0 - normal_cdf(bound / math.sqrt(time))
        self._move(bound, step, time)
        return level

    def _bound(self, step: float, spent: float, time: float) -> float:
        low, high = -REACH * math.sqrt(time), REACH * math.sqrt(time)
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._beyond(middle, step) > spent else (low, middle)
        return 0.5 * (low + high)

    def _beyond(self, bound: float, step: float) -> float:
        """The chance to be beyond a bound after a step, without having been stopped before."""
        tails = 0.5 * _ERF((bound - self._at) / (step * math.sqrt(2.0)))
        return float(self._mass @ tails)

    def _move(self, bound: float, step: float, time: float) -> None:
        nodes, weights = _rule()
        start = -REACH * math.sqrt(time)
        half = 0.5 * (bound - start)
        at = start + half * (nodes + 1.0)
        apart = (at[:, None] - self._at[None, :]) / step
        density = np.exp(-0.5 * apart**2) @ self._mass / (step * math.sqrt(2.0 * math.pi))
        self._time, self._at, self._mass = time, at, density * weights * half


def _rising(fractions: Sequence[float] | FloatArray) -> npt.NDArray[np.float64]:
    times = finite_vector("fractions", fractions)
    if times[0] <= 0.0 or bool((np.diff(times) <= 0.0).any()) or abs(float(times[-1]) - 1.0) > 1e-9:
        raise DataError(
            Problem(
                message="the shares of information must rise from above 0 to exactly 1",
                field="fractions",
                value=shown(times.tolist()),
            )
        )
    return times


def _require(fraction: float, alpha: float) -> None:
    if not 0.0 <= fraction <= 1.0:
        raise DataError(Problem(message="a share lies between 0 and 1", field="fraction", value=shown(fraction)))
    if not 0.0 < alpha < 0.5:
        raise DataError(Problem(message="alpha must lie between 0 and 0.5", field="alpha", value=shown(alpha)))
