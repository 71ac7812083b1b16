"""How quickly the workbench shows a run of 100,000 cases with 1,000,000 scores, asked from a second process.

usage: python benchmarks/bench_workbench.py [--smoke]

A run with its journal is written and put into the index of a project; then the real ``beleg serve`` is started, and
this process asks it for pages, one after another over one connection. Of each kind of page every request has another
filter, place or case, so that nothing is asked twice in a row. There is no peer: budgets are those of the project.
"""

from __future__ import annotations

import http.client
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np

import inputs
from beleg.adapters.stores.run_index import SqliteRunIndex
from beleg.app.workbench.addresses import case_path, run_path
from beleg.app.workbench.case_list import PAGE_CASES
from beleg.app.workbench.indexing import run_digest
from beleg.app.workbench.services import INDEX_FILE
from beleg.core.case import Case
from beleg.core.decision import Bounds, Counts, StageCount
from beleg.core.run_index import (
    CaseDetail,
    CaseToIndex,
    RunSummary,
    ScoresToIndex,
    StageTrail,
    SummaryFigure,
    TracePlace,
)
from beleg.core.score import ScoreStatus
from beleg.core.suite import Suite, SuiteHeader
from beleg.core.trace import STAGES, Stage, Trace
from beleg.run import journal
from beleg.run.folder import RunFolder
from measuring import Row, is_smoke, show

METRICS = (
    "evidence_recall@5", "ndcg@10", "recall@5", "precision@5", "mrr",
    "citation_gold_recall", "abstention_correct", "token_f1", "latency_ms", "cost_usd",
)  # fmt: skip
PASSAGES = 6
SEED = 20261201
BUDGET_MS = 100.0
LOST = (Stage.FILTERED.value, Stage.RETRIEVED.value, Stage.DELIVERED.value)
PERCENTILE = 95
OTHER_PAGES = ("/", "/runs", "/suites", "/judges", "/overrides", "/review", "/compare", "/people", "/audit", "/nothing")
"""Asked for beside runs and cases where memory is looked at."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is made and asked for."""

    cases: int
    requests: int
    views: int


def main() -> None:
    """Makes the run, starts the server, asks and shows."""
    smoke = is_smoke(__doc__)
    sizes = Sizes(cases=60, requests=3, views=20) if smoke else Sizes(cases=100_000, requests=200, views=10_000)
    with tempfile.TemporaryDirectory() as name:
        project = Path(name)
        given, run_id = made(project, sizes.cases)
        rows = asked(project, given, run_id, sizes)
    show(
        "workbench",
        f"One run of {sizes.cases:,} cases with {len(METRICS) * sizes.cases:,} scores and {PASSAGES} passages each; "
        f"{sizes.requests} requests of each kind, one after another.",
        rows,
        packages=("fastapi", "starlette", "uvicorn", "jinja2", "sqlalchemy", "pydantic"),
        smoke=smoke,
    )


def made(project: Path, count: int) -> tuple[Sequence[Case], str]:
    """A project with one run, which is indexed."""
    given = inputs.cases(count, segments=20)
    header = inputs.header("bench", given)
    folder = RunFolder(project / "run")
    folder.create(header, Suite(header=SuiteHeader(name="bench"), cases=given))
    pool = inputs.passage_pool(2_000, words=40, seed=SEED)
    traces = (found[0] for found in inputs.traces(given, pool, passages=PASSAGES, seed=SEED).values())
    places = written(folder.journal_file, traces)
    index = SqliteRunIndex(project / INDEX_FILE)
    index.replace(header.run_id, run_digest(folder.path), summary(count), indexed(given, places), scores(count))
    index.close()
    return given, header.run_id


def written(path: Path, traces: Iterator[Trace]) -> list[TracePlace]:
    """Writes the journal and says where each line stands."""
    places: list[TracePlace] = []
    start = 0
    with path.open("wb") as file:
        for number, trace in enumerate(traces, start=1):
            line = journal.encode(trace)
            file.write(line)
            places.append(TracePlace(repeat=0, line=number, start=start, length=len(line)))
            start += len(line)
    return places


