"""What a policy may fix about looks."""

import pytest
from pydantic import ValidationError

from beleg.core.sequential import SequentialPlan


def test_by_itself_a_plan_looks_five_times() -> None:
    assert SequentialPlan().looks == (0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.mark.parametrize("looks", [(1.0,), (0.5, 0.9), (0.5, 0.5, 1.0), (0.6, 0.4, 1.0), (0.5, 0.51, 1.0), (0.01, 1.0)])
def test_looks_rise_in_real_steps_to_all_cases(looks: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        SequentialPlan(looks=looks)
