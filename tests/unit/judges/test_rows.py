from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from beleg.core.errors import CandidateError
from beleg.core.findings import Finding
from beleg.core.judging import TaskReference
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import TraceStatus
from beleg.judges.engine import JudgeEngine
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.rows import RowJob, judge_of, judge_row, judge_rows, open_jobs
from beleg.judges.store import MemoryStore
from beleg.metrics.batch import Batch, Row
from beleg.metrics.verification.verifier import AlignmentVerifier
from support.judge_models import ScriptedModel, controls, scripted_panel, spec
from unit.metrics.building import broken, case, trace

PANEL = scripted_panel({})


def measure(found: Callable[[Row], Outcome] = lambda _: Outcome(evidence={}), **fields: Any) -> JudgedMeasure:
    async def judge(_panel: Panel, _docket: Docket, row: Row) -> Outcome:
        await asyncio.sleep(0)
        return found(row)

    given: dict[str, Any] = {"name": "m", "version": "1", "needs": frozenset({"judge"}), "calls": lambda _: 1}
    return JudgedMeasure(**given | {"judge": judge} | fields)


def batch(n: int = 3, **output: Any) -> Batch:
    names = [f"c{number}" for number in range(n)]
    return Batch.of(
        [case(case_id=name) for name in names], [trace(name, **{"answer": "yes"} | output) for name in names]
    )


def judged(
    of: Batch, wanted: JudgedMeasure, known: dict[Any, Finding] | None = None, panel: Panel = PANEL
) -> list[Finding]:
    found: list[Finding] = []
    asyncio.run(judge_rows(panel, open_jobs(of, [wanted], panel, known or {}), found.append, at_a_time=2))
    return found


def test_every_row_that_ended_well_gets_one_finding() -> None:
    run = Batch.of([*batch().cases, case(case_id="bad")], [*batch().traces, broken(TraceStatus.ERROR, "bad")])
    assert sorted(found.case_id for found in judged(run, measure())) == ["c0", "c1", "c2"]


def test_what_was_judged_is_not_judged_again() -> None:
    first = judged(batch(), measure())
    known = {(found.case_id, found.repeat, found.measure): found for found in first}
    assert judged(batch(), measure(), known) == []
    assert len(judged(batch(), measure(version="2"), known)) == 3
    assert len(judged(batch(answer="no"), measure(), known)) == 3


def test_a_verifier_names_the_judge_that_finds_its_claims() -> None:
    """A record for one splitter must not vouch for another: fewer and easier claims raise the figure."""
    by_verifier = measure(needs=frozenset({"verifier"}), splits_by_judge=True)
    alone = Panel(verifier=AlignmentVerifier())
    named = []
    for model in ("one", "other"):
        splitter = JudgeEngine(ScriptedModel({}, spec(model=model)), MemoryStore(), controls=controls(), attempts=2)
        named.append(judge_of(by_verifier, replace(alone, judge=splitter)))
    assert judge_of(by_verifier, alone) == AlignmentVerifier().spec
    assert AlignmentVerifier().spec not in named
    assert named[0] != named[1]


def test_another_judge_judges_anew() -> None:
    known = {(found.case_id, found.repeat, found.measure): found for found in judged(batch(), measure())}
    assert len(judged(batch(), measure(), known, Panel())) == 3


@pytest.mark.parametrize(("status", "again"), [(ScoreStatus.JUDGE_ERROR, 3), (ScoreStatus.NO_CLAIMS, 0)])
def test_only_what_failed_is_judged_again(status: ScoreStatus, again: int) -> None:
    wanted = measure(lambda _: Outcome(without=Score.without(status)))
    known = {(found.case_id, found.repeat, found.measure): found for found in judged(batch(), wanted)}
    assert len(judged(batch(), wanted, known)) == again


def test_a_row_without_an_answer_is_not_shown_to_a_judge_that_needs_one() -> None:
    def refuse(_row: Row) -> Outcome:
        raise AssertionError("the judge was asked")

    assert {found.status for found in judged(batch(answer=None), measure(refuse))} == {ScoreStatus.MISSING}
    found = judged(batch(answer=None), measure(needs_answer=False))
    assert {one.status for one in found} == {ScoreStatus.SCORED}


def test_a_model_that_fails_outside_the_engine_is_an_error_of_the_judge() -> None:
    def fail(_row: Row) -> Outcome:
        raise CandidateError("the embedding model is down")

    row = batch(1).rows[0]
    assert isinstance(row, Row)
    found = asyncio.run(judge_row(PANEL, RowJob(row=row, measure=measure(fail))))
    assert (found.status, found.detail) == (ScoreStatus.JUDGE_ERROR, "the embedding model is down")


def test_a_journal_that_fails_ends_the_judging_with_its_own_words() -> None:
    def full(_found: Finding) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        asyncio.run(judge_rows(PANEL, open_jobs(batch(), [measure()], PANEL, {}), full, at_a_time=2))


def test_another_threshold_of_a_verifier_judges_anew() -> None:
    wanted = measure(needs=frozenset({"verifier"}))
    first = judged(batch(), wanted, panel=Panel(verifier_threshold=0.4))
    known = {(found.case_id, found.repeat, found.measure): found for found in first}
    assert judged(batch(), wanted, known, Panel(verifier_threshold=0.4)) == []
    assert len(judged(batch(), wanted, known, Panel(verifier_threshold=0.6))) == 3


def test_a_finding_on_a_task_that_is_no_more_is_judged_again() -> None:
    gone = TaskReference(task="no_such_task", version="1", language="en", prompt_digest="p", schema_digest="s")
    first = [found.model_copy(update={"tasks": (gone,)}) for found in judged(batch(), measure())]
    known = {(found.case_id, found.repeat, found.measure): found for found in first}
    assert len(judged(batch(), measure(), known)) == 3


def test_in_waves_no_row_begins_before_all_that_were_begun_have_ended() -> None:
    events: list[str] = []

    async def judge(_panel: Panel, _docket: Docket, row: Row) -> Outcome:
        number = len([event for event in events if event == "begun"])
        events.append("begun")
        for _ in range(1 if number % 2 == 0 else 20):
            await asyncio.sleep(0)
        events.append("ended")
        return Outcome(evidence={})

    found: list[Finding] = []
    jobs = open_jobs(batch(4), [replace(measure(), judge=judge)], PANEL, {})
    asyncio.run(judge_rows(PANEL, jobs, found.append, at_a_time=2, in_waves=True))
    assert len(found) == 4
    assert events == 2 * ["begun", "begun", "ended", "ended"]
