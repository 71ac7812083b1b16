from __future__ import annotations

import pytest

from beleg.core.decision import CheckState
from beleg.core.score import ScoreStatus
from beleg.gating.evaluators import evaluator_checks
from beleg.gating.plan import plan_checks
from support.builders import case, evaluation
from unit.gating.building import policy

N = 100
CASES = [case(f"c{i}") for i in range(N)]
RULES = policy({"metric": "faithfulness", "pass_at": 0.9, "block_at": 0.8},
               {"metric": "hit@5", "pass_at": 0.9, "block_at": 0.8}, evaluator_failures={"ceiling": 0.02},
               owner="Judges")  # fmt: skip


def states(faulty: dict[int, ScoreStatus], attempts: dict[int, float] | None = None) -> list[CheckState]:
    values = [faulty.get(i, 1.0) for i in range(N)]
    failed = [(attempts or {}).get(i, 0.0) for i in range(N)]
    run = evaluation(CASES, {"faithfulness": values, "hit@5": [1.0] * N, "failed": failed})
    return [check.state for check in evaluator_checks(RULES, plan_checks(RULES, CASES), run)]


@pytest.mark.parametrize("status", [ScoreStatus.JUDGE_ERROR, ScoreStatus.INVALID, ScoreStatus.TIMEOUT])
def test_a_share_at_the_ceiling_holds_and_one_row_more_does_not(status: ScoreStatus) -> None:
    assert states(dict.fromkeys(range(2), status)) == [CheckState.PASS]
    assert states(dict.fromkeys(range(3), status)) == [CheckState.ERROR]


def test_a_row_that_the_candidate_left_without_an_answer_is_no_fault_of_the_evaluator() -> None:
    late = dict.fromkeys(range(5), ScoreStatus.TIMEOUT)
    assert states(late, dict.fromkeys(range(5), 1.0)) == [CheckState.PASS]


def test_an_evaluator_that_was_never_asked_has_shown_nothing() -> None:
    assert states(dict.fromkeys(range(N), ScoreStatus.MISSING)) == [CheckState.NOT_EVALUATED]


def test_rows_that_nobody_judged_yet_are_missing_and_not_faulty() -> None:
    assert states(dict.fromkeys(range(50), ScoreStatus.MISSING)) == [CheckState.PASS]


def test_rows_that_nobody_judged_do_not_make_faults_look_rare() -> None:
    few = dict.fromkeys(range(80), ScoreStatus.MISSING) | dict.fromkeys(range(80, 82), ScoreStatus.JUDGE_ERROR)
    assert states(few) == [CheckState.ERROR]


def test_only_metrics_that_rest_on_somebody_are_asked_about_and_only_where_the_policy_says_so() -> None:
    run = evaluation(CASES, {"faithfulness": [1.0] * N, "hit@5": [1.0] * N, "failed": [0.0] * N})
    found = evaluator_checks(RULES, plan_checks(RULES, CASES), run)
    assert [(check.check_id, check.owner) for check in found] == [("faithfulness/evaluator", "Judges")]
    silent = RULES.model_copy(update={"evaluator_failures": None})
    assert evaluator_checks(silent, plan_checks(silent, CASES), run) == []


def test_the_rows_to_judge_again_are_named() -> None:
    values = [ScoreStatus.JUDGE_ERROR if i < 7 else 1.0 for i in range(N)]
    run = evaluation(CASES, {"faithfulness": values, "hit@5": [1.0] * N, "failed": [0.0] * N})
    check = evaluator_checks(RULES, plan_checks(RULES, CASES), run)[0]
    assert check.worst_cases == tuple(f"c{i}" for i in range(7))
    assert check.remedy is not None
    assert "7 rows judged again" in check.remedy.en
    assert "7 of 100 rows" in check.reason.en