def indexed(given: Sequence[Case], places: Sequence[TracePlace]) -> Iterator[CaseToIndex]:
    """The cases as the index takes them; one in ten lost its evidence somewhere."""
    for number, (case, place) in enumerate(zip(given, places, strict=True)):
        lost = LOST[number // 10 % len(LOST)] if number % 10 == 0 else None
        states = {stage.value: "lost" if stage.value == lost else "present" for stage in STAGES}
        yield CaseToIndex(
            case_id=case.case_id,
            question=case.question,
            status="timeout" if number % 200 == 0 else "ok",
            lost_at=lost,
            segments=tuple(f"{name}={label}" for name, label in sorted(case.segment_labels().items())),
            traces=(place,),
            detail=CaseDetail(case=case, trails=(StageTrail(repeat=0, states=states, lost_at=lost),)),
        )


def scores(count: int) -> Iterator[ScoresToIndex]:
    """Scores of every metric, some of them missing."""
    rng = np.random.default_rng(SEED)
    for metric in METRICS:
        values, missing = np.round(rng.beta(8, 2, count), 3).tolist(), (rng.random(count) < 0.01).tolist()
        yield ScoresToIndex(
            metric=metric,
            values=tuple(None if out else value for value, out in zip(values, missing, strict=True)),
            reasons=tuple(ScoreStatus.TIMEOUT if out else None for out in missing),
        )


def summary(count: int) -> RunSummary:
    """The figures of the run."""
    bounds = Bounds(estimate=0.8, lower=0.79, upper=0.81, confidence=0.975, method="", n=count)
    counts = Counts(expected=count, scored=count)
    return RunSummary(
        expected=count,
        finished=count,
        failed=count // 200,
        figures=tuple(SummaryFigure(metric=name, aggregate="mean", bounds=bounds, counts=counts) for name in METRICS),
        waterfall=tuple(StageCount(stage=stage.value, present=count, lost=0, unknown=0) for stage in STAGES),
        waterfall_cases=count,
    )


@dataclass(slots=True)
class Client:
    """One connection of somebody who has signed in."""

    address: str
    connection: http.client.HTTPConnection
    cookie: str = ""

    def get(self, path: str) -> tuple[int, bytes, float]:
        """The status, the body and the milliseconds that they took."""
        begun = time.perf_counter()
        self.connection.request("GET", path, headers={"cookie": self.cookie, "accept-language": "en"})
        answer = self.connection.getresponse()
        body = answer.read()
        took = (time.perf_counter() - begun) * 1_000
        if cookie := answer.getheader("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer.status, body, took


@contextmanager
def serving(project: Path) -> Iterator[tuple[Client, int, float]]:
    """The real server as a process: somebody who is signed in, its process id, and the seconds until it answered."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "beleg", "serve", str(project), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r"http://\S+", line)
            if found is None:
                raise RuntimeError(f"the server said: {line}")
            place = urlsplit(found.group())
            client = Client(found.group(), http.client.HTTPConnection(place.netloc))
            client.get(f"{place.path}?{place.query}")
            yield client, process.pid, time.perf_counter() - begun
            client.connection.close()
        finally:
            process.terminate()


def asked(project: Path, given: Sequence[Case], run_id: str, sizes: Sizes) -> list[Row]:
    """Starts the server and asks for every kind of page."""
    draw, here = random.Random(SEED), run_path(run_id)
    pages = max(len(given) // PAGE_CASES, 1)

    def listed(**wanted: object) -> str:
        return f"{here}?{urlencode(wanted)}"

    kinds: dict[str, Callable[[], str]] = {
        "list, first pages": lambda: listed(page=draw.randint(1, min(pages, 10))),
        "list, deep pages": lambda: listed(page=draw.randint(max(pages // 2, 1), pages)),
        "filtered by segment": lambda: listed(segment=f"topic=t{draw.randrange(20):02d}"),
        "filtered by stage lost, segment and status": lambda: listed(
            lost=draw.choice(LOST), segment=f"topic=t{draw.randrange(20):02d}", status="ok"
        ),
        "filtered by missing score": lambda: listed(reason="timeout", of=draw.choice(METRICS)),
        "filtered by missing score of any metric": lambda: listed(
            reason="timeout", page=draw.randint(1, max(pages // 20, 1))
        ),
        "sorted by a metric": lambda: listed(sort=draw.choice(METRICS), order=draw.choice(("", "down"))),
        "sorted, deep pages": lambda: listed(
            sort=draw.choice(METRICS), order=draw.choice(("", "down")), page=draw.randint(max(pages // 2, 1), pages)
        ),
        "filtered and sorted": lambda: listed(
            segment=f"topic=t{draw.randrange(20):02d}", sort=draw.choice(METRICS), order="down"
        ),
        "text search": lambda: listed(q=f"number {draw.randrange(len(given))}"),
        "text search, sorted": lambda: listed(q=draw.choice(inputs.WORDS), sort=draw.choice(METRICS)),
        "case": lambda: case_path(run_id, draw.choice(given).case_id),
        "case, from a list that is filtered and sorted": lambda: (
            f"{case_path(run_id, draw.choice(given).case_id)}?{urlencode({'q': 'rechnung', 'sort': 'ndcg@10'})}"
        ),
    }
    rows = []
    with serving(project) as (client, process, started):
        rows.append(Row(what="start of beleg serve", measured=started, unit="s", budget=2.0))
        rows += first_page(client)
        for what, path in kinds.items():
            times = timed(client, path, sizes.requests)
            rows.append(Row(what=f"{what}, p95", measured=percentile(times), unit="ms", budget=BUDGET_MS,
                            note=f"median {np.median(times):.1f} ms, longest {max(times):.1f} ms"))  # fmt: skip
        rows += memory(client, process, [*kinds.values(), *map(always, OTHER_PAGES)], sizes.views)
    return rows


def always(path: str) -> Callable[[], str]:
    """The same page each time."""
    return lambda: path


def timed(client: Client, path: Callable[[], str], count: int) -> list[float]:
    """Asks for pages of one kind; every one of them must be there."""
    client.get(path())
    times = []
    for _ in range(count):
        wanted = path()
        status, _, took = client.get(wanted)
        if status != http.HTTPStatus.OK:
            raise RuntimeError(f"{wanted}: {status}")
        times.append(took)
    return times


def percentile(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return float(np.percentile(times, PERCENTILE))


def first_page(client: Client) -> list[Row]:
    """What a browser must fetch to show the first page, with nothing kept from before."""
    _, body, _ = client.get("/")
    linked = re.findall(rb'(?:href|src)="(/static/[^"]+)"', body)
    size = len(body) + sum(len(client.get(path.decode())[1]) for path in linked)
    return [
        Row(what="first page, size", measured=size / 1_000, unit="KB", budget=100.0),
        Row(what="first page, requests", measured=1 + len(linked), unit="", budget=6),
    ]


def memory(client: Client, process: int, kinds: Sequence[Callable[[], str]], views: int) -> list[Row]:
    """The server's resident memory before and after many page views."""
    before = resident_mb(process)
    for number in range(views):
        client.get(kinds[number % len(kinds)]())
    return [
        Row(what="resident memory before", measured=before, unit="MB"),
        Row(what=f"resident memory after {views:,} page views", measured=resident_mb(process), unit="MB",
            budget=before * 1.1),
    ]  # fmt: skip


def resident_mb(process: int) -> float:
    """What a process holds in memory."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1_024


if __name__ == "__main__":
    main()
