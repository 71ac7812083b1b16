"""Agreement and curves against krippendorff and scikit-learn, which are no part of an install."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from beleg.stats.agreement_coefficients import LEVELS, Level, krippendorff_alpha
from beleg.stats.verdict_rates import roc_auc, threshold_curve, verdict_rates


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 10_000), missing=st.floats(0.0, 0.7))
def test_alpha(level: Level, seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (4, 15)).astype(np.float64)
    table[rng.random(table.shape) < missing] = np.nan
    raters, units = np.nonzero(~np.isnan(table))
    if not len(raters):
        return
    found = krippendorff_alpha(units, table[raters, units], level=level).score.value
    paired = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        assert found is None
        return
    assert found == pytest.approx(krippendorff.alpha(table, level_of_measurement=level), abs=1e-9)


@given(st.integers(0, 10_000))
def test_area_and_curve(seed: int) -> None:
    rng = np.random.default_rng(seed)
    human = np.append(rng.random(40) < 0.6, [True, False]).astype(float)
    scores = rng.integers(0, 10, 42) / 10.0 + 0.2 * human
    assert roc_auc(human, scores).estimate == pytest.approx(metrics.roc_auc_score(human, scores))
    false_pass, true_pass, thresholds = metrics.roc_curve(human, scores, drop_intermediate=False)
    ours = threshold_curve(human, scores)
    assert ours.thresholds[:-1] == pytest.approx(thresholds[:0:-1])
    assert ours.false_pass == pytest.approx(false_pass[::-1])
    assert ours.false_fail == pytest.approx(1.0 - true_pass[::-1])
    verdicts = (scores >= 0.5).astype(float)
    balanced = verdict_rates(human, verdicts).balanced_accuracy
    assert balanced is not None
    assert balanced.estimate == pytest.approx(metrics.balanced_accuracy_score(human, verdicts))
