from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest

from beleg.core.case import Case
from beleg.core.score import ScoreStatus
from beleg.gating.lint import Level, PolicyFinding, lint_policy
from support.builders import case, evaluation
from unit.gating.building import policy

TODAY = date(2026, 12, 1)
STANDS: dict[str, Any] = {"owner": "Search", "rationale": "by harm", "review_by": "2027-06-30"}
LEAK = {"metric": "entitlement_leak", "zero_tolerance": True}
MARGIN = {"metric": "hit@5", "margin": 0.05}


def found(*checks: dict[str, Any], cases: list[Case] | None = None, **fields: Any) -> tuple[PolicyFinding, ...]:
    return lint_policy(policy(*checks, **(STANDS | fields)), today=TODAY, cases=cases)


def told(*checks: dict[str, Any], **given: Any) -> list[tuple[str, str]]:
    return [(finding.level.value, finding.field) for finding in found(*checks, **given)]


def test_a_policy_that_leaves_nothing_open_is_clean() -> None:
    assert told(LEAK, MARGIN) == []


@pytest.mark.parametrize(
    ("check", "field", "words"),
    [
        ({"metric": "evidence_recal@5", "margin": 0.1}, "checks[0].metric", "evidence_recall"),
        ({"metric": "hit@5", "pass_at": 0.7, "block_at": 0.8}, "checks[0].pass_at", "easier"),
        ({"metric": "failed", "pass_at": 0.2, "block_at": 0.1}, "checks[0].pass_at", "easier"),
        ({"metric": "hit@5", "pass_at": 1.8, "block_at": 0.8}, "checks[0].pass_at", "between"),
        ({"metric": "hit@5", "margin": 1.0}, "checks[0].margin", "tolerates any"),
        ({"metric": "hit@5", "margin": 0.1, "protected": {"margin": 0.1}}, "checks[0].protected", "no segment"),
        ({"metric": "cost_usd", "pass_at": 1, "block_at": 2}, "checks[0].largest", "no upper end"),
        ({"metric": "answer_relevancy", "margin": 0.1, "together_with": ["required_clauses"]},
         "checks[0].together_with", "does not check that metric"),
    ],
)  # fmt: skip
def test_what_the_gate_would_refuse_is_an_error_before_any_run(check: dict[str, Any], field: str, words: str) -> None:
    finding = found(check, LEAK)[0]
    assert (finding.level, finding.field) == (Level.ERROR, field)
    assert words in finding.message.en


def test_an_unknown_label_and_an_empty_segment_are_errors_on_a_suite() -> None:
    cases = [case(f"c{i}", language="de") for i in range(400)]
    unknown = told(LEAK, MARGIN | {"where": {"langauge": "de"}}, cases=cases)
    assert unknown == [("error", "checks[1].where")]
    empty = found(LEAK, MARGIN | {"protected": {"margin": 0.1}}, cases=cases,
                  protected_segments=[{"where": {"language": "fr"}}])  # fmt: skip
    assert [(each.level, each.field) for each in empty] == [(Level.ERROR, "hit@5/no_regression/language=fr")]
    nobody = told(LEAK, MARGIN | {"having": ["nuggets"]}, cases=cases)
    assert nobody == [("error", "checks[1].having")]


def test_who_stands_behind_a_threshold_is_asked_for_and_a_passed_date_is_told() -> None:
    bare = lint_policy(policy(LEAK, MARGIN, review_by="2026-11-30"), today=TODAY)
    assert [finding.field for finding in bare] == [
        f"checks[{place}].{name}" for place in (0, 1) for name in ("owner", "rationale", "review_by")
    ]
    assert "has passed" in bare[2].message.en
    assert "verstrichen" in bare[2].message.de


