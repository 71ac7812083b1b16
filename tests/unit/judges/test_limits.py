from __future__ import annotations

import asyncio

import pytest

from beleg.core.judge_settings import JudgeLimits
from beleg.core.judging import JudgeFault
from beleg.judges.limits import LONGEST_PAUSE_S, TURN, AdaptiveWindow, Limiter, TokenBucket
from support.judge_models import FakeTime


def limiter(time: FakeTime, **limits: float) -> Limiter:
    return Limiter(JudgeLimits(**limits), clock=time.clock, sleep=time.sleep)


def starts(time: FakeTime, count: int, tokens: int = 1, **limits: float) -> list[float]:
    """When each of some requests that end at once was let through."""

    async def work() -> list[float]:
        made, moments = limiter(time, **limits), []
        for _ in range(count):
            permit = await made.acquire(tokens)
            assert permit is not None
            moments.append(time.now - 1_000.0)
            made.release(permit, used_tokens=tokens)
        return moments

    return asyncio.run(work())


def test_no_more_requests_are_in_flight_than_allowed() -> None:
    async def work() -> int:
        made, most = limiter(FakeTime(), in_flight=3), 0

        async def one() -> None:
            nonlocal most
            permit = await made.acquire(1)
            assert permit is not None
            most = max(most, made.in_flight)
            await asyncio.sleep(0.001)
            made.release(permit, used_tokens=1)

        await asyncio.gather(*(one() for _ in range(20)))
        assert made.in_flight == 0
        return most

    assert asyncio.run(work()) == 3


def test_requests_a_minute_are_spread_over_the_minute() -> None:
    assert starts(FakeTime(), 4, requests_per_minute=30) == pytest.approx([0, 2, 4, 6])


@pytest.mark.parametrize("per_minute", [6, 90, 600])
def test_no_minute_holds_more_requests_than_allowed_but_for_a_second_of_them(per_minute: int) -> None:
    moments = starts(FakeTime(), 3 * per_minute, requests_per_minute=per_minute)
    for first in moments:
        inside = sum(first <= moment < first + 60 for moment in moments)
        assert inside <= per_minute + max(1, per_minute / 60) + 1


def test_tokens_a_minute_are_waited_for_and_a_large_request_passes_on_credit() -> None:
    # 600 a minute are 10 a second: after one of 100 the next waits until its debt is paid.
    assert starts(FakeTime(), 3, tokens=100, tokens_per_minute=600) == pytest.approx([0, 10, 20])


def test_tokens_that_were_not_used_are_given_back() -> None:
    async def work() -> float:
        time = FakeTime()
        made = limiter(time, tokens_per_minute=600)
        first = await made.acquire(1_000)
        assert first is not None
        made.release(first, used_tokens=10)
        await made.acquire(10)
        return time.now - 1_000.0

    assert asyncio.run(work()) == pytest.approx(1.0)


def test_unknown_usage_counts_as_what_was_reckoned_with() -> None:
    async def work() -> float:
        time = FakeTime()
        made = limiter(time, tokens_per_minute=600)
        first = await made.acquire(100)
        assert first is not None
        made.release(first, used_tokens=None)
        await made.acquire(10)
        return time.now - 1_000.0

    assert asyncio.run(work()) == pytest.approx(10.0)


def test_when_a_server_asks_to_wait_everybody_waits() -> None:
    async def work() -> list[float]:
        time = FakeTime()
        made = limiter(time, in_flight=8)
        first = await made.acquire(1)
        assert first is not None
        made.release(first, used_tokens=None, fault=JudgeFault.RATE_LIMITED, retry_after_s=7.0)

        async def one() -> float:
            await made.acquire(1)
            return time.now - 1_000.0

        return await asyncio.gather(*(one() for _ in range(3)))

    assert asyncio.run(work()) == pytest.approx([7.0, 7.0, 7.0])


def test_a_pause_is_bounded() -> None:
    async def work() -> float:
        time = FakeTime()
        made = limiter(time)
        first = await made.acquire(1)
        assert first is not None
        made.release(first, used_tokens=None, fault=JudgeFault.RATE_LIMITED, retry_after_s=1e9)
        await made.acquire(1)
        return time.now - 1_000.0

    assert asyncio.run(work()) == pytest.approx(LONGEST_PAUSE_S)


def test_a_request_that_could_not_be_sent_in_time_is_not_waited_for() -> None:
    async def work() -> tuple[object, float]:
        time = FakeTime()
        made = limiter(time, requests_per_minute=1)
        assert await made.acquire(1) is not None
        return await made.acquire(1, until=time.now + 30), time.now

    assert asyncio.run(work()) == (None, 1_000.0)


def test_who_is_cancelled_while_waiting_leaves_nothing_behind() -> None:
    async def work() -> int:
        made = limiter(FakeTime(), in_flight=1)
        held = await made.acquire(1)
        assert held is not None
        waiting = asyncio.create_task(made.acquire(1))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        made.release(held, used_tokens=1)
        assert await made.acquire(1) is not None
        return made.in_flight

    assert asyncio.run(work()) == 1


def rounds(window: AdaptiveWindow, *, faults_in_ten: int, replies: int) -> None:
    for number in range(replies):
        window.note(is_overload=number % 10 < faults_in_ten)


def test_an_overloaded_server_is_asked_less_and_less_and_then_slowly_more() -> None:
    window = AdaptiveWindow(32)
    rounds(window, faults_in_ten=10, replies=400)
    assert window.size == 1
    rounds(window, faults_in_ten=0, replies=40)
    assert window.size == 5
    rounds(window, faults_in_ten=0, replies=2_000)
    assert window.size == 32


def test_single_faults_do_not_slow_a_run_down() -> None:
    window = AdaptiveWindow(32)
    rounds(window, faults_in_ten=1, replies=2_000)
    assert window.size >= 30


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = TokenBucket(60, now=0.0)
    bucket.take(-100, now=0.0)
    bucket.take(1, now=1_000.0)
    assert bucket.wait_s(1, now=1_000.0) == pytest.approx(1.0)


def test_requests_of_rows_that_were_begun_earlier_go_first() -> None:
    async def work() -> list[int]:
        made, passed = limiter(FakeTime(), in_flight=1), list[int]()
        first = await made.acquire(1)
        assert first is not None

        async def one(row: int) -> None:
            TURN.set(row)
            permit = await made.acquire(1)
            assert permit is not None
            passed.append(row)
            made.release(permit, used_tokens=1)

        tasks = [asyncio.create_task(one(row)) for row in (9, 7, 3, 8, 1)]
        await asyncio.sleep(0)
        made.release(first, used_tokens=1)
        await asyncio.gather(*tasks)
        return passed

    # The first to come is at the head already; the others follow row by row.
    assert asyncio.run(work()) == [9, 1, 3, 7, 8]


def test_whoever_is_cancelled_in_the_queue_holds_nobody_up() -> None:
    async def work() -> int:
        made = limiter(FakeTime(), in_flight=1)
        held = await made.acquire(1)
        assert held is not None
        tasks = [asyncio.create_task(made.acquire(1)) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[2].cancel()
        await asyncio.sleep(0)
        # The second is called to the head in the moment in which it is cancelled.
        made.release(held, used_tokens=1)
        tasks[1].cancel()
        permit = await asyncio.wait_for(tasks[3], 1)
        assert permit is not None
        made.release(permit, used_tokens=1)
        return made.in_flight

    assert asyncio.run(work()) == 0
