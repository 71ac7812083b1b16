"""A classifier tells windows apart where their means differ, and holds its rate of false alarms."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.stats.classifier_two_sample import classifier_test


def test_windows_far_apart_are_told_apart_always() -> None:
    rng = np.random.default_rng(1)
    found = classifier_test(rng.normal(size=(40, 3)), rng.normal(loc=50.0, size=(30, 3)), permutations=99, rng=rng)
    assert (found.auc, found.p_value) == (1.0, 0.01)
    assert (found.n_reference, found.n_current, found.folds) == (40, 30, 5)


def test_the_auc_of_a_shift_along_one_axis_nears_its_closed_form() -> None:
    # Two normals a distance d apart: AUC = Phi(d / sqrt 2) = 0.760 for d = 1.
    rng = np.random.default_rng(2)
    old, new = rng.normal(size=(4_000, 2)), rng.normal(loc=(1.0, 0.0), size=(4_000, 2))
    assert classifier_test(old, new, permutations=1, rng=rng).auc == pytest.approx(0.7602, abs=0.016)


def test_the_rate_of_false_alarms_is_held() -> None:
    rng = np.random.default_rng(3)
    ps = [
        classifier_test(rng.normal(size=(14, 3)), rng.normal(size=(11, 3)), permutations=39, rng=rng).p_value
        for _ in range(400)
    ]
    assert 0.017 <= np.mean(np.array(ps) <= 0.05) <= 0.083
    assert min(ps) >= 1 / 40


def test_documents_are_held_out_and_exchanged_as_one() -> None:
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(16), 6)
    alarms = 0
    for _ in range(150):
        rows = np.repeat(rng.normal(size=(16, 2)), 6, axis=0) + 0.1 * rng.normal(size=(96, 2))
        alarms += (
            classifier_test(rows[:48], rows[48:], permutations=39, rng=rng, groups=groups.tolist()).p_value <= 0.05
        )
    assert alarms / 150 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


def test_more_dimensions_than_rows_are_no_obstacle() -> None:
    rng = np.random.default_rng(5)
    found = classifier_test(rng.normal(size=(10, 50)), rng.normal(loc=2.0, size=(10, 50)), permutations=99, rng=rng)
    assert found.p_value == 0.01


def test_windows_of_one_vector_cannot_be_told_apart() -> None:
    same = np.full((6, 2), 0.5)
    found = classifier_test(same, same, permutations=19, rng=np.random.default_rng(1))
    assert (found.auc, found.p_value) == (0.5, 1.0)


@pytest.mark.parametrize("folds", [0, 1, 9])
def test_more_parts_than_rows_are_refused(folds: int) -> None:
    with pytest.raises(DataError, match="cannot be dealt"):
        classifier_test(np.zeros((4, 1)), np.ones((4, 1)), permutations=9, rng=np.random.default_rng(1), folds=folds)
