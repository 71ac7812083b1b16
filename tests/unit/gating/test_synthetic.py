from __future__ import annotations

import numpy as np
import pytest

from beleg.core.policy_rules import CaseProperty
from beleg.core.score import ScoreStatus
from beleg.gating.synthetic import (
    bad_level,
    filled,
    good_level,
    synthetic_cases,
    synthetic_run,
    with_level,
    without_scores,
)
from unit.gating.building import planned, policy

RULES = policy(
    {"metric": "hit@5", "margin": 0.1, "where": {"topic": "fees"}},
    {"metric": "mrr", "margin": 0.1, "protected": {"margin": 0.1}},
    protected_segments=[{"where": {"language": "de"}}, {"where": {"language": "en"}}],
    critical_claims={"where": {"risk_tier": "high"}},
)


def test_every_part_that_the_policy_speaks_of_has_its_own_cases() -> None:
    cases = synthetic_cases(RULES, 2)
    labels = [case.segment_labels() for case in cases]
    for name, label in (("topic", "fees"), ("language", "de"), ("language", "en"), ("risk_tier", "high")):
        assert sum(each.get(name) == label for each in labels) >= 2
    assert any(each.get("topic") == "fees" and each.get("language") == "de" for each in labels)
    assert len({case.case_id for case in cases}) == len(cases)


def test_a_made_up_case_holds_all_that_a_check_can_ask_for() -> None:
    assert all(held.holds(synthetic_cases(RULES, 1)[0]) for held in CaseProperty)


def test_a_made_up_run_has_nothing_open_but_its_scores() -> None:
    cases = synthetic_cases(RULES, 1)
    run = synthetic_run(cases, {"hit@5": filled(len(cases), 1.0)}, "candidate")
    assert run.header.manifest.unresolved() == ()
    assert run.by_case("hit@5").values.tolist() == [1.0] * len(cases)


@pytest.mark.parametrize(
    ("metric", "limits", "good", "bad"),
    [
        ("hit@5", {"pass_at": 0.8, "block_at": 0.7}, 1.0, 0.0),
        ("false_exclusion", {"pass_at": 0.1, "block_at": 0.2}, 0.0, 1.0),
        ("latency_ms", {"pass_at": 3e3, "block_at": 6e3}, 0.0, 90_010.0),
        ("rubric_grade", {"pass_at": 4.0, "block_at": 3.0}, 5.0, 1.0),
    ],
)
def test_good_and_bad_are_the_ends_of_the_metric_or_far_beyond_its_limits(
    metric: str, limits: dict[str, float], good: float, bad: float
) -> None:
    check = planned(metric, **limits)
    assert (good_level(check), bad_level(check)) == (good, bad)


def test_columns_hold_what_they_were_made_of() -> None:
    assert with_level(filled(3, 1.0), np.array([1]), 0.5).values.tolist() == [1.0, 0.5, 1.0]
    assert without_scores(2, ScoreStatus.TIMEOUT).counts() == {ScoreStatus.TIMEOUT: 2}
