from __future__ import annotations

from typing import Any

import pytest

from beleg.core.policy import JudgeTrust, Policy, PolicyCheck
from beleg.gating.policy_diff import Direction, name_of, policy_changes
from unit.gating.building import policy

UP = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7, "margin": 0.05}
DOWN = {"metric": "false_exclusion", "pass_at": 0.05, "block_at": 0.1}
BUDGET = {"period_days": 30, "allowed": 2}


def ways(old: Policy, new: Policy) -> dict[str, str]:
    return {change.field: change.direction.value for change in policy_changes(old, new)}


def test_the_same_policy_has_no_changes_and_a_new_version_alone_is_none() -> None:
    assert policy_changes(policy(UP), policy(UP, version=2, owner="A")) == ()


LOOSER: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (UP, {}, UP | {"pass_at": 0.75}, {}),
    (UP, {}, UP | {"block_at": 0.6}, {}),
    (UP, {}, UP | {"margin": 0.1}, {}),
    (UP, {}, {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}, {}),
    (DOWN, {}, DOWN | {"pass_at": 0.06}, {}),
    (DOWN, {}, DOWN | {"block_at": 0.2}, {}),
    (UP | {"minimum_n": 60}, {}, UP | {"minimum_n": 30}, {}),
    (UP, {"confidence": 0.95}, UP, {"confidence": 0.9}),
    (UP, {"minimum_n": 60}, UP, {"minimum_n": 30}),
    (UP, {"minimum_coverage": 0.98}, UP, {"minimum_coverage": 0.5}),
    (UP, {}, UP, {"allow_subset": True}),
    (UP, {}, UP, {"require_baseline": False}),
    (UP, {"require_reproducible": True}, UP, {}),
    (UP, {"require_review_dates": True}, UP, {}),
    (UP, {"require_registration": True}, UP, {}),
    (UP, {"critical_claims": {}}, UP, {}),
    (UP, {"evaluator_failures": {"ceiling": 0.01}}, UP, {"evaluator_failures": {"ceiling": 0.1}}),
    (UP, {"evaluator_failures": {"ceiling": 0.01}}, UP, {}),
    (UP, {"error_budget": BUDGET}, UP, {"error_budget": BUDGET | {"allowed": 9}}),
    (UP, {"required_record": ["prompt", "answer"]}, UP, {"required_record": ["prompt"]}),
    (UP, {"block_when_open": ["coverage"]}, UP, {}),
    (UP, {"judge": {"minimum_labels": 100}}, UP, {"judge": {"minimum_labels": 30}}),
    (UP, {"judge": {"max_false_pass": 0.1}}, UP, {"judge": {}}),
    (UP, {"judge": {"uncalibrated": "refuse"}}, UP, {}),
    (UP, {"judge": {"noise": "require"}}, UP, {}),
    (UP | {"protected": {"margin": 0.1}}, {"protected_segments": [{"where": {"language": "de"}}]},
     UP | {"protected": {"margin": 0.2}}, {"protected_segments": [{"where": {"language": "de"}}]}),
    (UP, {"protected_segments": [{"where": {"language": "de"}}]}, UP, {}),
    (UP | {"together_with": ["mrr"]}, {}, UP, {}),
    ({"metric": "entitlement_leak", "zero_tolerance": True}, {},
     {"metric": "entitlement_leak", "pass_at": 1, "block_at": 2}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("old", "old_rules", "new", "new_rules"), LOOSER)
def test_a_lowered_bar_is_looser_and_going_back_is_stricter(
    old: dict[str, Any], old_rules: dict[str, Any], new: dict[str, Any], new_rules: dict[str, Any]
) -> None:
    before, after = policy(old, **old_rules), policy(new, **new_rules)
    assert "looser" in ways(before, after).values()
    assert "stricter" in ways(after, before).values()
    assert len(policy_changes(before, after)) == len(policy_changes(after, before))


def test_a_check_that_went_is_looser_and_one_that_came_is_stricter() -> None:
    assert ways(policy(UP, DOWN), policy(UP)) == {"false_exclusion": "looser"}
    assert ways(policy(UP), policy(UP, DOWN)) == {"false_exclusion": "stricter"}


def test_a_segment_that_is_no_longer_protected_is_looser() -> None:
    old = policy(UP, protected_segments=[{"where": {"language": "de"}, "minimum_n": 50}])
    assert ways(old, policy(UP)) == {"protected_segments.language=de": "looser"}
    fewer = policy(UP, protected_segments=[{"where": {"language": "de"}, "minimum_n": 40}])
    assert ways(old, fewer) == {"protected_segments.language=de.minimum_n": "looser"}


def test_a_rule_that_moved_to_other_cases_is_told_without_calling_it_either() -> None:
    old, new = (policy(UP, critical_claims={"where": {"risk_tier": tier}}) for tier in ("high", "medium"))
    assert ways(old, new) == {"critical_claims": "other"}


