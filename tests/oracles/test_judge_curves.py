"""The curves of a judge against scikit-learn, which is no part of an install, and against Murphy's own definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, roc_curve

from beleg.judges.curves import operating_curve, reliability_curve
from beleg.stats.brier import brier_parts
from beleg.stats.reliability import reliability


def sample(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(seed)
    scores = rng.random(n)
    human = rng.random(n) < scores**1.3
    human[:2] = True, False
    return human, scores, [str(at) for at in range(n)]


@pytest.mark.parametrize("seed", range(5))
def test_bins_and_brier_score_are_those_of_scikit_learn(seed: int) -> None:
    """Where the number of items is a multiple of the bins and no scores tie, both cut at the same items."""
    human, scores, names = sample(seed, 500)
    shares, means = calibration_curve(human, scores, n_bins=10, strategy="quantile")
    curve = reliability_curve(human, scores, names, 0.95)
    np.testing.assert_allclose([each.score for each in curve.bins], means, atol=0.004)
    np.testing.assert_allclose([each.passed.value for each in curve.bins], shares, atol=0.025)
    assert curve.brier == pytest.approx(brier_score_loss(human, scores), rel=1e-12)


@given(st.integers(0, 10_000))
def test_the_errors_are_those_of_scikit_learns_roc_curve(seed: int) -> None:
    human, scores, names = sample(seed, 60)
    false_pass, true_pass, thresholds = roc_curve(human, scores, drop_intermediate=False)
    points = {each.threshold: each for each in operating_curve(human, scores, names, 0.5, 0.95).points}
    for share, hits, cut in zip(false_pass[1:], true_pass[1:], thresholds[1:], strict=True):
        assert points[cut].false_pass.value == pytest.approx(share)
        assert points[cut].false_fail.value == pytest.approx(1 - hits)


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.3, 0.5, 0.8]), st.booleans()), min_size=1, max_size=80))
def test_murphys_parts_by_counting_each_forecast(pairs: list[tuple[float, bool]]) -> None:
    """With one forecast per bin the parts are exact: summed here item by item, as Murphy (1973) defines them."""
    scores, hits = np.array([score for score, _ in pairs]), np.array([float(hit) for _, hit in pairs])
    base, n = hits.mean(), len(pairs)
    shares = {score: hits[scores == score].mean() for score in set(scores.tolist())}
    parts = brier_parts(reliability(scores, hits, bins=10))
    assert parts.reliability == pytest.approx(sum((score - shares[score]) ** 2 for score in scores) / n, abs=1e-12)
    assert parts.resolution == pytest.approx(sum((shares[score] - base) ** 2 for score in scores) / n, abs=1e-12)
    assert parts.uncertainty == pytest.approx(base * (1 - base), abs=1e-12)
    assert parts.within_bins == pytest.approx(0.0, abs=1e-12)
