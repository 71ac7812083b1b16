from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from beleg.core.errors import CandidateError, InvalidOutput
from beleg.core.run import RunSettings
from beleg.core.trace import Output, Query, Trace, TraceStatus, Usage
from beleg.run.execute import Progress, Task, ask, execute, plan
from beleg.run.journal import JournalWriter, read
from support.builders import FunctionCandidate, case, passage, trace

OK = Output(answer="yes")


def asked(function, **settings: object) -> Trace:  # type: ignore[no-untyped-def]
    return asyncio.run(ask(FunctionCandidate(function), Task(case(), 0), RunSettings(**settings)))


def test_the_plan_is_what_is_not_done_yet_with_repeats_last() -> None:
    tasks = plan([case("a"), case("b")], 2, frozenset({("a", 0), ("b", 1)}))
    assert [(task.case.case_id, task.repeat) for task in tasks] == [("b", 0), ("a", 1)]


def test_a_candidate_is_told_the_question_and_nothing_of_what_is_expected() -> None:
    seen: list[Query] = []
    asked(lambda query: seen.append(query) or OK)
    assert set(seen[0].model_dump()) == {"case_id", "repeat", "text", "turns", "language", "principal", "retrieve_only"}
    assert seen[0].text == "question c1"


def test_a_case_that_takes_too_long_is_a_timeout_and_is_cancelled() -> None:
    cancelled: list[bool] = []

    async def slow(_: Query) -> Output:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        return OK

    found = asked(slow, timeout_s=0.05)
    assert found.status is TraceStatus.TIMEOUT
    assert found.output is None
    assert found.error is not None
    assert found.error.message == "no answer within 0.05 s"
    assert cancelled == [True]


def test_a_passing_fault_is_tried_again_and_the_attempts_are_counted() -> None:
    calls: list[int] = []

    def flaky(_: Query) -> Output:
        calls.append(1)
        if len(calls) < 3:
            raise CandidateError("busy", kind="http_503", retryable=True, retry_after_s=0.0)
        return OK

    found = asked(flaky, retries=2)
    assert (found.status, found.attempts) == (TraceStatus.OK, 3)


def test_retries_end_and_the_last_fault_is_kept() -> None:
    def busy(_: Query) -> Output:
        raise CandidateError("busy", kind="http_503", retryable=True, retry_after_s=0.0)

    found = asked(busy, retries=1)
    assert (found.status, found.attempts, found.error and found.error.kind) == (TraceStatus.ERROR, 2, "http_503")


def test_a_lasting_fault_is_not_tried_again() -> None:
    def refused(_: Query) -> Output:
        raise CandidateError("no", kind="http_400")

    assert asked(refused, retries=5).attempts == 1


def test_whatever_a_candidate_raises_becomes_a_trace() -> None:
    def broken(_: Query) -> Output:
        raise KeyError("x" * 5_000)

    found = asked(broken)
    assert found.status is TraceStatus.ERROR
    assert found.error is not None
    assert found.error.kind == "KeyError"
    assert len(found.error.message) == 1_000


def test_an_unusable_output_is_invalid_and_not_a_fault_of_the_infrastructure() -> None:
    def unusable(_: Query) -> Output:
        raise InvalidOutput("html")

    assert asked(unusable).status is TraceStatus.INVALID


def test_a_passage_that_stands_twice_in_a_stage_is_invalid() -> None:
    found = asked(lambda _: Output(retrieved=(passage("p1", "d1"), passage("p1", "d1"))))
    assert found.status is TraceStatus.INVALID
    assert found.error is not None
    assert found.error.kind == "duplicate_passage"
    assert "'p1'" in found.error.message


class Recorded(FunctionCandidate):
    def trace(self, case_id: str, repeat: int = 0) -> Trace | None:
        return trace(case_id) if case_id == "c1" else None


def test_a_recorded_trace_is_taken_with_the_time_it_took_then() -> None:
    candidate = Recorded(lambda _: OK)
    assert asyncio.run(ask(candidate, Task(case(), 0), RunSettings())).total_ms == 1.5
    assert asyncio.run(ask(candidate, Task(case("other"), 0), RunSettings())).output == OK


def run_all(tmp_path: Path, function, n: int, **settings: object) -> Progress:  # type: ignore[no-untyped-def]
    tasks = plan([case(f"c{i}") for i in range(n)], 1, frozenset())
    with JournalWriter(tmp_path / "j", keep_bytes=0) as journal:
        return asyncio.run(execute(FunctionCandidate(function), tasks, RunSettings(**settings), journal))


def test_no_more_cases_are_under_way_than_allowed_and_none_is_lost(tmp_path: Path) -> None:
    under_way, most = 0, 0

    async def watched(_: Query) -> Output:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return OK

    progress = run_all(tmp_path, watched, 60, concurrency=7)
    assert most == 7
    assert progress.done == 60
    assert {item.case_id for item in read(tmp_path / "j").traces} == {f"c{i}" for i in range(60)}


def test_cost_adds_up_over_those_who_told_it(tmp_path: Path) -> None:
    def priced(query: Query) -> Output:
        return Output(answer="yes", usage=Usage(cost_usd=0.5 if query.case_id == "c0" else None))

    progress = run_all(tmp_path, priced, 3)
    assert (progress.cost_usd, progress.cost_known, progress.done) == (0.5, 1, 3)


def test_failures_are_counted_by_kind_and_the_first_is_kept(tmp_path: Path) -> None:
    def failing(query: Query) -> Output:
        if query.case_id == "c0":
            return OK
        raise CandidateError(f"{query.case_id} is down", kind="down" if query.case_id == "c1" else "gone")

    progress = run_all(tmp_path, failing, 4, concurrency=1)
    assert (progress.done, progress.failed, progress.failures) == (4, 3, {"down": 1, "gone": 2})
    assert progress.first_failure is not None
    assert progress.first_failure.case_id == "c1"


def test_a_journal_that_cannot_be_written_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: JournalWriter, _: Trace) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JournalWriter, "append", full)
    with pytest.raises(OSError, match="No space left"):
        run_all(tmp_path, lambda _: OK, 5)
