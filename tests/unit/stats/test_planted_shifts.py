"""What is planted has the size that was asked for, and alarms are counted on it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from beleg.core.errors import DataError
from beleg.stats.classifier_two_sample import classifier_test
from beleg.stats.kernel_two_sample import Vectors, mmd_test
from beleg.stats.planted_shifts import AlarmTerms, PlantedShift, ShiftKind, alarm_rates, plant

WINDOW: npt.NDArray[np.float64] = np.random.default_rng(1).normal(size=(2_000, 8)) + 3.0


def spread(window: npt.NDArray[np.float64]) -> float:
    """The root mean square distance from the mean."""
    return float(np.sqrt(np.square(window - window.mean(axis=0)).sum(axis=1).mean()))


def planted(kind: ShiftKind, size: float) -> npt.NDArray[np.float64]:
    return plant(WINDOW, PlantedShift(kind=kind, size=size), np.random.default_rng(2))


def test_nothing_planted_is_the_same_window() -> None:
    assert (planted(ShiftKind.NONE, 0.0) == WINDOW).all()


def test_a_shift_of_the_mean_moves_every_vector_by_its_size() -> None:
    moved = np.linalg.norm(planted(ShiftKind.MEAN, 0.5) - WINDOW, axis=1)
    assert moved == pytest.approx(np.full(len(WINDOW), 0.5 * spread(WINDOW)))


def test_a_wider_spread_keeps_the_mean() -> None:
    wider = planted(ShiftKind.SPREAD, 0.25)
    assert spread(wider) == pytest.approx(1.25 * spread(WINDOW))
    assert wider.mean(axis=0) == pytest.approx(WINDOW.mean(axis=0))


def test_noise_adds_its_own_variance() -> None:
    assert spread(planted(ShiftKind.NOISE, 1.0)) == pytest.approx(np.sqrt(2.0) * spread(WINDOW), rel=0.03)


def test_a_topic_replaces_its_share() -> None:
    changed = (planted(ShiftKind.MIXTURE, 0.1) != WINDOW).any(axis=1)
    assert changed.sum() == 200


@pytest.mark.parametrize(
    ("kind", "size"), [(ShiftKind.MEAN, -1.0), (ShiftKind.MIXTURE, 1.5), (ShiftKind.NOISE, np.nan)]
)
def test_a_size_out_of_range_is_refused(kind: ShiftKind, size: float) -> None:
    with pytest.raises(DataError, match="size"):
        planted(kind, size)


def mmd(reference: Vectors, current: Vectors, rng: np.random.Generator) -> float:
    return mmd_test(reference, current, permutations=39, rng=rng).p_value


def classifier(reference: Vectors, current: Vectors, rng: np.random.Generator) -> float:
    return classifier_test(reference, current, permutations=39, rng=rng).p_value


def test_alarms_go_off_on_large_shifts_and_seldom_on_none() -> None:
    shifts = [
        PlantedShift(kind=ShiftKind.NONE),
        PlantedShift(kind=ShiftKind.MEAN, size=1.0),
        PlantedShift(kind=ShiftKind.SPREAD, size=1.0),
    ]
    by_mmd, by_classifier = (
        alarm_rates(WINDOW, shifts, test, AlarmTerms(window=60, windows=60), np.random.default_rng(3))
        for test in (mmd, classifier)
    )
    assert [rate.windows for rate in by_mmd] == [60, 60, 60]
    assert max(by_mmd[0].alarms, by_classifier[0].alarms) <= 8
    assert by_mmd[1].alarms == by_classifier[1].alarms == 60
    assert by_mmd[1].rate.lower > 0.9
    # What the guide says of both: a change of spread alone is for the discrepancy.
    assert by_mmd[2].alarms == 60
    assert by_classifier[2].alarms <= 12


def test_a_reference_that_does_not_hold_two_windows_is_refused() -> None:
    with pytest.raises(DataError, match="do not fit"):
        alarm_rates(WINDOW[:9], [], mmd, AlarmTerms(window=5, windows=1), np.random.default_rng(1))
