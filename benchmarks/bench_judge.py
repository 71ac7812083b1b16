"""Faithfulness by a judge of 200 ms, beside Ragas and DeepEval on the same judge; a rerun from the record; memory.

usage: python benchmarks/bench_judge.py [--full | --smoke]

The judge is a small server in a process of its own, and so is every side. The peers need environments of their own,
`.venv-peers/ragas` and `.venv-peers/deepeval`; where they are absent the table says so. `--full` measures memory at
100,000 rows instead of 10,000.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from measuring import Row, show

PROJECT = Path(__file__).resolve().parents[1]
SIDES = Path(__file__).resolve().parent / "peers"
SERVER = PROJECT / "tests" / "support" / "mock_judge.py"
PEERS = Path(os.environ.get("BELEG_PEERS", PROJECT / ".venv-peers"))
WALL_BUDGET, CPU_BUDGET_MS, MEMORY_BUDGET_MB, RERUN_BUDGET_S = 1.10, 0.8, 120.0, 2.0
FLAT_MB = 10.0
"""How much more memory many times as many rows may take."""
CLAIMS = 4


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is judged, how slowly, and how many rows the rerun and the memory are measured with."""

    rows: int
    latency_ms: float
    concurrency: int
    rerun_rows: int
    few: int
    many: int


