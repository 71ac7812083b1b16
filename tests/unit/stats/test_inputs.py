from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.stats.inputs import binary_scaled, cluster_codes, finite_vector, require_finite


def test_a_number_that_is_not_finite_is_named_with_its_place_and_the_remedy() -> None:
    with pytest.raises(DataError, match=r"field 'scores': the value at position 1 is not finite \(found nan\)\. Keep"):
        finite_vector("scores", [0.5, float("nan")])
    with pytest.raises(DataError, match="position 0, 1"):
        require_finite("columns", np.array([[0.0, np.inf]]))


def test_nothing_and_tables_are_no_list_of_scores() -> None:
    with pytest.raises(DataError, match="there is no value"):
        finite_vector("scores", [])
    with pytest.raises(DataError, match="flat list"):
        finite_vector("scores", np.zeros((2, 2)))


def test_clusters_are_numbered_as_they_come_whatever_their_labels() -> None:
    assert cluster_codes([("doc", 1), None, ("doc", 1)], 3).tolist() == [0, 1, 0]
    assert cluster_codes(np.array([7, 3, 7]), 3).tolist() == [0, 1, 0]


def test_a_label_per_case_is_needed() -> None:
    with pytest.raises(DataError, match="3 entries are needed"):
        cluster_codes(["a"], 3)


def test_binary_scaling_keeps_every_digit_of_every_column() -> None:
    values = np.array([[3e200, 5e-324, 0.0], [-1.0, 0.0, 0.0]])
    scaled, exponent = binary_scaled(values)
    assert np.abs(scaled).max() < 1.0
    assert np.ldexp(scaled, exponent).tolist() == values.tolist()
