from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.stats.reliability import Binning, reliability

BOTH: list[Binning] = ["equal_width", "equal_mass"]
both = pytest.mark.parametrize("binning", BOTH)


@both
@pytest.mark.parametrize(
    ("confidences", "outcomes", "error"),
    [
        ([0.25] * 4, [1, 0, 0, 0], 0.0),
        ([0.9] * 4, [0] * 4, 0.9),
        ([0.7], [1], 0.3),
        ([1.0], [1], 0.0),
        ([0.0], [0], 0.0),
    ],
)
def test_constant_confidences_have_the_error_that_anybody_can_see(
    binning: Binning, confidences: list[float], outcomes: list[int], error: float
) -> None:
    assert reliability(confidences, outcomes, binning=binning).ece == pytest.approx(error, abs=1e-12)


def test_full_confidence_belongs_to_the_last_bin_and_no_confidence_to_the_first() -> None:
    assert reliability([0.95, 1.0], [1, 0], bins=10).ece == pytest.approx(0.475)
    found = reliability([0.0, 1.0], [0, 1], bins=10)
    assert found.lower.tolist() == [0.0, 0.9]
    assert found.empty == 8


def test_a_confidence_on_an_edge_belongs_to_the_bin_below_however_it_was_rounded() -> None:
    confidences = np.arange(1, 11) / 10
    found = reliability(confidences, confidences > 0.5, bins=10)
    assert found.counts.tolist() == [1.0] * 10
    assert found.ece == pytest.approx(0.25)
    for bins in (3, 7, 10, 15, 100):
        edges = np.arange(1, bins + 1) / bins
        assert reliability(edges, edges, bins=bins).counts.tolist() == [1.0] * bins


def test_the_brier_score_is_the_mean_squared_distance() -> None:
    assert reliability([0.1, 0.9, 0.8, 0.3], [0, 1, 1, 0]).brier == pytest.approx(0.0375)
    assert reliability([0.1, 0.9, 0.8, 0.3], [0, 1, 1, 0], binning="equal_mass").brier == pytest.approx(0.0375)


def test_the_gap_has_a_sign_and_the_largest_gap_is_that_of_one_bin() -> None:
    found = reliability([0.9] * 10 + [0.5] * 10, [1] * 5 + [0] * 5 + [1] * 5 + [0] * 5, bins=10)
    assert found.gap == pytest.approx(0.2)
    assert found.largest_gap == pytest.approx(0.4)
    assert reliability([0.2] * 4, [1] * 4).gap == pytest.approx(-0.8)


def test_bins_of_equal_mass_never_part_equal_confidences() -> None:
    confidences = [0.8] * 50 + [0.9] * 30 + [0.95] * 20
    found = reliability(confidences, [1] * 100, bins=10, binning="equal_mass")
    assert found.counts.tolist() == [50.0, 30.0, 20.0]
    assert found.upper.tolist() == [0.8, 0.9, 1.0]
    even = reliability(np.arange(100) / 100, np.ones(100), bins=10, binning="equal_mass")
    assert even.counts.tolist() == [10.0] * 10


@pytest.mark.parametrize(("n", "chance"), [(100, 0.122), (1_000, 0.038), (10_000, 0.012)])
def test_what_chance_adds_to_the_error_of_a_calibrated_source_is_told_and_taken_off(n: int, chance: float) -> None:
    # The figures of chance were measured by simulation: uniform confidences, 15 bins.
    rng = np.random.default_rng(5)
    plain, expected, debiased = [], [], []
    for _ in range(60):
        confidences = rng.random(n)
        found = reliability(confidences, rng.random(n) < confidences)
        plain.append(found.ece)
        expected.append(found.expected_when_calibrated)
        debiased.append(found.debiased_ece)
    assert np.mean(plain) == pytest.approx(chance, rel=0.06)
    assert np.mean(expected) == pytest.approx(chance, rel=0.06)
    assert np.mean(debiased) < 0.75 * np.mean(plain)


def test_a_large_true_error_is_hardly_debiased() -> None:
    rng = np.random.default_rng(6)
    found = reliability(np.full(5_000, 0.9), rng.random(5_000) < 0.5)
    assert found.debiased_ece == pytest.approx(found.ece, abs=1e-6)


def test_the_chance_of_one_bin_is_the_mean_deviation_of_a_binomial_share() -> None:
    # Two draws at 1/2: shares 0, 1/2, 1 with 1/4, 1/2, 1/4, so that the mean deviation is 1/4.
    assert reliability([0.5, 0.5], [1, 0]).expected_when_calibrated == pytest.approx(0.25)
    assert reliability([1.0, 1.0], [1, 1]).expected_when_calibrated == 0.0


def test_graded_outcomes_are_means_too() -> None:
    assert reliability([0.5, 0.5], [0.4, 0.6]).ece == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("confidences", "outcomes"),
    [([], []), ([0.5], [1, 0]), ([1.5], [1]), ([-0.1], [1]), ([float("nan")], [1]), ([0.5], [2]), ([[0.5]], [1])],
)
def test_what_is_no_share_is_refused(confidences: list[float], outcomes: list[float]) -> None:
    with pytest.raises(DataError):
        reliability(confidences, outcomes)


@pytest.mark.parametrize("bins", [0, -1, 10_001])
def test_a_number_of_bins_that_cannot_be_is_refused(bins: int) -> None:
    with pytest.raises(UsageError, match="number of bins"):
        reliability([0.5], [1], bins=bins)
