"""Several questions at the same time, and one question without the detour that several need."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

AnswerT = TypeVar("AnswerT")


async def asked_together(questions: Iterable[Coroutine[Any, Any, AnswerT]]) -> list[AnswerT]:
    """The answers to all questions, in order; all are asked at the same time.

    Most rows have one question, and that is simply awaited: a task of its own costs three more turns of the event loop.

    Example:
        >>> async def answer(number: int) -> int:
        ...     return number
        >>> asyncio.run(asked_together(answer(number) for number in (1, 2)))
        [1, 2]
    """
    waiting = list(questions)
    if len(waiting) == 1:
        return [await waiting[0]]
    return list(await asyncio.gather(*waiting))
