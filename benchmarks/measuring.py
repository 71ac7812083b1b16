"""How the benchmarks measure and show what they measured."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

RESULTS = Path(__file__).resolve().parent / "results"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure beside its budget and its peer, both in the unit of the figure."""

    what: str
    measured: float | None
    """``None`` where it could not be measured; the note says why."""
    unit: str
    budget: float | None = None
    peer: str | None = None
    peer_measured: float | None = None
    note: str | None = None

    @property
    def ratio(self) -> float | None:
        """The figure over that of the peer, or over the budget where there is no peer."""
        beside = self.peer_measured if self.peer is not None else self.budget
        return self.measured / beside if self.measured is not None and beside else None

    @property
    def within_budget(self) -> bool | None:
        """Whether the budget is kept; ``None`` where there is none, or nothing was measured."""
        return None if self.budget is None or self.measured is None else self.measured <= self.budget


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds on the wall, and seconds of this process on all processors."""

    wall_s: float
    cpu_s: float


def spend(work: Callable[[], T]) -> tuple[T, Spent]:
    """Does some work and says what it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    done = work()
    return done, Spent(time.perf_counter() - wall, time.process_time() - cpu)


def children_cpu_s(work: Callable[[], object]) -> float:
    """The seconds of processor time of the child processes that some work starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def is_smoke(description: str | None) -> bool:
    """Reads the command line: whether only tiny sizes are asked for."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    return bool(parser.parse_args().smoke)


def machine() -> dict[str, str | int | float]:
    """What the figures were measured on, and how busy it was."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def show(name: str, setting: str, rows: Sequence[Row], *, packages: Sequence[str], smoke: bool) -> None:
    """Prints the figures as a Markdown table and writes them as JSON into ``benchmarks/results``.

    Args:
        name: of the benchmark.
        setting: the sizes, in words.
        rows: the figures.
        packages: whose versions matter.
        smoke: whether the sizes were tiny.
    """
    on, versions = machine(), {package: _version(package) for package in ("beleg", *packages)}
    print(f"## {name}{' (smoke: sizes too small to mean anything)' if smoke else ''}\n\n{setting}\n")
    print("| | budget | measured | kept | peer | peer measured | ratio |\n|---|--:|--:|---|---|--:|--:|")
    for row in rows:
        kept = {None: "", True: "yes", False: "NO"}[row.within_budget]
        figures = (_figure(row.budget, row.unit), _figure(row.measured, row.unit), kept, row.peer or "")
        print(f"| {row.what} | {' | '.join(figures)} | {_figure(row.peer_measured, row.unit)} | {_ratio(row)} |")
    print("\nThe ratio is over the peer, or over the budget where there is no peer.")
    for row in rows:
        if row.note:
            print(f"{row.what}: {row.note}")
    print(f"\nMachine: {', '.join(f'{key} {value}' for key, value in on.items())}")
    print(f"Versions: {', '.join(f'{key} {value}' for key, value in versions.items())}\n")
    RESULTS.mkdir(exist_ok=True)
    written = {
        "benchmark": name,
        "setting": setting,
        "smoke": smoke,
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": on,
        "versions": versions,
        "rows": [{**asdict(row), "ratio": row.ratio, "within_budget": row.within_budget} for row in rows],
    }
    path = RESULTS / f"{name}{'-smoke' if smoke else ''}.json"
    path.write_text(json.dumps(written, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _figure(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.3g} {unit}"


def _ratio(row: Row) -> str:
    return "" if row.ratio is None else f"{row.ratio:.3g}"
