"""What running a candidate costs beyond the candidate itself, journal and all.

usage: python benchmarks/bench_engine.py [--smoke]
"""

from __future__ import annotations

import asyncio
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

import beleg
import inputs
from beleg.core.run import RunSettings
from beleg.core.suite import Suite
from beleg.core.trace import Output, Query
from measuring import Row, Spent, is_smoke, show, spend

WALL_BUDGET = 1.10
CPU_BUDGET_MS = 1.0
PASSAGES = 10


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is asked, and how slowly it is answered."""

    cases: int
    concurrency: int
    answer_s: float

    @property
    def ideal_s(self) -> float:
        """The time that no engine can beat."""
        return math.ceil(self.cases / self.concurrency) * self.answer_s


FULL = Sizes(1_000, 32, 0.200)
SMOKE = Sizes(24, 8, 0.010)


def ours(sizes: Sizes, suite: Suite, output: Output) -> Spent:
    """A whole run: suite written, every answer journalled."""

    async def answer(query: Query) -> Output:
        await asyncio.sleep(sizes.answer_s)
        return output

    with tempfile.TemporaryDirectory() as folder:
        settings = RunSettings(concurrency=sizes.concurrency)
        run, spent = spend(
            lambda: beleg.evaluate(answer, suite, name="bench", out=Path(folder, "run"), settings=settings)
        )
        lines = (run.folder / "traces.jsonl").read_bytes().count(b"\n")
    if lines != sizes.cases:
        raise SystemExit(f"{lines} of {sizes.cases} answers were journalled; the figures would mean nothing")
    return spent


def peer(sizes: Sizes, output: Output) -> Spent:
    """The loop that everybody writes: a semaphore, and results in memory."""

    async def answer(limit: asyncio.Semaphore) -> Output:
        async with limit:
            await asyncio.sleep(sizes.answer_s)
            return output

    async def ask_all() -> list[Output]:
        limit = asyncio.Semaphore(sizes.concurrency)
        return list(await asyncio.gather(*(answer(limit) for _ in range(sizes.cases))))

    _, spent = spend(lambda: asyncio.run(ask_all()))
    return spent


def main() -> None:
    """Measures the engine and the plain loop one after the other."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    suite = inputs.suite(sizes.cases)
    pool = inputs.passage_pool(PASSAGES, words=60, seed=1)
    output = Output(retrieved=tuple(pool), answer="Within 30 days. [1]")
    ours(SMOKE, inputs.suite(SMOKE.cases), output)  # imports and first calls are not part of a long run
    plain, run = peer(sizes, output), ours(sizes, suite, output)
    rows = [
        Row(what="wall time over ideal", measured=run.wall_s / sizes.ideal_s, unit="×", budget=WALL_BUDGET,
            peer="asyncio semaphore", peer_measured=plain.wall_s / sizes.ideal_s),
        Row(what="CPU per case", measured=run.cpu_s * 1_000 / sizes.cases, unit="ms", budget=CPU_BUDGET_MS,
            peer="asyncio semaphore", peer_measured=plain.cpu_s * 1_000 / sizes.cases,
            note="the peer keeps its answers in memory and loses them when it is killed"),
    ]  # fmt: skip
    setting = (
        f"{sizes.cases:,} cases, an async candidate of {sizes.answer_s * 1_000:g} ms with {PASSAGES} passages, "
        f"{sizes.concurrency} in flight; ideal {sizes.ideal_s:.2f} s. The run folder and every answer are on disk."
    )
    show("engine", setting, rows, packages=("pydantic",), smoke=smoke)


if __name__ == "__main__":
    main()
