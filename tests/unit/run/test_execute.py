from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from beleg.core.errors import CandidateError, EvidenceError, InvalidOutput
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


def test_a_candidate_that_raises_a_cancellation_of_its_own_fails_that_case_alone(tmp_path: Path) -> None:
    async def cancelling(query: Query) -> Output:
        await asyncio.sleep(0)
        if query.case_id in {"c0", "c1", "c2", "c3"}:
            raise asyncio.CancelledError
        return OK

    progress = run_all(tmp_path, cancelling, 20, concurrency=4)
    assert (progress.done, progress.failures) == (20, {"cancelled": 4})
    statuses = {item.case_id: item.status for item in read(tmp_path / "j").traces}
    assert [statuses[name] for name in ("c0", "c3", "c4")] == [TraceStatus.ERROR, TraceStatus.ERROR, TraceStatus.OK]


def test_a_candidate_that_cancels_the_worker_cannot_make_a_part_pass_for_the_whole(tmp_path: Path) -> None:
    def stopping(_: Query) -> Output:
        current = asyncio.current_task()
        assert current is not None
        current.cancel()
        return OK

    with pytest.raises(EvidenceError, match="only 2 of 5 cases were asked"):
        run_all(tmp_path, stopping, 5, concurrency=2)
    assert len(read(tmp_path / "j").traces) == 2


def test_a_run_that_is_cancelled_stops_although_the_candidate_swallows_it(tmp_path: Path) -> None:
    asked_for: list[str] = []

    async def stubborn(query: Query) -> Output:
        asked_for.append(query.case_id)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return OK
        return OK

    async def scenario(journal: JournalWriter) -> None:
        tasks = plan([case(f"c{i}") for i in range(5)], 1, frozenset())
        running = asyncio.create_task(execute(FunctionCandidate(stubborn), tasks, RunSettings(concurrency=2), journal))
        while len(asked_for) < 2:
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with JournalWriter(tmp_path / "j", keep_bytes=0) as journal:
        asyncio.run(scenario(journal))
    assert sorted(asked_for) == ["c0", "c1"]
    assert len(read(tmp_path / "j").traces) == 2


async def swallowing(_: Query) -> Output:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return OK
    return OK


async def failing_late(_: Query) -> Output:
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        raise CandidateError("busy", kind="http_503", retryable=True, retry_after_s=30.0) from None
    return OK


def blocking(_: Query) -> Output:
    time.sleep(0.1)
    return OK


@pytest.mark.parametrize("late", [swallowing, failing_late, blocking])
def test_whatever_comes_after_the_deadline_is_a_timeout(late) -> None:  # type: ignore[no-untyped-def]
    found = asked(late, timeout_s=0.05)
    assert (found.status, found.output, found.attempts) == (TraceStatus.TIMEOUT, None, 1)
    assert found.error is not None
    assert found.error.message == "no answer within 0.05 s"


@pytest.mark.parametrize(
    ("kind", "message", "stored"),
    [
        ("", "", ("error", "CandidateError")),
        ("a\nb", "half a pair: \ud800", ("ab", "half a pair: ?")),
        ("x" * 600, "long", ("x" * 100, "long")),
    ],
)
def test_a_fault_is_stored_whatever_kind_and_text_it_has(kind: str, message: str, stored: tuple[str, str]) -> None:
    def broken(_: Query) -> Output:
        raise CandidateError(message, kind=kind)

    found = asked(broken).error
    assert found is not None
    assert (found.kind, found.message) == stored


def test_a_fault_of_the_progress_callback_is_raised_when_every_answer_is_journalled(tmp_path: Path) -> None:
    told: list[int] = []

    def broken(progress: Progress) -> None:
        told.append(progress.done)
        raise ValueError("bar")

    tasks = plan([case(f"c{i}") for i in range(20)], 1, frozenset())
    with JournalWriter(tmp_path / "j", keep_bytes=0) as journal, pytest.raises(ValueError, match="bar"):
        asyncio.run(execute(FunctionCandidate(lambda _: OK), tasks, RunSettings(concurrency=4), journal, broken))
    assert told == [1]
    assert len(read(tmp_path / "j").traces) == 20
