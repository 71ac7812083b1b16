from __future__ import annotations

import pytest

from beleg.core.decision import CheckKind, CheckState
from beleg.gating.bindings import closed, hold_together
from unit.gating.building import planned, policy, result

RELEVANCY = planned("answer_relevancy", check_id="answer_relevancy/band", together_with=("required_clauses", "hit@5"))


def states(relevancy: CheckState, *others: tuple[str, CheckState]) -> CheckState:
    results = [result("answer_relevancy/band", relevancy), *(result(name, state) for name, state in others)]
    return hold_together([RELEVANCY], results)[0].state


def test_a_check_passes_only_where_its_companions_pass_in_every_part() -> None:
    clauses, hit = ("required_clauses/band", CheckState.PASS), ("hit@5/band", CheckState.PASS)
    assert states(CheckState.PASS, clauses, hit) is CheckState.PASS
    assert states(CheckState.PASS, clauses) is CheckState.INCONCLUSIVE
    german = ("required_clauses/band/language=de", CheckState.INCONCLUSIVE)
    assert states(CheckState.PASS, clauses, hit, german) is CheckState.INCONCLUSIVE


def test_a_companion_that_failed_does_not_make_the_check_fail_for_it() -> None:
    failed = ("required_clauses/band", CheckState.FAIL)
    assert states(CheckState.PASS, failed) is CheckState.INCONCLUSIVE
    assert states(CheckState.FAIL, failed) is CheckState.FAIL


def test_the_open_companion_is_named() -> None:
    held = hold_together([RELEVANCY], [result("answer_relevancy/band", CheckState.PASS)])[0]
    assert "Required clauses" in held.reason.en
    assert "Pflichtangaben" in held.reason.de


def test_checks_without_companions_are_left_alone() -> None:
    given = [result(state=CheckState.PASS)]
    assert hold_together([planned()], given) == given


@pytest.mark.parametrize("state", [CheckState.ERROR, CheckState.NOT_EVALUATED, CheckState.INCONCLUSIVE])
def test_an_open_check_blocks_only_where_the_policy_says_so(state: CheckState) -> None:
    rules = policy({"metric": "hit@5", "margin": 0.1}, block_when_open=["coverage"])
    assert closed(result(state=state, kind=CheckKind.COVERAGE), rules).state is CheckState.FAIL
    assert closed(result(state=state, kind=CheckKind.BAND), rules).state is state


def test_a_check_that_is_settled_stays_as_it_is() -> None:
    rules = policy({"metric": "hit@5", "margin": 0.1}, block_when_open=["band"])
    for state in (CheckState.PASS, CheckState.FAIL):
        assert closed(result(state=state), rules) == result(state=state)
