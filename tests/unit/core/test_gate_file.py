"""The file that a pytest collector reads."""

import pytest
from pydantic import ValidationError

from beleg.core.gate_file import GateFile


def test_a_candidate_and_a_policy_are_enough() -> None:
    assert GateFile(candidate="runs/new", policy="policy.yaml").cases == "named"


@pytest.mark.parametrize(
    "given", [{"candidate": "a"}, {"policy": "a"}, {"candidate": "a", "policy": "b", "skip": True}]
)
def test_what_it_does_not_know_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        GateFile.model_validate(given)
