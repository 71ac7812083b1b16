from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.policy import Policy, PolicyCheck, Segment, Thresholds


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"pass_at": 0.8},
        {"block_at": 0.8},
        {"margin": 0.0},
        {"margin": -0.1},
        {"zero_tolerance": True, "margin": 0.1},
        {"protected": Thresholds(pass_at=0.8)},
    ],
)
def test_a_check_that_could_not_decide_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PolicyCheck(metric="hit@5", **fields)


def test_confidence_is_one_sided_and_more_than_a_coin() -> None:
    assert Policy(policy="p", confidence=0.95).alpha == pytest.approx(0.05)
    with pytest.raises(ValidationError):
        Policy(policy="p", confidence=0.5)


def test_a_segment_has_one_name_whatever_the_order_of_its_dimensions() -> None:
    first, second = Segment(where={"b": "2", "a": "1"}), Segment(where={"a": "1", "b": "2"})
    assert first.label == second.label == "a=1,b=2"
    with pytest.raises(ValidationError):
        Segment(where={})


def test_any_change_of_a_threshold_changes_the_digest() -> None:
    base = Policy(policy="p", checks=(PolicyCheck(metric="mrr", margin=0.02),))
    other = Policy(policy="p", checks=(PolicyCheck(metric="mrr", margin=0.03),))
    assert base.digest != other.digest
