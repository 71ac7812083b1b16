from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from beleg.core.decision import CheckState, Decision, Verdict
from beleg.gating.decide import decide
from beleg.gating.queue import queue_of, waiting
from support.builders import case, evaluation
from unit.gating.building import policy

BETWEEN = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.5, "owner": "Search", "review_by": "2027-05-01"}
CLAUSES = {"metric": "required_clauses", "pass_at": 0.8, "block_at": 0.5, "owner": "Answers"}
SOME_WRONG = [0.0 if i % 4 == 0 else 1.0 for i in range(40)]


def decided(*checks: dict[str, Any], values: list[float] | None = None, **fields: Any) -> Decision:
    rules = policy(*checks, require_baseline=False, **fields)
    run = evaluation([case(f"c{i}") for i in range(40)], dict.fromkeys([each["metric"] for each in checks],
                                                                     values or SOME_WRONG))  # fmt: skip
    return decide(rules, run, None, decided_at=datetime(2026, 12, 1, tzinfo=UTC), beleg_version="0")


def test_each_boundary_case_goes_to_the_named_owner_with_check_and_reason() -> None:
    rules = policy(BETWEEN, CLAUSES)
    items = queue_of(decided(BETWEEN, CLAUSES), rules)
    assert {(item.owner, item.check) for item in items} == {
        ("Search", "hit@5/band"), ("Answers", "required_clauses/band"),
    }  # fmt: skip
    search = [item for item in items if item.owner == "Search"]
    assert [item.case for item in search] == [f"c{i}" for i in range(0, 40, 4)]
    assert {item.state for item in items} == {CheckState.INCONCLUSIVE}
    assert "75" in search[0].why.en
    assert search[0].remedy is not None
    assert search[0].review_by == date(2027, 5, 1)


def test_nothing_waits_after_pass_or_block() -> None:
    for values, verdict in (([1.0] * 40, Verdict.PASS), ([0.0] * 40, Verdict.BLOCK)):
        decision = decided(BETWEEN, values=values)
        assert decision.verdict is verdict
        assert queue_of(decision, policy(BETWEEN)) == ()


def test_what_lacks_evidence_waits_as_a_whole_and_sends_nobody_to_single_answers() -> None:
    few = BETWEEN | {"minimum_n": 50, "pass_at": 0.5}
    items = queue_of(decided(few, values=[1.0, 1.0, 0.0, 1.0] * 10), policy(few))
    assert [(item.check, item.case) for item in items] == [("hit@5/band", None)]


def test_a_case_that_waits_for_two_checks_of_one_owner_counts_once() -> None:
    both = (BETWEEN, CLAUSES | {"owner": "Search"})
    counted = waiting(queue_of(decided(*both), policy(*both)))
    assert (counted["Search"].cases, counted["Search"].checks) == (10, 0)


def test_without_any_owner_the_queue_says_so_by_having_none() -> None:
    nameless = {name: value for name, value in BETWEEN.items() if name != "owner"}
    assert set(waiting(queue_of(decided(nameless), policy(nameless)))) == {None}
