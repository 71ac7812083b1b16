"""Reliability bins and errors against scikit-learn and plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from beleg.stats.reliability import Binning, reliability


def sample(seed: int, n: int = 4_000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    confidences = np.concatenate([rng.beta(5, 2, n // 2), rng.integers(0, 101, n // 2) / 100])
    return confidences, rng.random(len(confidences)) < confidences**1.4


@pytest.mark.parametrize("bins", [5, 10, 15, 20])
@pytest.mark.parametrize("seed", range(3))
def test_bins_of_equal_width_are_those_of_scikit_learn(bins: int, seed: int) -> None:
    confidences, outcomes = sample(seed)
    # Away from the edges: there scikit-learn compares with linspace, whose steps are rounded.
    inside = np.abs(confidences * bins - np.rint(confidences * bins)) > 1e-6
    confidences, outcomes = confidences[inside], outcomes[inside]
    accuracy, mean = calibration_curve(outcomes, confidences, n_bins=bins, strategy="uniform")
    found = reliability(confidences, outcomes, bins=bins)
    np.testing.assert_allclose(found.accuracy, accuracy, rtol=1e-12)
    np.testing.assert_allclose(found.confidence, mean, rtol=1e-12)


def test_bins_of_equal_mass_are_those_of_scikit_learn_where_there_are_no_ties() -> None:
    rng = np.random.default_rng(4)
    confidences = rng.random(3_000)
    outcomes = rng.random(3_000) < confidences
    accuracy, mean = calibration_curve(outcomes, confidences, n_bins=10, strategy="quantile")
    found = reliability(confidences, outcomes, bins=10, binning="equal_mass")
    np.testing.assert_allclose(found.accuracy, accuracy, atol=0.004)
    np.testing.assert_allclose(found.confidence, mean, atol=0.001)


@pytest.mark.parametrize("binning", ["equal_width", "equal_mass"])
def test_the_brier_score_is_that_of_scikit_learn(binning: Binning) -> None:
    confidences, outcomes = sample(9)
    found = reliability(confidences, outcomes, binning=binning)
    assert found.brier == pytest.approx(brier_score_loss(outcomes, confidences), rel=1e-12)


@pytest.mark.parametrize("bins", [4, 15])
def test_the_error_is_that_of_counting_bin_by_bin(bins: int) -> None:
    confidences, outcomes = sample(7)
    total = 0.0
    for number in range(bins):
        lower, upper = number / bins, (number + 1) / bins
        held = (confidences > lower) & (confidences <= upper) | ((number == 0) & (confidences == 0.0))
        if held.any():
            total += abs(float(confidences[held].sum()) - float(outcomes[held].sum()))
    assert reliability(confidences, outcomes, bins=bins).ece == pytest.approx(total / len(confidences), rel=1e-9)
