from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import RiskTier
from beleg.core.errors import ConfigError
from beleg.core.policy import Aggregate, Policy
from beleg.gating.plan import PlannedCheck, default_aggregate, plan_checks
from beleg.metrics.catalogue import parse_metric
from support.builders import case
from unit.gating.building import planned, policy

CASES = [
    case("c0", language="de", risk_tier=RiskTier.HIGH),
    case("c1", language="en", risk_tier=RiskTier.LOW),
    case("c2", language="de", risk_tier=RiskTier.LOW),
    case("c3", language="en"),
]
GERMAN, ENGLISH = {"where": {"language": "de"}}, {"where": {"language": "en"}}


def plan(rules: Policy) -> list[PlannedCheck]:
    return plan_checks(rules, CASES)


def ids(rules: Policy) -> list[str]:
    return [check.check_id for check in plan(rules)]


def only(check: dict[str, Any], **fields: Any) -> PlannedCheck:
    found = plan(policy(check, **fields))
    assert len(found) == 1
    return found[0]


def refused(rules: Policy) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        plan(rules)
    return [problem.field or "" for problem in caught.value.problems]


def test_bands_margin_and_protected_segments_each_become_a_check() -> None:
    rules = policy(
        {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7, "margin": 0.05, "protected": {"margin": 0.1}},
        {"metric": "entitlement_leak", "zero_tolerance": True},
        protected_segments=[GERMAN, ENGLISH],
    )
    assert ids(rules) == [
        "hit@5/band",
        "hit@5/no_regression",
        "hit@5/no_regression/language=de",
        "hit@5/no_regression/language=en",
        "entitlement_leak/zero_tolerance",
    ]


@pytest.mark.parametrize(
    ("overall", "protected", "count"),
    [
        ({"margin": 0.1}, {}, 1),
        ({"pass_at": 0.8, "block_at": 0.7}, {}, 1),
        ({"pass_at": 0.8, "block_at": 0.7, "margin": 0.1}, {}, 2),
        ({}, {"margin": 0.1}, 2),
        ({}, {"pass_at": 0.8, "block_at": 0.7, "margin": 0.1}, 4),
        ({"pass_at": 0.8, "block_at": 0.7, "margin": 0.1}, {"pass_at": 0.8, "block_at": 0.7, "margin": 0.1}, 6),
    ],
)
def test_no_threshold_is_left_unused(overall: dict[str, Any], protected: dict[str, Any], count: int) -> None:
    """One check per kind of threshold, over all cases and again in each of two protected segments."""
    rules = policy(
        {"metric": "hit@5"} | overall | ({"protected": protected} if protected else {}),
        *([] if protected else [{"metric": "mrr", "protected": {"margin": 0.1}}]),
        protected_segments=[GERMAN, ENGLISH],
    )
    assert sum(name.startswith("hit@5") for name in ids(rules)) == count


def test_a_check_is_about_the_cases_that_carry_all_of_its_labels() -> None:
    check = only({"metric": "hit@5", "margin": 0.1, "where": {"risk_tier": "low", "language": "de"}})
    assert check.check_id == "hit@5/no_regression/language=de,risk_tier=low"
    assert check.members.tolist() == [2]
    assert (check.segment, check.protected) == ("language=de,risk_tier=low", False)


def test_a_protected_segment_lies_within_the_cases_of_its_check() -> None:
    rules = policy(
        {"metric": "hit@5", "where": {"risk_tier": "low"}, "protected": {"margin": 0.1}}, protected_segments=[GERMAN]
    )
    check = plan(rules)[0]
    assert check.members.tolist() == [2]
    assert (check.segment, check.protected) == ("language=de,risk_tier=low", True)


def test_without_a_segment_a_check_is_about_every_case_in_order() -> None:
    check = only({"metric": "hit@5", "margin": 0.1})
    assert check.members.tolist() == [0, 1, 2, 3]
    assert (check.segment, check.protected) == (None, False)


def test_a_label_that_no_case_has_leaves_a_check_without_cases() -> None:
    check = only({"metric": "hit@5", "margin": 0.1, "where": {"language": "fr"}})
    assert check.members.tolist() == []


@pytest.mark.parametrize(
    ("metric", "aggregate"),
    [
        ("hit@5", Aggregate.MEAN),
        ("failed", Aggregate.MEAN),
        ("cost_usd", Aggregate.MEAN),
        ("latency_ms", Aggregate.P95),
    ],
)
def test_a_metric_is_aggregated_as_the_catalogue_says(metric: str, aggregate: Aggregate) -> None:
    assert default_aggregate(parse_metric(metric)) is aggregate


def test_another_aggregate_stands_in_the_name_of_the_check() -> None:
    rules = [
        {"metric": "latency_ms", "pass_at": 100, "block_at": 200},
        {"metric": "latency_ms", "aggregate": "p50", "pass_at": 50, "block_at": 90},
        {"metric": "latency_ms", "aggregate": "mean", "largest": 1e4, "pass_at": 50, "block_at": 90},
    ]
    assert ids(policy(*rules)) == ["latency_ms/band", "latency_ms/p50/band", "latency_ms/mean/band"]


