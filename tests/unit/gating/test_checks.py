from __future__ import annotations

import numpy as np
import pytest

from beleg.core.decision import CheckKind, CheckState
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Aggregate
from beleg.core.run import RunSettings
from beleg.core.score import ScoreStatus
from beleg.gating.checks import MAX_WORST_CASES, carry_out, column_of, coverage_check, not_evaluated, worst_cases
from support.builders import case, column, evaluation, header
from unit.gating.building import LOWER, Values, planned, policy, scored

TIMEOUT, NA = ScoreStatus.TIMEOUT, ScoreStatus.NOT_APPLICABLE
LEAK = "entitlement_leak"


def run(values: Values, metric: str = "hit@5") -> Evaluation:
    return evaluation([case(f"c{place}") for place in range(len(values))], {metric: values})


def repeated(metric: str, *repeats: Values) -> Evaluation:
    """Every case asked several times."""
    cases = [case(f"c{place}") for place in range(len(repeats[0]))]
    return Evaluation(
        header=header(cases, settings=RunSettings(repeats=len(repeats))),
        cases=tuple(cases),
        row_case=np.tile(np.arange(len(cases), dtype=np.intp), len(repeats)),
        scores={metric: column([value for repeat in repeats for value in repeat])},
    )


@pytest.mark.parametrize(("failed", "is_thin"), [(0, False), (2, False), (3, True), (100, True)])
def test_coverage_is_asked_of_what_is_due(failed: int, is_thin: bool) -> None:
    """98 of 100 is enough where 0.98 is required, 97 is not; cases outside the question do not count."""
    values: Values = [NA] * 50 + [TIMEOUT] * failed + [1.0] * (100 - failed)
    found = coverage_check(planned(n=150), policy(), scored(values))
    assert (found is not None) is is_thin
    if found is not None:
        assert (found.kind, found.state) == (CheckKind.COVERAGE, CheckState.NOT_EVALUATED)
        assert f"only {100 - failed} of 100 cases" in found.reason.en
        assert found.worst_cases == tuple(f"c{place}" for place in range(50, 50 + min(failed, MAX_WORST_CASES)))


def test_where_nothing_is_due_coverage_is_no_question() -> None:
    assert coverage_check(planned(n=2), policy(), scored([NA, NA])) is None


def test_a_comparison_is_held_to_the_same_coverage() -> None:
    check = planned(kind=CheckKind.NO_REGRESSION, margin=0.05)
    found = coverage_check(check, policy(), scored([TIMEOUT] * 9 + [1.0]))
    assert found is not None
    assert (found.check_id, found.state) == ("hit@5/coverage", CheckState.NOT_EVALUATED)


def test_a_thin_figure_brings_its_coverage_along_and_a_full_one_does_not() -> None:
    check = planned(n=40, pass_at=0.5, block_at=0.2)
    thin: Values = [TIMEOUT] * 4 + [1.0] * 36
    assert [found.check_id for found in carry_out(check, policy(), run(thin), None)] == ["hit@5/coverage", "hit@5"]
    assert [found.check_id for found in carry_out(check, policy(), run([1.0] * 40), None)] == ["hit@5"]


@pytest.mark.parametrize(
    ("values", "detail"),
    [
        ([], "no case belongs to this part of the suite"),
        ([NA, ScoreStatus.NO_CLAIMS], "the question does not arise in any case"),
        ([NA, TIMEOUT, None], "no case has a score"),
    ],
)
def test_no_figure_is_told_apart_by_why_there_is_none(values: Values, detail: str) -> None:
    check = planned(n=len(values), pass_at=0.8, block_at=0.7)
    found = not_evaluated(check, scored(values))
    assert found.state is CheckState.NOT_EVALUATED
    assert found.reason.en.endswith(detail)
    assert (found.figure, found.pass_at, found.block_at) == (None, 0.8, 0.7)
    assert found.counts is not None
    assert found.counts.expected == len(values)


def test_the_worst_cases_come_worst_first_and_the_perfect_ones_not_at_all() -> None:
    values: Values = [1.0, 0.5, TIMEOUT, 0.0, 0.5, NA, 0.25]
    assert worst_cases(planned("ndcg@10"), scored(values)) == ("c3", "c6", "c1", "c4")


def test_where_lower_is_better_the_largest_values_are_the_worst() -> None:
    assert worst_cases(planned(LOWER), scored([0.0, 1.0, 0.0, 1.0])) == ("c1", "c3")
    slow = planned("latency_ms", aggregate=Aggregate.P95)
    assert worst_cases(slow, scored([10.0, 900.0, 30.0])) == ("c1", "c2", "c0")


