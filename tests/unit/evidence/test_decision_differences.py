from __future__ import annotations

from datetime import UTC, datetime

from beleg.core.decision import (
    Bounds,
    CheckKind,
    CheckResult,
    CheckState,
    Decision,
    RunReference,
    Sentence,
    Verdict,
)
from beleg.evidence.decision_differences import decision_differences

WORDS = Sentence(en="so", de="so")


def check(name: str, lower: float = 0.5, state: CheckState = CheckState.PASS) -> CheckResult:
    figure = Bounds(estimate=0.6, lower=lower, upper=0.7, confidence=0.95, method="wilson", n=40)
    return CheckResult(check_id=name, kind=CheckKind.BAND, state=state, reason=WORDS, figure=figure)


def decision(*checks: CheckResult, **fields: object) -> Decision:
    given: dict[str, object] = {
        "verdict": Verdict.PASS, "headline": WORDS, "policy_name": "p", "policy_version": 1, "policy_digest": "d",
        "suite_name": "s", "suite_version": 1, "suite_digest": "d", "confidence": 0.95, "seed": 0, "resamples": 1000,
        "candidate": RunReference(run_id="r", name="n", manifest_digest="d"), "holm": False, "beleg_version": "1",
        "checks": checks, "decided_at": datetime(2026, 11, 30, tzinfo=UTC),
    }  # fmt: skip
    return Decision(**(given | fields))


def told(one: Decision, other: Decision) -> list[tuple[str, str]]:
    return [(item.kind, item.field) for item in decision_differences(one, other)]


def test_a_decision_does_not_differ_from_itself() -> None:
    assert decision_differences(decision(check("a")), decision(check("a"))) == ()


def test_the_verdict_comes_first_then_checks_then_what_it_rests_on_then_figures() -> None:
    stored = decision(check("a"), check("b", lower=0.9), policy_digest="lower bar")
    rows = decision(check("a", state=CheckState.FAIL), check("b"), verdict=Verdict.BLOCK)
    assert told(stored, rows) == [
        ("verdict", "verdict"),
        ("check", "checks[a].state"),
        ("binding", "policy_digest"),
        ("figure", "checks[b].figure.lower"),
    ]


def test_a_check_that_one_of_them_lacks_is_named() -> None:
    (found,) = decision_differences(decision(check("a")), decision(check("a"), check("b")))
    assert (found.kind, found.field, found.stored, found.recomputed) == ("check", "checks[b]", None, "PASS")
    assert found.sentence.en == "checks[b]: the pack says nothing, its rows give PASS"
    assert found.sentence.de == "checks[b]: das Paket sagt nichts, seine Zeilen ergeben PASS"


def test_the_same_check_twice_is_a_difference() -> None:
    assert told(decision(check("a"), check("a")), decision(check("a"))) == [("check", "checks")]


def test_the_last_digits_of_another_processor_are_none() -> None:
    assert told(decision(check("a", lower=0.3)), decision(check("a", lower=0.1 + 0.2))) == []
    assert told(decision(check("a", lower=0.3)), decision(check("a", lower=0.3 + 1e-8))) == [
        ("figure", "checks[a].figure.lower")
    ]


def test_another_kind_of_value_is_a_difference_though_python_calls_it_equal() -> None:
    assert told(decision(holm=False, seed=0), decision(holm=False, seed=1)) == [("binding", "seed")]