FULL = Sizes(1_000, 200.0, 32, 5_000, 1_000, 100_000)
DEFAULT = Sizes(1_000, 200.0, 32, 5_000, 1_000, 10_000)
SMOKE = Sizes(16, 5.0, 8, 20, 8, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """What one side took; the times are those of judging, the memory is that of the whole process."""

    wall_s: float
    cpu_s: float
    peak_mb: float
    scored: int
    mean: float
    requests: int

    def over_ideal(self, sizes: Sizes) -> float:
        """The wall time over the one that no client can beat with so many requests."""
        return self.wall_s / (self.requests * sizes.latency_ms / 1_000 / sizes.concurrency)

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processor time a request."""
        return self.cpu_s * 1_000 / max(1, self.requests)


def write(path: Path, count: int) -> Path:
    """Rows of four sentences that stand in the first of five passages of about 130 words."""
    rng = np.random.default_rng(1)
    others = [" ".join(f"word{number}" for number in rng.integers(0, 5_000, 130)) for _ in range(200)]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            answer = " ".join(f"Part {part} of order {number} weighs {part + 1} kilograms." for part in range(CLAIMS))
            contexts = [f"{answer} {others[number % 200]}", *(others[(number + at) % 200] for at in range(1, 5))]
            row = {"question": f"What does order {number} weigh?", "answer": answer, "contexts": contexts}
            file.write(json.dumps(row) + "\n")
    return path


@contextmanager
def judge(latency_ms: float) -> Iterator[str]:
    """The server; gives its address."""
    command = [sys.executable, str(SERVER), f"--latency-ms={latency_ms}", f"--items={CLAIMS}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise SystemExit("the server says nothing")
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def requests_at(url: str) -> int:
    """How many requests the server was sent so far."""
    with urllib.request.urlopen(f"{url}/stats", timeout=30) as response:  # noqa: S310
        return int(json.load(response)["requests"])


def side(name: str, python: Path | str, url: str, rows: Path, *more: str) -> Took:
    """Lets one side judge a file of rows."""
    before = requests_at(url)
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [str(python), str(SIDES / f"judge_{name}.py"), url, str(rows), *more],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
        )
    if ended.returncode:
        raise SystemExit(f"{name} failed:\n{ended.stderr[-2_000:]}")
    said: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return Took(requests=requests_at(url) - before, **said)


def require_all(took: Took, rows: int, name: str) -> Took:
    """Figures of rows that got no score mean nothing."""
    if took.scored != rows or took.mean != 1.0:
        raise SystemExit(f"{name} scored {took.scored} of {rows} rows, mean {took.mean:g}; all are supported")
    return took


def beside(rows: Path, sizes: Sizes, peers: tuple[str, ...]) -> list[Row]:
    """The same rows by every side in turn, each with a server that was just started."""
    found: dict[str, Took] = {}
    for name in ("beleg", *peers):
        python = sys.executable if name == "beleg" else PEERS / name / "bin" / "python"
        if Path(python).exists():
            with judge(sizes.latency_ms) as url:
                took = side(name, python, url, rows, str(sizes.concurrency))
            found[name] = require_all(took, sizes.rows, name)
    ours = found["beleg"]
    note = f"{ours.requests:,} requests"
    table = [
        Row(what="wall time over ideal", measured=ours.over_ideal(sizes), unit="×", budget=WALL_BUDGET, note=note),
        Row(what="CPU per request", measured=ours.cpu_ms, unit="ms", budget=CPU_BUDGET_MS),
        Row(what="peak memory", measured=ours.peak_mb, unit="MB", budget=MEMORY_BUDGET_MB),
    ]
    for name in peers:
        theirs = found.get(name)
        if theirs is None:
            table.append(Row(what=f"beside {name}", measured=None, unit="s", peer=name, note="it is not installed"))
            continue
        note = f"{theirs.requests:,} requests, {theirs.over_ideal(sizes):.2f} × its own ideal"
        figures = (
            ("wall", ours.wall_s, theirs.wall_s, "s", note),
            ("CPU", ours.cpu_s, theirs.cpu_s, "CPU s", None),
            ("memory", ours.peak_mb, theirs.peak_mb, "MB", None),
        )
        table += [
            Row(what=f"{what} beside {name}", measured=mine, unit=unit, peer=name, peer_measured=other, note=said)
            for what, mine, other, unit, said in figures
        ]
    return table


def rerun(folder: Path, sizes: Sizes) -> list[Row]:
    """Judges once, then again from the record alone."""
    rows, record = write(folder / "rerun.jsonl", sizes.rerun_rows), str(folder / "record.sqlite")
    with judge(0.0) as url:
        first = require_all(
            side("beleg", sys.executable, url, rows, str(sizes.concurrency), record), sizes.rerun_rows, "beleg"
        )
        again = require_all(
            side("beleg", sys.executable, url, rows, str(sizes.concurrency), record), sizes.rerun_rows, "beleg"
        )
    if again.requests:
        raise SystemExit(f"the rerun asked {again.requests} times")
    what = f"rerun of {2 * sizes.rerun_rows:,} recorded judgments"
    return [
        Row(what=what, measured=again.cpu_s, unit="CPU s", budget=RERUN_BUDGET_S, note="rows read, scores computed"),
        Row(what=f"{what}, wall", measured=again.wall_s, unit="s"),
        Row(what="CPU per request with the record on disk", measured=first.cpu_ms, unit="ms"),
    ]


def memory(folder: Path, sizes: Sizes) -> Row:
    """The peak at few and at many rows."""
    peaks = []
    for count in (sizes.few, sizes.many):
        rows = write(folder / "memory.jsonl", count)
        with judge(0.0) as url:
            took = side("beleg", sys.executable, url, rows, str(sizes.concurrency))
        peaks.append(require_all(took, count, "beleg").peak_mb)
    return Row(
        what=f"memory that {sizes.many:,} rows take beyond {sizes.few:,}",
        measured=peaks[1] - peaks[0],
        unit="MB",
        budget=FLAT_MB,
        note=f"{peaks[0]:.1f} and {peaks[1]:.1f} MB",
    )


def main() -> None:
    """Measures every side in turn."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="memory at 100,000 rows instead of 10,000")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    asked = parser.parse_args()
    sizes = FULL if asked.full else SMOKE if asked.smoke else DEFAULT
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = write(folder / "rows.jsonl", sizes.rows)
        table = beside(rows, sizes, () if asked.smoke else ("ragas", "deepeval"))
        table += [*rerun(folder, sizes), memory(folder, sizes)]
    setting = (
        f"{sizes.rows:,} answers of {CLAIMS} sentences with 5 passages of 130 words, a judge of "
        f"{sizes.latency_ms:g} ms, {sizes.concurrency} in flight. "
        "DeepEval with a shared client and without bars and cache writes."
    )
    show("judge-full" if asked.full else "judge", setting, table, packages=("aiohttp", "pydantic"), smoke=asked.smoke)


if __name__ == "__main__":
    main()
