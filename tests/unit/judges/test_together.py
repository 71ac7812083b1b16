from __future__ import annotations

import asyncio

import pytest

from beleg.judges.together import asked_together


async def answer(number: int, pause: int = 0) -> int:
    for _ in range(pause):
        await asyncio.sleep(0)
    if number < 0:
        raise ValueError(str(number))
    return number


@pytest.mark.parametrize("numbers", [[], [7], [3, 1, 2]])
def test_answers_come_in_the_order_of_the_questions(numbers: list[int]) -> None:
    assert asyncio.run(asked_together(answer(number, pause=number) for number in numbers)) == numbers


@pytest.mark.parametrize("numbers", [[-1], [-1, 2]])
def test_a_fault_reaches_whoever_asks(numbers: list[int]) -> None:
    with pytest.raises(ValueError, match="-1"):
        asyncio.run(asked_together(answer(number) for number in numbers))


def test_several_questions_are_under_way_at_the_same_time() -> None:
    async def both() -> list[int]:
        met = asyncio.Barrier(2)

        async def meet(number: int) -> int:
            await met.wait()
            return number

        return await asyncio.wait_for(asked_together(meet(number) for number in (1, 2)), 5)

    assert asyncio.run(both()) == [1, 2]


def test_one_question_is_cancelled_with_whoever_asks() -> None:
    async def cancelled() -> list[str]:
        seen: list[str] = []

        async def wait() -> None:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                seen.append("cancelled")
                raise

        asking = asyncio.ensure_future(asked_together([wait()]))
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.wait([asking])
        return seen

    assert asyncio.run(cancelled()) == ["cancelled"]