def test_looser_changes_stand_first_and_say_both_values_in_both_languages() -> None:
    changes = policy_changes(policy(UP), policy(UP | {"pass_at": 0.75, "margin": 0.01}))
    assert [change.direction for change in changes] == [Direction.LOOSER, Direction.STRICTER]
    assert changes[0].sentence.en == "hit@5.pass_at: 0.8 → 0.75 (looser)"
    assert changes[0].sentence.de == "hit@5.pass_at: 0,8 → 0,75 (lockerer)"


def test_checks_of_one_metric_are_told_apart_by_part_and_aggregate() -> None:
    named = PolicyCheck(metric="hit@5", margin=0.1, where={"language": "de"})
    assert name_of(named) == "hit@5[language=de]"
    quantile = PolicyCheck.model_validate_json('{"metric": "cost_usd", "aggregate": "p99", "margin": 1.0}')
    assert name_of(quantile) == "cost_usd p99"
    assert name_of(PolicyCheck(metric="no such metric", margin=0.1)) == "no such metric"


@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        ({}, {"waivable": ["latency_ms"]}, Direction.LOOSER),
        ({"waivable": ["latency_ms"]}, {}, Direction.STRICTER),
        ({"valid_hours": 24}, {"valid_hours": 72}, Direction.LOOSER),
        ({"max_override_hours": 72}, {"max_override_hours": 8}, Direction.STRICTER),
        ({"two_persons": True}, {"two_persons": False}, Direction.LOOSER),
        ({"owners": ["A"]}, {"owners": ["B"]}, Direction.OTHER),
    ],
)
def test_terms_of_release_are_compared_too(before: dict[str, Any], after: dict[str, Any], direction: Direction) -> None:
    check = {"metric": "hit@5", "pass_at": 0.9, "block_at": 0.8}
    (change,) = policy_changes(policy(check, release=before), policy(check, release=after))
    assert change.direction is direction
    assert change.field.startswith("release.")


COST = {"metric": "cost_usd", "aggregate": "mean", "pass_at": 1.0, "block_at": 2.0, "largest": 100.0}
LOOKS = {"sequential": {}}
GERMAN, ENGLISH = ({"where": {"language": language}} for language in ("de", "en"))
BOTH_WAYS = {"protected_segments": [GERMAN, ENGLISH]}

NOT_STRICTER: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    (UP, {"seed": 1}, UP, {"seed": 2}),
    (UP, {"resamples": 10_000}, UP, {"resamples": 1_000}),
    (UP, {"judge": {"calibrations": ["a", "b"]}}, UP, {"judge": {"calibrations": ["b"]}}),
    (UP, {"minimum_n": 30}, UP | {"minimum_n": 2}, {"minimum_n": 30}),
    (COST, {}, COST | {"largest": 2.0}, {}),
    (UP, {"error_budget": BUDGET}, UP, {"error_budget": BUDGET | {"allowed": 1, "ledger": "empty.jsonl"}}),
    (UP, LOOKS | {"protected_segments": [GERMAN]}, UP, LOOKS | BOTH_WAYS),
    (UP, LOOKS | BOTH_WAYS, UP, LOOKS | {"protected_segments": [ENGLISH, GERMAN]}),
]


@pytest.mark.parametrize(("old", "old_rules", "new", "new_rules"), NOT_STRICTER)
def test_what_may_better_a_figure_by_chance_or_by_its_bounds_is_never_called_stricter_alone(
    old: dict[str, Any], old_rules: dict[str, Any], new: dict[str, Any], new_rules: dict[str, Any]
) -> None:
    assert {"looser", "other"} & set(ways(policy(old, **old_rules), policy(new, **new_rules)).values())


def test_a_bar_for_kappa_below_chance_is_the_same_as_none_and_more_records_are_no_lower_bar() -> None:
    assert ways(policy(UP), policy(UP, judge={"minimum_kappa": -1.0})) == {}
    assert ways(policy(UP, judge={"calibrations": ["a"]}), policy(UP, judge={"calibrations": ["a", "b"]})) == {}


WITHOUT_A_BAR = {"policy", "version", "owner", "rationale", "review_by"}


def test_every_field_of_a_policy_is_compared_or_known_to_decide_nothing() -> None:
    """A field that nobody compares is a way to lower a bar unseen."""
    compared = {
        "confidence", "seed", "resamples", "minimum_n", "minimum_coverage", "allow_subset", "require_baseline",
        "require_reproducible", "treatment", "require_comparable", "protected_segments", "judge", "critical_claims",
        "evaluator_failures", "required_record", "error_budget", "require_review_dates", "require_registration",
        "block_when_open", "release", "sequential", "checks",
    }  # fmt: skip
    assert set(Policy.model_fields) == compared | WITHOUT_A_BAR
    assert set(PolicyCheck.model_fields) - WITHOUT_A_BAR == {
        "metric", "aggregate", "where", "having", "together_with", "pass_at", "block_at", "margin", "largest",
        "zero_tolerance", "protected", "minimum_n",
    }  # fmt: skip
    assert set(JudgeTrust.model_fields) == {
        "uncalibrated", "calibrations", "digests", "max_false_pass", "minimum_kappa", "minimum_labels", "max_age_days",
        "noise",
    }  # fmt: skip
