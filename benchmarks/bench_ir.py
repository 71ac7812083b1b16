"""From a run file and a judgement file to five measures of every query, beside pytrec_eval.

usage: python benchmarks/bench_ir.py [--full | --smoke]

Each side is a process of its own, start included, so that processor time and peak memory are whole and comparable.
Three shapes: few judged documents a query, a hundred of them, and many queries with short lists. Beleg is measured
twice: with its compiled part, and without.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.adapters.native.library import library
from measuring import Row, show

ROUNDS = 3
COMPILED_BUDGET = 1 / 10
PORTABLE_BUDGET = 1 / 3
READING_BUDGET = 2.0
"""How often the time of reading and counting the lines the compiled way may take."""
MEMORY_BEYOND_FILE_MB = 50.0
OURS = """
import sys
from pathlib import Path
from beleg.app.ir.evaluating import evaluate_files
asked = ["nDCG@10", "RR", "R@100", "R@1000", "AP"]
report = evaluate_files(Path(sys.argv[1]), [Path(sys.argv[2])], asked)[0]
found = report.per_query()
names = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@100": "recall_100", "R@1000": "recall_1000", "AP": "map"}
"""
PEER = """
import sys
import pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
names = {name: name for name in ("ndcg_cut_10", "recip_rank", "recall_100", "recall_1000", "map")}
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recip_rank", "recall.100,1000", "map"}).evaluate(run)
"""
DIGEST = """
import hashlib
rows = ((query, sorted((names[name], value) for name, value in row.items())) for query, row in found.items())
text = repr(sorted(rows))
print(hashlib.sha256(text.encode()).hexdigest())
"""
MEMORY = """
with open("/proc/self/status") as file:
    print(next(line.split()[1] for line in file if line.startswith("VmHWM")), file=sys.stderr)
"""
"""Said by the process itself: what the system reports after its end includes the memory of this one."""
COUNT_LINES = """
import sys
with open(sys.argv[2], "rb") as file:
    print(file.read().count(b"\\n"))
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many lists, how long, and how many documents of each are judged."""

    name: str
    queries: int
    depth: int
    judged: int


FULL = (Shape("sparse", 6_980, 1_000, 1), Shape("graded", 6_980, 1_000, 100), Shape("wide", 100_000, 100, 1))
DEFAULT = FULL[:1]
SMOKE = (Shape("sparse", 20, 50, 1), Shape("graded", 20, 50, 10), Shape("wide", 100, 10, 1))


@dataclass(frozen=True, slots=True)
class Spent:
    """What a whole process took."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    said: str


def write(folder: Path, shape: Shape, seed: int) -> tuple[Path, Path]:
    """A run in order of its scores with a few ties, and judgements with grades from 0 to 3.

    Scores have six decimals and lie on the grid of single precision, which the peer stores them in.
    """
    rng = np.random.default_rng(seed)
    qrels, run = folder / f"{shape.name}.qrels", folder / f"{shape.name}.run"
    with qrels.open("w") as judgements, run.open("w") as lines:
        for number in range(shape.queries):
            query = 1_000_000 + number
            documents = rng.choice(8_841_823, shape.depth, replace=False)
            scores = np.sort(rng.integers(0, 1 << 23, shape.depth) / 64)[::-1]
            lines.writelines(
                f"{query} Q0 {document} {rank} {score:.6f} bench\n"
                for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
            )
            judged = rng.choice(documents, shape.judged + (number % 10 == 0), replace=False)
            grades = rng.integers(0, 4, len(judged)) if shape.judged > 1 else np.ones(len(judged), dtype=int)
            judgements.writelines(
                f"{query} 0 {document} {grade}\n" for document, grade in zip(judged, grades, strict=True)
            )
    return qrels, run