def test_no_more_cases_are_named_than_a_person_looks_at() -> None:
    assert worst_cases(planned(), scored([0.0] * 30)) == tuple(f"c{place}" for place in range(MAX_WORST_CASES))


def test_no_single_case_pulls_a_median_down() -> None:
    assert worst_cases(planned("latency_ms", aggregate=Aggregate.P50), scored([1.0, 2.0])) == ()


@pytest.mark.parametrize(("values", "pass_at"), [([0.1 + 0.2] * 40, 0.3), ([0.3] * 40, 0.1 + 0.2)])
def test_rounding_in_the_last_digit_decides_nothing(values: list[float], pass_at: float) -> None:
    """0.1 + 0.2 is not 0.3 to the last bit; a figure at the blocking level is not beyond it."""
    check = planned("ndcg@10", n=40, pass_at=pass_at, block_at=pass_at)
    assert carry_out(check, policy(), run(values, "ndcg@10"), None)[0].state is CheckState.INCONCLUSIVE


def test_a_band_without_both_levels_is_a_fault_of_the_planner() -> None:
    with pytest.raises(ValueError, match="both levels"):
        carry_out(planned(n=40, pass_at=0.5), policy(), run([1.0] * 40), None)


def test_what_the_missing_could_change_is_told_only_where_something_is_missing() -> None:
    check = planned(n=100, pass_at=0.5, block_at=0.2)
    whole = carry_out(check, policy(), run([1.0] * 100), None)[-1]
    assert (whole.worst_case, whole.best_case) == (None, None)
    holed = carry_out(check, policy(), run([TIMEOUT] + [0.0] * 49 + [1.0] * 50), None)[-1]
    assert (holed.worst_case, holed.best_case) == (pytest.approx(0.50), pytest.approx(0.51))


def test_events_are_summed_and_the_cases_in_which_they_occur_named() -> None:
    check = planned(LEAK, CheckKind.ZERO_TOLERANCE, n=5)
    found = carry_out(check, policy(), run([0.0, 2.0, NA, 0.0, 3.0], LEAK), None)[-1]
    assert (found.state, found.events, found.worst_cases) == (CheckState.FAIL, 5, ("c1", "c4"))
    assert "5 in 2 of 4 cases" in found.reason.en


def test_an_event_in_one_repeat_of_many_is_an_event() -> None:
    """Over three repeats the case holds 1/3, which must not be rounded to none in the sentence that blocks."""
    check = planned(LEAK, CheckKind.ZERO_TOLERANCE, n=2)
    leaked = repeated(LEAK, [0.0, 0.0], [0.0, 1.0], [0.0, 0.0])
    found = carry_out(check, policy(), leaked, None)[-1]
    assert (found.state, found.events, found.worst_cases) == (CheckState.FAIL, 1, ("c1",))
    assert "1 in 1 of 2 cases" in found.reason.en
    assert "1 in 1 von 2 Fällen" in found.reason.de


def test_where_no_case_is_due_nothing_was_proven_to_be_absent() -> None:
    check = planned(LEAK, CheckKind.ZERO_TOLERANCE, n=2)
    assert carry_out(check, policy(), run([NA, NA], LEAK), None)[-1].state is CheckState.NOT_EVALUATED


def test_a_check_looks_at_its_own_cases_and_no_others() -> None:
    values: Values = [1.0, 0.0, 1.0, 0.0]
    check = planned(members=np.array([0, 2], dtype=np.intp))
    assert list(column_of(check, run(values)).case_ids) == ["c0", "c2"]
    assert column_of(check, run(values)).scores.values.tolist() == [1.0, 1.0]


def test_a_quantile_counts_answers_and_names_each_case_once() -> None:
    repeats: list[Values] = [[100.0, 200.0, 300.0, TIMEOUT], [110.0, 210.0, 310.0, TIMEOUT]]
    check = planned("latency_ms", n=4, pass_at=1000.0, block_at=2000.0, aggregate=Aggregate.P95)
    thin, band = carry_out(check, policy(), repeated("latency_ms", *repeats), None)
    assert "only 6 of 8 answers have a score" in thin.reason.en
    assert "nur 6 von 8 Antworten haben einen Wert" in thin.reason.de
    assert thin.worst_cases == ("c3",)
    assert band.worst_cases == ("c2", "c1", "c0")