@pytest.mark.parametrize(
    ("checks", "fields", "field"),
    [
        ([MARGIN], {}, "checks"),
        ([{"metric": "entitlement_leak", "pass_at": 1, "block_at": 2, "largest": 9}, MARGIN], {},
         "checks[0].zero_tolerance"),
        ([LEAK | {"where": {"language": "de"}}, MARGIN], {}, "checks[0].where"),
        ([LEAK, {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}], {}, "checks"),
        ([LEAK, MARGIN], {"confidence": 0.8}, "confidence"),
        ([LEAK, MARGIN], {"minimum_n": 5}, "minimum_n"),
        ([LEAK, MARGIN], {"minimum_coverage": 0.5}, "minimum_coverage"),
        ([LEAK, {"metric": "answer_relevancy", "margin": 0.1}], {"evaluator_failures": {"ceiling": 0.01}},
         "checks[1].together_with"),
        ([LEAK, {"metric": "faithfulness", "margin": 0.1}], {}, "evaluator_failures"),
    ],
)  # fmt: skip
def test_what_can_be_carried_out_and_should_be_looked_at_is_a_doubt(
    checks: list[dict[str, Any]], fields: dict[str, Any], field: str
) -> None:
    assert told(*checks, **fields) == [("doubt", field)]


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
def test_a_margin_that_the_suite_is_too_small_for_names_the_number_by_the_exact_bound(margin: float) -> None:
    """With no difference at all, n cases rule out a loss of 1 - 0.05^(1/n): 149 for 0.02, 59 for 0.05, 29 for 0.1."""
    least = math.ceil(math.log(0.05) / math.log(1.0 - margin))
    cases = [case(f"c{i}") for i in range(least)]
    check = MARGIN | {"margin": margin, "minimum_n": 2}
    enough = lint_policy(policy(check, LEAK | {"minimum_n": 2}, **STANDS), today=TODAY, cases=cases)
    assert enough == ()
    short = lint_policy(policy(check, LEAK | {"minimum_n": 2}, **STANDS), today=TODAY, cases=cases[:-1])
    assert [finding.field for finding in short] == ["hit@5/no_regression"]
    assert f"on {least - 1} cases; " in short[0].message.en


def test_a_rate_that_the_suite_cannot_prove_names_the_number_by_clopper_and_pearson() -> None:
    """Of n right cases of n the lower bound is 0.05^(1/n): 59 cases for 0.95."""
    check = {"metric": "hit@5", "pass_at": 0.95, "block_at": 0.9, "minimum_n": 2}
    cases = [case(f"c{i}") for i in range(58)]
    short = lint_policy(policy(check, LEAK, MARGIN, **STANDS), today=TODAY, cases=cases)
    assert "even a perfect candidate cannot pass this on 58 cases; 59 are needed" in short[0].message.en


def test_a_protected_segment_with_too_few_cases_is_named() -> None:
    cases = [case(f"c{i}", language="de" if i < 20 else "en") for i in range(400)]
    short = told(LEAK, MARGIN | {"protected": {"margin": 0.1}}, cases=cases,
                 protected_segments=[{"where": {"language": "de"}}])  # fmt: skip
    assert short == [("doubt", "hit@5/no_regression/language=de")]


def test_a_run_tells_for_how_many_cases_a_metric_is_due() -> None:
    cases = [case(f"c{i}") for i in range(100)]
    due = [1.0 if i < 30 else ScoreStatus.NOT_APPLICABLE for i in range(100)]
    rules = policy(LEAK, MARGIN, **STANDS)
    scores = {"hit@5": due, "entitlement_leak": [0.0] * 100}
    assert lint_policy(rules, today=TODAY, cases=cases) == ()
    by_run = lint_policy(rules, today=TODAY, cases=cases, run=evaluation(cases, scores))
    assert [finding.field for finding in by_run] == ["hit@5/no_regression"]
    assert "on 30 cases; " in by_run[0].message.en


def test_every_bar_that_is_lower_than_in_an_older_policy_is_named_and_no_higher_one() -> None:
    old = policy(LEAK, MARGIN, minimum_n=60, **STANDS)
    new = policy(LEAK, MARGIN | {"margin": 0.1}, minimum_n=90, **STANDS)
    lowered = lint_policy(new, today=TODAY, against=old)
    assert [(finding.level, finding.field) for finding in lowered] == [(Level.DOUBT, "hit@5.margin")]
