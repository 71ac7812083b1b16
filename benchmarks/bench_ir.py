"""From a run file and a judgement file to five measures of every query, beside pytrec_eval.

usage: python benchmarks/bench_ir.py [--full | --smoke]

Each side is a process of its own, start included, so that processor time and peak memory are whole and comparable.
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

from measuring import Row, show

ROUNDS = 3
RATIO_BUDGET = 1 / 3
OURS = """
import sys, time
from pathlib import Path
from beleg.app.ir.evaluating import evaluate_files
began = time.process_time()
asked = ["nDCG@10", "RR", "R@100", "R@1000", "AP"]
report = evaluate_files(Path(sys.argv[1]), [Path(sys.argv[2])], asked)[0]
rows = report.to_json(per_query=True)["per_query"]
names = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "R@100": "recall_100", "R@1000": "recall_1000", "AP": "map"}
found = {query: {names[name]: value for name, value in row.items()} for query, row in rows.items()}
"""
PEER = """
import sys, time
import pytrec_eval
began = time.process_time()
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recip_rank", "recall.100,1000", "map"}).evaluate(run)
"""
WORKED = """
print(time.process_time() - began)
"""
DIGEST = """
import hashlib
text = repr(sorted((query, sorted(row.items())) for query, row in found.items()))
print(hashlib.sha256(text.encode()).hexdigest())
"""
COUNT_LINES = """
import sys
with open(sys.argv[2], "rb") as file:
    print(file.read().count(b"\\n"))
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many lists, and how long."""

    queries: int
    depth: int


FULL = Sizes(6_980, 1_000)
DEFAULT = Sizes(700, 1_000)
SMOKE = Sizes(20, 50)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a whole process took."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    said: str


def write(folder: Path, sizes: Sizes, seed: int) -> tuple[Path, Path]:
    """A run in order of its scores, a tie in one of seventeen lists, and about one relevant document for each query.

    Scores have six decimals and lie on the grid of single precision, which the peer stores them in.
    """
    rng = np.random.default_rng(seed)
    qrels, run = folder / "bench.qrels", folder / "bench.run"
    with qrels.open("w") as judgements, run.open("w") as lines:
        for number in range(sizes.queries):
            query = 1_000_000 + number
            documents = rng.choice(8_841_823, sizes.depth, replace=False)
            scores = np.sort(rng.integers(0, 1 << 23, sizes.depth) / 64)[::-1]
            lines.writelines(
                f"{query} Q0 {document} {rank} {score:.6f} bench\n"
                for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
            )
            relevant = documents[rng.integers(0, sizes.depth, 1 + (number % 10 == 0))]
            judgements.writelines(f"{query} 0 {document} 1\n" for document in sorted(set(relevant.tolist())))
    return qrels, run


def process(program: str, files: tuple[Path, Path]) -> Spent:
    """Runs a program in a fresh interpreter."""
    began = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", program, *map(str, files)], stdout=subprocess.PIPE, text=True)
    if child.stdout is None:
        raise SystemExit("the output of a side cannot be read")
    with child.stdout as output:
        said = output.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit("one side failed; there is nothing to compare")
    return Spent(used.ru_utime + used.ru_stime, time.perf_counter() - began, used.ru_maxrss / 1024, said.strip())


def least(rounds: list[Spent]) -> Spent:
    """The least of several rounds, figure by figure."""
    return Spent(
        min(each.cpu_s for each in rounds),
        min(each.wall_s for each in rounds),
        min(each.peak_mb for each in rounds),
        min((each.said for each in rounds), key=float),
    )


def main() -> None:
    """Checks that both sides give the same figures, then measures them in turn."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="6,980 queries instead of 700")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    asked = parser.parse_args()
    sizes = FULL if asked.full else SMOKE if asked.smoke else DEFAULT
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder), sizes, seed=9)
        megabytes = files[1].stat().st_size / 1e6
        if process(OURS + DIGEST, files).said != process(PEER + DIGEST, files).said:
            raise SystemExit("the figures differ from those of pytrec_eval; the ratio would mean nothing")
        rounds = [
            tuple(process(each, files) for each in (OURS + WORKED, PEER + WORKED, COUNT_LINES)) for _ in range(ROUNDS)
        ]
    ours, peer, reading = (least(list(side)) for side in zip(*rounds, strict=True))
    rows = [
        Row(what="file to measures", measured=ours.cpu_s, unit="CPU s", budget=peer.cpu_s * RATIO_BUDGET,
            peer="pytrec_eval", peer_measured=peer.cpu_s),
        Row(what="the same without starting Python and importing", measured=float(ours.said), unit="CPU s",
            budget=float(peer.said) * RATIO_BUDGET, peer="pytrec_eval", peer_measured=float(peer.said)),
        Row(what="file to measures, wall", measured=ours.wall_s, unit="s", budget=peer.wall_s * RATIO_BUDGET,
            peer="pytrec_eval", peer_measured=peer.wall_s),
        Row(what="peak memory", measured=ours.peak_mb, unit="MB", peer="pytrec_eval", peer_measured=peer.peak_mb),
        Row(what="reading and counting lines", measured=reading.cpu_s, unit="CPU s",
            peer="pytrec_eval", peer_measured=peer.cpu_s),
    ]  # fmt: skip
    setting = (
        f"{sizes.queries:,} queries with {sizes.depth:,} documents each, {megabytes:.1f} MB; "
        f"whole processes, minimum of {ROUNDS} rounds in turn; per-query figures equal to the last bit."
    )
    show("ir-full" if asked.full else "ir", setting, rows, packages=("numpy", "pytrec-eval-terrier"), smoke=asked.smoke)


if __name__ == "__main__":
    main()
