"""Faithfulness of the rows of a file by Beleg; says what it took as one line of JSON.

usage: python benchmarks/peers/judge_beleg.py URL ROWS.jsonl CONCURRENCY [STORE.sqlite]
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from beleg.adapters.models.openai_judge import OpenAiJudge, server_of, spec_of
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.core.case import Case
from beleg.core.judge_settings import JudgeLimits, JudgeSettings
from beleg.core.trace import Output, Passage, Trace, TraceStatus
from beleg.judges.engine import JudgeEngine
from beleg.judges.measures.claim_support import judge_claim_support
from beleg.judges.panel import Docket, Panel
from beleg.judges.sending import Controls
from beleg.judges.store import CallStore, MemoryStore
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport, faithfulness


class Nothing(MemoryStore):
    """Forgets every call, so that the memory of what asks is measured and not that of a store."""

    def put(self, _call: object) -> None:
        """Forgets a call."""


def rows(path: Path) -> Iterator[Row]:
    """The rows, read one by one."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            delivered = tuple(
                Passage(passage_id=f"p{at}", document_id=f"d{at}", text=text) for at, text in enumerate(row["contexts"])
            )
            case = Case(case_id=f"c{number}", user_input=row["question"])
            output = Output(answer=row["answer"], delivered=delivered)
            trace = Trace(case_id=case.case_id, status=TraceStatus.OK, total_ms=1.0, output=output)
            yield Row(case=case, trace=trace, output=output)


async def judge(url: str, path: Path, workers: int, store: CallStore) -> tuple[int, float]:
    """Judges every row; gives how many got a score, and their sum."""
    limits = JudgeLimits(in_flight=workers)
    settings = JudgeSettings(name="mock", base_url=url, model="gpt-4o-mini", limits=limits)
    model = OpenAiJudge(server_of(settings, "not-needed"), spec_of(settings, "json_schema"))
    panel = Panel(judge=JudgeEngine(model, store, controls=Controls(limits=limits)))
    waiting, scored, total = rows(path), 0, 0.0

    async def work() -> None:
        nonlocal scored, total
        for row in waiting:
            outcome = await judge_claim_support(panel, Docket(), row)
            if outcome.evidence is not None:
                value = faithfulness(ClaimSupport.model_validate(outcome.evidence, strict=False)).value
                scored, total = scored + (value is not None), total + (value or 0.0)

    try:
        await asyncio.gather(*(work() for _ in range(workers)))
    finally:
        await model.close()
    return scored, total


def main() -> None:
    """Judges, and says what it took."""
    url, path, workers = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    store = SqliteCallStore.open(Path(sys.argv[4])) if len(sys.argv) > 4 else Nothing()
    wall, cpu = time.perf_counter(), time.process_time()
    scored, total = asyncio.run(judge(url, path, workers, store))
    took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    if isinstance(store, SqliteCallStore):
        store.close()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({**took, "peak_mb": peak / 1024, "scored": scored, "mean": total / max(1, scored)}))


if __name__ == "__main__":
    main()
