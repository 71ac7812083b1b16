"""A progress line for a person who waits: done, rate, cost so far, time left. Silent where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from beleg.app.ir.ann.sweep import Step
    from beleg.app.judging_result import JudgingProgress
    from beleg.app.running import Progress


def cost_text(progress: Progress) -> str:
    """The cost so far; what nobody told is unknown, never 0."""
    if not progress.cost_known:
        return "cost unknown"
    unknown = progress.done - progress.cost_known
    told = f"{progress.cost_usd:.4f} USD"
    return f"{told} + {unknown} unknown" if unknown else told


def failure_lines(progress: Progress) -> list[str]:
    """How many attempts failed of which kind, and what the first of them said."""
    first = progress.first_failure
    if first is None:
        return []
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(progress.failures.items()))
    message = " ".join(first.error.message.split()) if first.error else first.status.value
    return [f"Failed: {kinds}; first {first.case_id}: {message}"]


@contextmanager
def progress_line(title: str) -> Iterator[Callable[[Progress], None] | None]:
    """Shows a progress bar on the terminal while a run goes on."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar("rate", "cost", "failed") as bar:
        line = bar.add_task(title, total=None, rate="", cost="", failed="")

        def update(progress: Progress) -> None:
            seconds = max(time.monotonic() - progress.started_at, 1e-9)
            bar.update(
                line,
                total=progress.total,
                completed=progress.done,
                rate=f"{progress.done / seconds:.1f}/s",
                cost=cost_text(progress),
                failed=f"{progress.failed} failed" if progress.failed else "",
            )

        yield update


@contextmanager
def judging_line(title: str) -> Iterator[Callable[[JudgingProgress], None] | None]:
    """Shows a progress bar on the terminal while answers are judged: done, rate, calls, cost so far, time left."""
    if not sys.stderr.isatty():
        yield None
        return
    with _bar("rate", "calls", "cost", "failed") as bar:
        line = bar.add_task(title, total=None, rate="", calls="", cost="", failed="")

        def update(progress: JudgingProgress) -> None:
            seconds = max(time.monotonic() - progress.started_at, 1e-9)
            spent = progress.spending
            bar.update(
                line,
                total=progress.total,
                completed=progress.done,
                rate=f"{progress.done / seconds:.1f}/s",
                calls=f"{spent.calls} calls",
                cost="cost unknown" if spent.usd is None else f"{spent.usd:.4f} USD",
                failed=f"{progress.unjudged} without verdict" if progress.unjudged else "",
            )

        yield update


@contextmanager
def steps_line(title: str) -> Iterator[Callable[[Step], None] | None]:
    """Shows a progress bar for work that is counted in steps of changing kinds."""
    if not sys.stderr.isatty():
        yield None
        return
    # Drawing takes time from what is measured, so it is done seldom.
    with _bar("rate", refresh_per_second=2) as bar:
        line = bar.add_task(title, total=None, rate="")
        began, unit = time.monotonic(), ""

        def update(step: Step) -> None:
            nonlocal began, unit
            if step.unit != unit:
                unit, began = step.unit, time.monotonic()
                bar.reset(line, total=step.total)
            seconds = max(time.monotonic() - began, 1e-9)
            bar.update(
                line,
                description=step.doing,
                total=step.total,
                completed=step.done,
                rate=f"{step.done / seconds:,.0f} {step.unit}/s",
            )

        yield update


def _bar(*fields: str, refresh_per_second: float = 10) -> Bar:
    """A bar with what is done, some fields of text, the time taken and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    return RichProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *(TextColumn(f"{{task.fields[{name}]}}") for name in fields),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=refresh_per_second,
    )
