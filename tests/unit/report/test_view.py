"""The view says what was decided, most urgent first, and invents nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from beleg.core.decision import CheckState, Sentence
from beleg.report.view import (
    check_views,
    facts,
    headline,
    main_metric,
    settled_sentence,
    urgent_checks,
    worst_cases,
)
from support.report_data import build_report

REPORT = build_report()
DECISION = REPORT.decision


def test_reasons_come_in_the_order_fail_error_not_evaluated_inconclusive() -> None:
    assert [view.state for view in urgent_checks(DECISION)] == ["FAIL", "ERROR", "NOT_EVALUATED", "INCONCLUSIVE"]


def test_each_check_can_be_addressed_by_its_place() -> None:
    views = check_views(DECISION)
    assert [view.anchor for view in views] == [f"check-{n}" for n in range(1, 8)]
    assert views[1].difference.en == "−0.10 [−0.14, −0.06]"
    assert views[0].baseline.de == "0,881"
    assert views[1].rows.en.startswith("n 198 of 200")
    assert views[5].candidate.en == "91.5 [87.7, 94.4]\u00a0%"
    assert views[5].difference.de == "+1,0 [−2,0; +4,0]\u00a0Punkte"
    assert views[3].candidate.en == "not measured"
    assert views[6].candidate.en == "no single figure"
    assert views[6].difference.de == "nicht verglichen"


def test_where_no_figure_stands_the_view_says_why() -> None:
    compared = DECISION.checks[1].model_copy(update={"figure": None})
    runs = DECISION.checks[3].model_copy(update={"state": CheckState.PASS})
    views = check_views(DECISION.model_copy(update={"checks": (compared, runs)}))
    assert [view.candidate.de for view in views] == ["siehe Unterschied", "nicht anwendbar"]


def test_unscored_rows_are_bounded_from_both_sides() -> None:
    bounded = check_views(DECISION)[0].bounds
    assert bounded is not None
    assert bounded.en == "With the unscored rows at worst 0.864, at best 0.874."
    assert check_views(DECISION)[6].bounds is None


@pytest.mark.parametrize(("kept", "said"), [(0, "no check"), (1, "Every check passed (1 of 1)")])
def test_silence_is_never_called_a_pass(kept: int, said: str) -> None:
    passed = DECISION.model_copy(update={"checks": DECISION.checks[:kept]})
    assert said in settled_sentence(passed).en


def test_one_other_check_is_not_called_checks() -> None:
    assert settled_sentence(DECISION).en == "3 other checks passed."
    assert settled_sentence(DECISION.model_copy(update={"checks": DECISION.checks[:2]})).en == "One other check passed."


def test_the_headline_does_not_repeat_the_verdict() -> None:
    said = DECISION.model_copy(update={"headline": Sentence(en="BLOCK: too slow.", de="BLOCK: zu langsam.")})
    assert headline(said) == Sentence(en="too slow.", de="zu langsam.")


def test_the_worst_cases_are_named_once_and_limited() -> None:
    assert worst_cases(DECISION, limit=3) == ("versand-00000", "garantie-00002", "lager-00004")


def test_a_decision_without_a_baseline_says_so() -> None:
    alone = build_report(with_baseline=False).decision
    assert facts(alone)[1][1].de == "keine"


def test_the_main_metric_is_that_of_the_most_urgent_check_both_runs_scored() -> None:
    label = main_metric(REPORT)
    assert label is not None
    assert label.name == "ndcg@10"
    slow = DECISION.model_copy(update={"checks": (DECISION.checks[0], DECISION.checks[4])})
    label = main_metric(replace(REPORT, decision=slow))
    assert label is not None
    assert (label.name, label.higher_is_better) == ("latency_ms", False)
    assert all(check.state is not CheckState.FAIL for check in slow.checks)


def test_a_metric_in_which_no_case_differs_is_not_the_main_one() -> None:
    assert REPORT.baseline is not None
    still = dict(REPORT.baseline.scores) | {"ndcg@10": REPORT.candidate.scores["ndcg@10"]}
    label = main_metric(replace(REPORT, baseline=replace(REPORT.baseline, scores=still)))
    assert label is not None
    assert label.name == "citation_gold_precision"


def test_without_any_shared_metric_there_is_no_main_one() -> None:
    assert main_metric(replace(REPORT, candidate=replace(REPORT.candidate, scores={}))) is None
