"""Embedding drift beside scikit-learn: the kernel's sums, and a discriminant that was cross-validated elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import roc_auc_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold, cross_val_predict

from beleg.stats.classifier_two_sample import classifier_test
from beleg.stats.kernel_two_sample import mmd_test


@pytest.mark.parametrize(("rows", "dimensions", "shift"), [(50, 4, 0.0), (300, 32, 0.2), (700, 384, 0.05)])
def test_the_discrepancy_is_that_of_scikit_learns_kernel(rows: int, dimensions: int, shift: float) -> None:
    rng = np.random.default_rng(rows)
    reference, current = rng.normal(size=(rows, dimensions)), rng.normal(loc=shift, size=(rows // 2, dimensions))
    found = mmd_test(reference, current, permutations=19, rng=rng)
    gamma = 1.0 / (2.0 * found.bandwidth**2)
    m, n = rows, rows // 2
    within = (rbf_kernel(reference, gamma=gamma).sum() - m) / (m * (m - 1))
    other = (rbf_kernel(current, gamma=gamma).sum() - n) / (n * (n - 1))
    between = rbf_kernel(reference, current, gamma=gamma).mean()
    assert found.squared_mmd == pytest.approx(within + other - 2 * between, abs=1e-6)


@pytest.mark.parametrize(("dimensions", "shift"), [(4, 0.5), (32, 0.2), (128, 0.15)])
def test_the_classifier_does_as_well_as_scikit_learns_discriminant(dimensions: int, shift: float) -> None:
    rng = np.random.default_rng(dimensions)
    rows = np.concatenate([rng.normal(size=(900, dimensions)), rng.normal(loc=shift, size=(900, dimensions))])
    labels = np.repeat([0, 1], 900)
    scores = cross_val_predict(
        LinearDiscriminantAnalysis(),
        rows,
        labels,
        cv=KFold(5, shuffle=True, random_state=1),
        method="decision_function",
    )
    ours = classifier_test(rows[:900], rows[900:], permutations=19, rng=rng)
    # Other folds, and in ours a ridge: two honest estimates of the same chance.
    assert ours.auc == pytest.approx(roc_auc_score(labels, scores), abs=0.02)
