from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.stats.multiplicity import holm

P_VALUES = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


def test_worked_example() -> None:
    # 0.005 x 4; 0.01 x 3; 0.03 x 2; 0.04 x 1 is raised to the 0.06 before it.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_one_hypothesis_is_left_alone() -> None:
    assert holm([0.2]).tolist() == [0.2]


@given(P_VALUES)
def test_adjustment_only_raises_keeps_the_order_and_stays_a_probability(p_values: list[float]) -> None:
    raw, adjusted = np.array(p_values), holm(p_values)
    assert (adjusted >= raw).all()
    assert (adjusted <= 1.0).all()
    assert (np.diff(adjusted[np.argsort(raw, kind="stable")]) >= 0.0).all()
    assert adjusted.min() == pytest.approx(min(1.0, raw.min() * len(raw)))


@given(P_VALUES, st.sampled_from([0.01, 0.05, 0.2]))
def test_rejections_are_those_of_the_step_down_procedure(p_values: list[float], alpha: float) -> None:
    remaining = sorted(p_values)
    rejected = 0
    while remaining and remaining[0] * len(remaining) <= alpha:
        remaining.pop(0)
        rejected += 1
    assert int((holm(p_values) <= alpha).sum()) == rejected


@pytest.mark.parametrize("p_values", [[], [0.5, 1.5], [-0.1], [float("nan")]])
def test_faulty_p_values_are_refused(p_values: list[float]) -> None:
    with pytest.raises(DataError, match="p_values"):
        holm(p_values)
