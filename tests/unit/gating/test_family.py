from __future__ import annotations

import pytest

from beleg.core.decision import CheckKind, CheckResult, CheckState
from beleg.gating.family import hold_to_family
from unit.gating.building import policy, result

FAIL, PASS, INCONCLUSIVE = CheckState.FAIL, CheckState.PASS, CheckState.INCONCLUSIVE


def compared(segment: str, p_inferior: float | None, state: CheckState = FAIL, **fields: object) -> CheckResult:
    given = {"kind": CheckKind.NO_REGRESSION, "segment": segment, "protected": True, "p_inferior": p_inferior}
    return result(f"hit@5/no_regression/{segment}", state, **{**given, **fields})


def adjusted(results: list[CheckResult]) -> list[float | None]:
    return [held.p_inferior_adjusted for held in hold_to_family(results, policy())]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.01, 0.02, 0.04, 0.20], [0.04, 0.06, 0.08, 0.20]),
        ([0.9, 0.6], [1.0, 1.0]),
        ([0.04], [0.04]),
    ],
)
def test_p_values_are_adjusted_by_the_steps_of_holm(raw: list[float], expected: list[float]) -> None:
    """The smallest times m, the next times m - 1, …, never below the one before and never above 1."""
    assert adjusted([compared(f"part=p{at}", p) for at, p in enumerate(raw)]) == pytest.approx(expected)


def test_a_segment_fails_only_where_the_family_proves_it() -> None:
    results = [compared("part=a", 0.01), compared("part=b", 0.04), compared("part=c", 0.03)]
    held = hold_to_family(results, policy())
    assert [item.state for item in held] == [FAIL, INCONCLUSIVE, INCONCLUSIVE]
    assert held[0].reason == results[0].reason


def test_the_sentence_says_what_kept_it_from_failing_in_both_languages() -> None:
    held = hold_to_family([compared("part=a", 0.03), compared("part=b", 0.03)], policy())[0]
    assert held.reason.en.endswith("in English; over 2 segments (Holm, p = 0.060) it is not proven")
    assert held.reason.de.endswith("auf Deutsch; über 2 Segmente (Holm, p = 0,060) ist es nicht belegt")


def test_only_failures_can_be_taken_back() -> None:
    states = [PASS, INCONCLUSIVE, CheckState.NOT_EVALUATED]
    held = hold_to_family([compared(f"part={at}", 0.9, state) for at, state in enumerate(states)], policy())
    assert [item.state for item in held] == states
    assert [item.p_inferior_adjusted for item in held] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "other",
    [
        compared("part=b", 0.02, metric="mrr"),
        compared("part=b", 0.02, aggregate="p95"),
        compared("part=b", 0.02, protected=False),
        compared("part=b", 0.02, kind=CheckKind.BAND),
        compared("part=b", None),
    ],
    ids=["another metric", "another aggregate", "no protected segment", "no comparison", "no p-value"],
)
def test_only_comparisons_of_one_metric_over_protected_segments_are_a_family(other: CheckResult) -> None:
    held = hold_to_family([compared("part=a", 0.04), other], policy())
    assert held[0].p_inferior_adjusted == pytest.approx(0.04)
    assert [item.state for item in held] == [FAIL, FAIL]


def test_checks_keep_their_order_and_none_is_lost() -> None:
    results = [result("mrr/band", PASS), compared("part=b", 0.2), result("hit@5/band"), compared("part=a", 0.1)]
    assert [item.check_id for item in hold_to_family(results, policy())] == [item.check_id for item in results]
    assert hold_to_family([], policy()) == []


def test_the_level_is_that_of_the_policy() -> None:
    results = [compared("part=a", 0.03), compared("part=b", 0.03)]
    assert hold_to_family(results, policy(confidence=0.9))[0].state is FAIL
    assert hold_to_family(results, policy(confidence=0.95))[0].state is INCONCLUSIVE