def test_the_nearest_word_on_the_number_of_cases_counts() -> None:
    """Segment before check before policy."""
    rules = policy(
        {"metric": "hit@5", "margin": 0.1, "minimum_n": 40, "protected": {"margin": 0.1}},
        {"metric": "mrr", "margin": 0.1},
        minimum_n=50,
        protected_segments=[GERMAN | {"minimum_n": 20}, ENGLISH],
    )
    assert [check.minimum_n for check in plan(rules)] == [40, 20, 40, 50]


def test_a_check_belongs_to_its_owner_or_else_to_that_of_the_policy() -> None:
    rules = policy(
        {"metric": "hit@5", "margin": 0.1, "owner": "search"}, {"metric": "mrr", "margin": 0.1}, owner="release"
    )
    assert [check.owner for check in plan(rules)] == ["search", "release"]
    assert only({"metric": "mrr", "margin": 0.1}).owner is None


@pytest.mark.parametrize(
    ("metric", "higher"), [("hit@5", True), ("false_exclusion", False), ("completion_tokens", False)]
)
def test_a_neutral_metric_is_gated_as_a_quantity_to_keep_low(metric: str, higher: bool) -> None:
    assert planned(metric).higher_is_better is higher


def test_a_policy_without_checks_decides_nothing() -> None:
    assert refused(policy()) == ["checks"]


def test_everything_that_is_wrong_is_named_at_once_with_its_place() -> None:
    rules = policy(
        {"metric": "hit@5", "margin": 0.1},
        {"metric": "recal@5", "margin": 0.1},
        {"metric": "hit@5", "pass_at": 0.7, "block_at": 0.8, "where": {"langauge": "de"}},
        {"metric": "mrr", "protected": {"pass_at": 1.5, "block_at": 0.5}},
        protected_segments=[{"where": {"product": "tent"}}],
    )
    assert refused(rules) == [
        "checks[1].metric",
        "checks[2].pass_at",
        "checks[2].where",
        "checks[3].protected.pass_at",
        "protected_segments[0].where",
    ]


@pytest.mark.parametrize(
    ("metric", "levels"),
    [
        ("hit@5", {"pass_at": 1.01, "block_at": 0.5}),
        ("hit@5", {"pass_at": 0.5, "block_at": -0.1}),
        ("latency_ms", {"pass_at": -1, "block_at": 100}),
    ],
)
def test_a_level_that_no_figure_could_reach_is_refused(metric: str, levels: dict[str, Any]) -> None:
    assert len(refused(policy({"metric": metric} | levels))) == 1


@pytest.mark.parametrize(
    ("metric", "levels"),
    [
        ("hit@5", {"pass_at": 1.0, "block_at": 0.0}),
        ("hit@5", {"pass_at": 0.8, "block_at": 0.8}),
        ("false_exclusion", {"pass_at": 0.0, "block_at": 1.0}),
        ("latency_ms", {"pass_at": 1_000_000, "block_at": 2_000_000}),
    ],
)
def test_levels_may_be_equal_and_stand_at_the_ends_of_the_range(metric: str, levels: dict[str, Any]) -> None:
    assert ids(policy({"metric": metric} | levels)) == [f"{metric}/band"]


def test_thresholds_and_segments_need_each_other() -> None:
    lonely = policy({"metric": "hit@5", "margin": 0.1, "protected": {"margin": 0.1}})
    assert refused(lonely) == ["checks[0].protected"]
    assert refused(policy({"metric": "hit@5", "margin": 0.1}, protected_segments=[GERMAN])) == ["protected_segments"]


def test_the_same_metric_may_be_checked_twice_on_different_cases_only() -> None:
    check = {"metric": "hit@5", "margin": 0.1}
    assert len(ids(policy(check, check | {"where": {"language": "de"}}))) == 2
    with pytest.raises(ConfigError, match="stands twice"):
        plan(policy(check, check | {"margin": 0.2}))


def test_a_protected_segment_that_a_check_already_names_stands_twice() -> None:
    rules = policy(
        {"metric": "hit@5", "margin": 0.1, "where": {"language": "de"}},
        {"metric": "hit@5", "protected": {"margin": 0.2}},
        protected_segments=[GERMAN],
    )
    with pytest.raises(ConfigError, match="stands twice"):
        plan(rules)


@pytest.mark.parametrize(
    "check",
    [
        {"metric": "hit@5", "pass_at": 0.0, "block_at": 0.0},
        {"metric": "false_exclusion", "pass_at": 1.0, "block_at": 1.0},
        {"metric": "hit@5", "margin": 0.1, "protected": {"pass_at": 0.0, "block_at": 0.0}},
    ],
)
def test_a_level_that_the_worst_run_reaches_is_refused(check: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="any run reaches this level"):
        plan(policy(check, protected_segments=[GERMAN] if "protected" in check else []))
