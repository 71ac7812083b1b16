"""What a probe is: it asks a panel about one row and about changed forms of it, and its items are summed up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from beleg.core.probes import ProbeReport
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Output, Passage
from beleg.judges.panel import Docket, Panel
from beleg.judges.probes.report import ProbeItem, probe_report, told_of
from beleg.metrics.batch import Row

ROWS_AT_A_TIME = 32
"""How many rows are under way, so that the variants of the others take no memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One line of the table of probes."""

    name: str
    asks: str
    """What the rate is the share of, in English."""
    asks_de: str
    """The same in German."""
    changed: tuple[str, str]
    """What the probe changes, in English and German."""
    probe: Callable[[Panel, Docket, Row], Awaitable[ProbeItem]]
    calls: Callable[[Row], int]
    """How many calls a row takes at most."""
    figures: Callable[[Sequence[ProbeItem]], dict[str, float]] = lambda _items: {}
    """Further figures over all items."""
    directions: tuple[str, ...] = ()
    """The counts that tell which way a verdict went."""


async def run_probe(probe: Probe, panel: Panel, rows: Sequence[Row | Score], names: Sequence[str]) -> ProbeReport:
    """Asks the panel about every row and sums up; a row without an answer is counted with its reason.

    Args:
        probe: what is probed.
        panel: who is asked; its own limits say how many requests are under way at a time.
        rows: one row for each case, or the reason why there is none.
        names: the case of each row.
    """
    free = asyncio.Semaphore(ROWS_AT_A_TIME)

    async def item(row: Row | Score, name: str) -> ProbeItem:
        async with free:
            return await _item(probe, panel, row, name)

    items = await asyncio.gather(*(item(row, name) for row, name in zip(rows, names, strict=True)))
    report = probe_report(probe.name, probe.asks, items, asks_de=probe.asks_de, figures=probe.figures(items))
    return told_of(report, items, changed=probe.changed, directions=probe.directions)


async def _item(probe: Probe, panel: Panel, row: Row | Score, name: str) -> ProbeItem:
    if isinstance(row, Score):
        return ProbeItem(case_id=name, without=row)
    if panel.judge is None:
        return ProbeItem(case_id=name, without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    return await probe.probe(panel, Docket(), row)


def outside(row: Row, reason: str) -> ProbeItem:
    """The item of a row that the probe says nothing about."""
    return ProbeItem(case_id=row.case.case_id, without=Score.without(ScoreStatus.NOT_APPLICABLE, reason))


def with_answer(row: Row, answer: str) -> Row:
    """The row with another answer."""
    return _with_output(row, row.output.model_copy(update={"answer": answer}))


def with_passages(row: Row, passages: Sequence[Passage]) -> Row:
    """The row with other passages in the place of those that were delivered."""
    return _with_output(row, row.output.model_copy(update={"delivered": tuple(passages)}))


def _with_output(row: Row, output: Output) -> Row:
    return replace(row, output=output, trace=row.trace.model_copy(update={"output": output}))