def process(program: str, files: tuple[Path, Path], *, compiled: bool = True) -> Spent:
    """Runs a program in a fresh interpreter."""
    began = time.perf_counter()
    # Nothing here multiplies matrices, and the threads that numpy would start for that only spin, on every side.
    setting = {**os.environ, "BELEG_NATIVE": "1" if compiled else "0", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program + MEMORY, *map(str, files)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=setting)
    if child.stdout is None or child.stderr is None:
        raise SystemExit("the output of a side cannot be read")
    with child.stdout as output, child.stderr as trouble:
        said, peak_kib = output.read(), trouble.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"one side failed; there is nothing to compare\n{peak_kib}")
    return Spent(used.ru_utime + used.ru_stime, time.perf_counter() - began, int(peak_kib) / 1024, said.strip())


def least(rounds: tuple[Spent, ...]) -> Spent:
    """The least of several rounds, figure by figure."""
    return Spent(
        min(each.cpu_s for each in rounds),
        min(each.wall_s for each in rounds),
        min(each.peak_mb for each in rounds),
        rounds[0].said,
    )


def require_agreement(files: tuple[Path, Path]) -> None:
    """Refuses to compare the speed of figures that differ."""
    theirs = process(PEER + DIGEST, files).said
    for compiled in (True, False):
        if process(OURS + DIGEST, files, compiled=compiled).said != theirs:
            raise SystemExit("the figures differ from those of pytrec_eval; the ratio would mean nothing")


def rows_of(shape: Shape, folder: Path) -> list[Row]:
    """Measures one shape, all sides in turn."""
    files = write(folder, shape, seed=9)
    megabytes = files[1].stat().st_size / 2**20
    require_agreement(files)
    sides = [
        (process(OURS, files), process(OURS, files, compiled=False), process(PEER, files), process(COUNT_LINES, files))
        for _ in range(ROUNDS)
    ]
    compiled, portable, peer, reading = (least(side) for side in zip(*sides, strict=True))
    lines = shape.queries * shape.depth
    note = f"{shape.queries:,} queries × {shape.depth:,} = {lines:,} lines, {megabytes:.0f} MiB"

    def beside(
        what: str, measured: float, theirs: float, unit: str, budget: float | None, note: str | None = None
    ) -> Row:
        return Row(what=f"{shape.name}: {what}", measured=measured, unit=unit, budget=budget, peer="pytrec_eval",
                   peer_measured=theirs, note=note)  # fmt: skip

    return [
        beside("compiled", compiled.cpu_s, peer.cpu_s, "CPU s", peer.cpu_s * COMPILED_BUDGET, note),
        beside("compiled, wall", compiled.wall_s, peer.wall_s, "s", None),
        beside("portable", portable.cpu_s, peer.cpu_s, "CPU s", peer.cpu_s * PORTABLE_BUDGET),
        beside("portable, wall", portable.wall_s, peer.wall_s, "s", peer.wall_s * PORTABLE_BUDGET),
        beside("compiled, peak memory", compiled.peak_mb, peer.peak_mb, "MB", megabytes + MEMORY_BEYOND_FILE_MB),
        beside("portable, peak memory", portable.peak_mb, peer.peak_mb, "MB", None),
        Row(what=f"{shape.name}: compiled, beside reading and counting lines", measured=compiled.cpu_s, unit="CPU s",
            budget=reading.cpu_s * READING_BUDGET, peer="read and count", peer_measured=reading.cpu_s),
    ]  # fmt: skip


def main() -> None:
    """Checks that all sides give the same figures, then measures them in turn."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="all three shapes instead of the first")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    asked = parser.parse_args()
    shapes = FULL if asked.full else SMOKE if asked.smoke else DEFAULT
    if library() is None:
        raise SystemExit("the compiled part is not built; install a C compiler and run make")
    rows: list[Row] = []
    for shape in shapes:
        with tempfile.TemporaryDirectory() as folder:
            rows += rows_of(shape, Path(folder))
    setting = (
        f"From files to nDCG@10, RR, R@100, R@1000 and AP of every query; whole processes, minimum of {ROUNDS} rounds "
        "in turn; figures equal to the last bit."
    )
    show("ir-full" if asked.full else "ir", setting, rows, packages=("numpy", "pytrec-eval-terrier"), smoke=asked.smoke)


if __name__ == "__main__":
    main()
