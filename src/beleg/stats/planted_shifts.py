"""What an alarm is worth: how often it goes off on shifts that were planted, and where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from beleg.core.errors import DataError, Problem
from beleg.stats.inputs import FloatArray, require_between
from beleg.stats.intervals import Interval, clopper_pearson
from beleg.stats.kernel_two_sample import Vectors

DriftTest = Callable[[Vectors, Vectors, np.random.Generator], float]
"""The p-value of a two-sample test for a reference and a current window."""


class ShiftKind(StrEnum):
    """What happens to the vectors of a window."""

    NONE = "none"
    """Nothing: every alarm is a false one."""
    MEAN = "mean"
    """All move the same way, by ``size`` standard deviations of a vector around its mean."""
    MIXTURE = "mixture"
    """A share ``size`` of them is replaced by vectors around one point of the reference: a topic grows."""
    SPREAD = "spread"
    """Their distance from the mean grows by ``size`` of itself."""
    NOISE = "noise"
    """Each gets noise of its own of ``size`` standard deviations: another version of tokeniser or precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedShift:
    """One known change."""

    kind: ShiftKind
    size: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmRate:
    """How often the alarm went off on one planted shift.

    Attributes:
        shift: what was planted.
        alarms: windows with a p-value of at most ``alpha``.
        windows: windows that were looked at.
        rate: the exact two-sided interval of the share of alarms.
    """

    shift: PlantedShift
    alarms: int
    windows: int
    rate: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmTerms:
    """How windows are drawn and when the alarm goes off.

    Attributes:
        window: rows of each of the two windows.
        windows: how often each shift is planted.
        alpha: the alarm goes off at a p-value of at most this.
        confidence: two-sided confidence of the rates.
    """

    window: int
    windows: int
    alpha: float = 0.05
    confidence: float = 0.95


def plant(window: Vectors, shift: PlantedShift, rng: np.random.Generator) -> FloatArray:
    """A window with a known change in it.

    Sizes count in the root mean square distance of the window's vectors from their mean, so that they mean the same in
    any number of dimensions.

    Args:
        window: rows by dimensions.
        shift: what to plant.
        rng: the random generator.

    Returns:
        The changed window, in float64.

    Raises:
        DataError: if the size is negative or not finite, or a share is above 1.

    Example:
        >>> moved = plant(np.zeros((2, 3)) + [[1.0], [-1.0]], PlantedShift(kind=ShiftKind.SPREAD, size=1.0),
        ...               np.random.default_rng(1))
        >>> moved[:, 0].tolist()
        [2.0, -2.0]
    """
    limit = 1.0 if shift.kind is ShiftKind.MIXTURE else np.inf
    if not (np.isfinite(shift.size) and 0.0 <= shift.size <= limit):
        raise DataError(
            Problem(message=f"a shift of this kind has a size from 0 to {limit:g}", field="size", value=str(shift.size))
        )
    vectors = np.array(window, dtype=np.float64)
    centre = vectors.mean(axis=0)
    spread = float(np.sqrt(np.square(vectors - centre).sum(axis=1).mean()))
    match shift.kind:
        case ShiftKind.NONE:
            return vectors
        case ShiftKind.MEAN:
            direction = rng.normal(size=vectors.shape[1])
            moved: FloatArray = vectors + shift.size * spread * direction / np.linalg.norm(direction)
            return moved
        case ShiftKind.SPREAD:
            wider: FloatArray = centre + (1.0 + shift.size) * (vectors - centre)
            return wider
        case ShiftKind.NOISE:
            per_dimension = shift.size * spread / np.sqrt(vectors.shape[1])
            noisy: FloatArray = vectors + rng.normal(scale=per_dimension, size=vectors.shape)
            return noisy
        case ShiftKind.MIXTURE:
            return _with_topic(vectors, shift.size, spread, rng)


def _with_topic(vectors: FloatArray, share: float, spread: float, rng: np.random.Generator) -> FloatArray:
    replaced = rng.permutation(len(vectors))[: round(share * len(vectors))]
    around = vectors[rng.integers(len(vectors))]
    near = 0.1 * spread / np.sqrt(vectors.shape[1])
    vectors[replaced] = around + rng.normal(scale=near, size=(len(replaced), vectors.shape[1]))
    return vectors


def alarm_rates(
    reference: Vectors,
    shifts: Sequence[PlantedShift],
    test: DriftTest,
    terms: AlarmTerms,
    rng: np.random.Generator,
) -> tuple[AlarmRate, ...]:
    """How often a drift alarm goes off on known shifts (M4).

    For each shift, two windows that share no row are drawn from the reference, the shift is planted in the second, and
    the test is asked. `ShiftKind.NONE` gives the rate of false alarms, which is to be at most ``alpha``; the others
    tell how large a shift has to be before a window of this size shows it. An alarm that was never seen to go off
    proves nothing by its silence.

    Args:
        reference: vectors without drift.
        shifts: what to plant.
        test: the p-value of the alarm's test.
        terms: how windows are drawn, and when the alarm goes off.
        rng: the random generator.

    Returns:
        One rate for each shift, in their order.

    Raises:
        DataError: if the reference has fewer rows than two windows, or a setting is out of range.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> def always(*_: object) -> float:
        ...     return 0.0
        >>> terms = AlarmTerms(window=10, windows=5)
        >>> found = alarm_rates(rng.normal(size=(20, 2)), [PlantedShift(kind=ShiftKind.NONE)], always, terms, rng)
        >>> found[0].alarms, found[0].windows
        (5, 5)
    """
    _require_room(reference, terms)
    found = []
    for shift in shifts:
        alarms = 0
        for _ in range(terms.windows):
            drawn = rng.permutation(len(reference))[: 2 * terms.window]
            current = plant(reference[drawn[terms.window :]], shift, rng)
            alarms += test(reference[drawn[: terms.window]], current, rng) <= terms.alpha
        rate = clopper_pearson(alarms, terms.windows, terms.confidence)
        found.append(AlarmRate(shift=shift, alarms=alarms, windows=terms.windows, rate=rate))
    return tuple(found)


def _require_room(reference: Vectors, terms: AlarmTerms) -> None:
    require_between("alpha", terms.alpha, 0.0, 1.0)
    if terms.windows < 1 or terms.window < 2:
        raise DataError(Problem(message="at least one window of at least two rows is needed", field="windows"))
    if reference.ndim != 2 or len(reference) < 2 * terms.window:
        raise DataError(
            Problem(
                message=f"two windows of {terms.window} rows do not fit into the reference",
                field="reference",
                value=f"shape {reference.shape}",
                remedy="Give a longer reference, or a smaller window",
            )
        )
