from __future__ import annotations

from dataclasses import replace

from beleg.core.decision import CheckState
from beleg.core.manifest import Manifest
from beleg.core.policy_rules import RecordedPlace
from beleg.core.trace import Output, Trace, TraceStatus
from beleg.gating.record import record_check, unrecorded_cases
from beleg.metrics.batch import Batch
from support.builders import case, evaluation
from unit.gating.building import policy

BAND = {"metric": "hit@5", "pass_at": 0.8, "block_at": 0.7}
EVERY = tuple(RecordedPlace)


def trace(name: str, **output: object) -> Trace:
    return Trace(case_id=name, status=TraceStatus.OK, output=Output(**output))


FULL = {"reranked": (), "delivered": (), "prompt": "p", "answer": "a", "citations": ()}


def test_an_empty_list_is_recorded_and_an_absent_one_is_not() -> None:
    cases = [case("c1"), case("c2"), case("c3")]
    bare = trace("c2", answer="a")
    batch = Batch.of(cases, [trace("c1", **FULL), bare, None])
    found = unrecorded_cases(batch, EVERY, Manifest(name="m"))
    assert found == {place: (() if place is RecordedPlace.ANSWER else ("c2",)) for place in EVERY}


def test_a_part_that_the_system_does_not_have_need_not_be_recorded() -> None:
    batch = Batch.of([case("c1")], [trace("c1")])
    found = unrecorded_cases(batch, (RecordedPlace.RERANKED,), Manifest(name="m", not_used=("reranker",)))
    assert found == {}


def test_a_place_that_was_not_recorded_keeps_from_pass_where_the_policy_names_it() -> None:
    run = replace(evaluation([case("c1")], {}), unrecorded={RecordedPlace.PROMPT: ("c1",), RecordedPlace.ANSWER: ()})
    assert record_check(policy(BAND), run) is None
    open_one = record_check(policy(BAND, required_record=["prompt", "answer"]), run)
    assert open_one is not None
    assert (open_one.state, open_one.worst_cases) == (CheckState.NOT_EVALUATED, ("c1",))
    assert "the prompt in 1 case" in open_one.reason.en
    assert "der Prompt in 1 Fall" in open_one.reason.de
    held = record_check(policy(BAND, required_record=["answer"]), run)
    assert held is not None
    assert held.state is CheckState.PASS
