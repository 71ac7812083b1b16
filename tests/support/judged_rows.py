"""Rows to judge, and a loop that judges them with a bounded number under way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from beleg.adapters.models.openai_judge import OpenAiJudge, server_of, spec_of
from beleg.core.case import Case
from beleg.core.judge_settings import JudgeLimits, JudgeSettings
from beleg.core.trace import Output, Passage, Trace, TraceStatus
from beleg.judges.engine import JudgeEngine
from beleg.judges.measures.claim_support import judge_claim_support
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.sending import Controls
from beleg.judges.store import CallStore, MemoryStore
from beleg.metrics.batch import Row


def row(number: int, *, answer: str | None = None, passages: Iterable[str] | None = None) -> Row:
    """A row whose answer says two things, each of which stands in a passage."""
    said = f"Order {number} was sent on Monday. Its parcel weighs {number % 9 + 1} kilograms."
    texts = [f"{said} More about it is not known."] if passages is None else list(passages)
    delivered = tuple(
        Passage(passage_id=f"p{at}", document_id=f"d{at}", text=text) for at, text in enumerate(texts, start=1)
    )
    case = Case(case_id=f"c{number}", user_input=f"What is known of order {number}?")
    output = Output(answer=said if answer is None else answer, delivered=delivered)
    trace = Trace(case_id=case.case_id, status=TraceStatus.OK, total_ms=1.0, output=output)
    return Row(case=case, trace=trace, output=output)


def rows(count: int) -> Iterator[Row]:
    """Rows that all differ."""
    return (row(number) for number in range(count))


async def judge_all(engine: JudgeEngine, asked: Iterable[Row], *, workers: int = 32) -> list[Outcome]:
    """Judges every row with only so many under way; the outcomes in the order in which they ended."""
    waiting, panel, outcomes = iter(asked), Panel(judge=engine), []

    async def work() -> None:
        for each in waiting:
            outcomes.append(await judge_claim_support(panel, Docket(), each))

    await asyncio.gather(*(work() for _ in range(workers)))
    return outcomes


@asynccontextmanager
async def engine_at(
    url: str, store: CallStore | None = None, *, api_key: str | None = None, **chosen: Any
) -> AsyncIterator[JudgeEngine]:
    """An engine on a real connection; limits may be given by name."""
    controls = {name: chosen.pop(name) for name in list(chosen) if name in Controls.__slots__}
    limits = JudgeLimits(**{"in_flight": 32, "attempts": 6, "call_timeout_s": 5.0, **chosen})
    settings = JudgeSettings(name="mock", base_url=url, model="mock", limits=limits)
    judge = OpenAiJudge(server_of(settings, api_key), spec_of(settings, "json_schema"))
    try:
        yield JudgeEngine(
            judge, MemoryStore() if store is None else store, controls=Controls(**{"limits": limits, **controls})
        )
    finally:
        await judge.close()
