from __future__ import annotations

import asyncio
from typing import Any

import pytest

from beleg.core.judge_settings import JudgeBudget, JudgePrice
from beleg.core.trace import Usage
from beleg.judges.budget import Budget, Need, TokenEstimate
from support.judge_models import FakeTime

PRICE = JudgePrice(usd_per_million_prompt_tokens=1.0, usd_per_million_completion_tokens=10.0)
NEED = Need(prompt_tokens=1_000, completion_tokens=100)


def spend(budget: Budget, *, usage: Usage, times: int) -> list[str | None]:
    async def work() -> list[str | None]:
        reasons = []
        for _ in range(times):
            reason = await budget.reserve(NEED)
            if reason is None:
                budget.settle(NEED, usage)
            reasons.append(reason)
        return reasons

    return asyncio.run(work())


def budget(**limits: Any) -> Budget:
    return Budget(limits=JudgeBudget(**limits), price=PRICE)


def test_calls_end_at_their_limit() -> None:
    reasons = spend(budget(max_calls=2), usage=Usage(), times=4)
    assert reasons == [None, None, *["the budget of 2 calls is used up"] * 2]


@pytest.mark.parametrize("limits", [{"max_tokens": 5_000}, {"max_usd": 0.01}])
def test_no_limit_is_ever_passed_however_long_the_replies(limits: dict[str, Any]) -> None:
    kept = budget(**limits)
    reasons = spend(kept, usage=Usage(prompt_tokens=1_000, completion_tokens=100, cost_usd=0.002), times=20)
    told = kept.spending
    assert told.prompt_tokens + told.completion_tokens <= limits.get("max_tokens", 10**9)
    assert told.usd is not None
    assert told.usd <= limits.get("max_usd", 1e9) + 1e-12
    assert reasons[-1] is not None
    assert "used up" in reasons[-1]
    assert told.calls == {"max_tokens": 4, "max_usd": 5}[next(iter(limits))]


def test_a_call_of_unknown_usage_counts_as_what_it_may_have_taken() -> None:
    assert spend(budget(max_tokens=2_200), usage=Usage(), times=3)[:2] == [None, None]
    kept = budget(max_tokens=2_200)
    spend(kept, usage=Usage(), times=3)
    assert kept.spending.untold_calls == 2
    assert kept.spending.prompt_tokens == 0


def test_once_stopped_it_stays_stopped_also_for_smaller_calls() -> None:
    kept = budget(max_tokens=1_500)
    spend(kept, usage=Usage(prompt_tokens=1_000, completion_tokens=100), times=2)
    assert asyncio.run(kept.reserve(Need(1, 1))) is not None


def test_calls_under_way_are_waited_for_where_they_decide_whether_one_more_fits() -> None:
    async def work() -> list[str | None]:
        kept = budget(max_tokens=2_000)
        assert await kept.reserve(NEED) is None
        waiting = asyncio.create_task(kept.reserve(NEED))
        await asyncio.sleep(0)
        assert not waiting.done()
        kept.settle(NEED, Usage(prompt_tokens=500, completion_tokens=10))
        return [await waiting, kept.stopped]

    assert asyncio.run(work()) == [None, None]


def test_what_was_set_aside_and_not_sent_is_given_back() -> None:
    async def work() -> str | None:
        kept = budget(max_calls=1)
        assert await kept.reserve(NEED) is None
        kept.release(NEED)
        return await kept.reserve(NEED)

    assert asyncio.run(work()) is None


def test_rounding_of_money_keeps_nobody_waiting() -> None:
    async def work() -> None:
        kept = Budget(
            limits=JudgeBudget(max_usd=0.3),
            price=JudgePrice(usd_per_million_prompt_tokens=100.0, usd_per_million_completion_tokens=0.0),
        )
        needs = [Need(1_000, 0), Need(2_000, 0)]
        for need in needs:
            assert await kept.reserve(need) is None
        for need in needs:
            kept.release(need)
        assert await asyncio.wait_for(kept.reserve(Need(3_000, 0)), 1) is None

    asyncio.run(work())


def test_without_a_price_the_cost_is_unknown_and_never_0() -> None:
    kept = Budget()
    spend(kept, usage=Usage(prompt_tokens=5, completion_tokens=5), times=1)
    assert kept.spending.usd is None
    assert kept.cost_usd(Usage(prompt_tokens=5, completion_tokens=5)) is None
    assert Budget(price=PRICE).cost_usd(Usage(prompt_tokens=5)) is None


def test_when_the_time_is_over_nothing_more_is_sent() -> None:
    time = FakeTime()

    async def work() -> list[str | None]:
        kept = Budget(run_timeout_s=60.0, clock=time.clock)
        first = await kept.reserve(NEED)
        time.now += 61
        return [first, await kept.reserve(NEED)]

    assert asyncio.run(work()) == [None, "the 60 s of the run are over"]


def test_the_estimate_of_tokens_learns_from_what_was_told() -> None:
    estimate = TokenEstimate()
    assert estimate.of(3_000, 0) == 1_000
    estimate.learn(4_000, Usage(prompt_tokens=1_000))
    estimate.learn(4_000, Usage())
    assert estimate.of(4_000, 0) == 1_100
