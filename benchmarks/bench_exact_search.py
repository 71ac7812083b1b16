"""Exact nearest neighbours beside the matrix product that they need, and beside faiss' flat index.

usage: python benchmarks/bench_exact_search.py [--full | --smoke] [--threads N]

Each side is a process of its own with a set number of threads for every library, so that what one leaves behind cannot
slow the other; what is compared is the search alone, without start, making of vectors or filling of an index.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass

from measuring import Row, show

ROUNDS = 3
RATIO_BUDGET = 1.6
SIDE = """
import json, sys, time
import numpy as np

total, asked, width, threads, rounds = map(int, sys.argv[1:])
rng = np.random.default_rng(7)
corpus = rng.standard_normal((total, width), dtype=np.float32)
corpus /= np.linalg.norm(corpus, axis=1, keepdims=True)
queries = rng.standard_normal((asked, width), dtype=np.float32)
queries /= np.linalg.norm(queries, axis=1, keepdims=True)
"""
OURS = """
from beleg.core.nearest import Similarity
from beleg.metrics.neighbours.exact import exact_neighbours

def search():
    return exact_neighbours(corpus, queries, 10, Similarity.INNER_PRODUCT).rows
"""
PRODUCT = """
block = 8_192
product = np.empty((block, asked), dtype=np.float32)

def search():
    for start in range(0, total, block):
        part = corpus[start : start + block]
        np.matmul(part, queries.T, out=product[: len(part)])
"""
FAISS = """
import faiss
faiss.omp_set_num_threads(threads)
index = faiss.IndexFlatIP(width)
index.add(corpus)
del corpus

def search():
    return index.search(queries, 10)[1]
"""
MEASURE = """
cpu, wall, found = [], [], None
for _ in range(rounds):
    began_cpu, began = time.process_time(), time.perf_counter()
    found = search()
    cpu.append(time.process_time() - began_cpu)
    wall.append(time.perf_counter() - began)
rows = None if found is None else found.tolist()
print(json.dumps({"cpu_s": min(cpu), "wall_s": min(wall), "rows": rows}))
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many queries and vectors, and how many rounds."""

    queries: int
    total: int
    width: int
    rounds: int


FULL = Sizes(1_000, 1_000_000, 384, 1)
DEFAULT = Sizes(1_000, 100_000, 384, ROUNDS)
SMOKE = Sizes(5, 500, 16, 1)


@dataclass(frozen=True, slots=True)
class Side:
    """What one side took, and what it found."""

    cpu_s: float
    wall_s: float
    rows: list[list[int]] | None


def run(program: str, sizes: Sizes, threads: int) -> Side:
    """Runs one side in a fresh interpreter."""
    limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
    words = [sizes.total, sizes.queries, sizes.width, threads, sizes.rounds]
    ended = subprocess.run(
        [sys.executable, "-c", SIDE + program + MEASURE, *map(str, words)],
        env={**os.environ, **limits}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        raise SystemExit(f"one side failed; there is nothing to compare:\n{ended.stderr}")
    return Side(**json.loads(ended.stdout))


def agreement(ours: Side, theirs: Side) -> float:
    """Share of equal rows at equal places."""
    pairs = [(a, b) for one, other in zip(ours.rows or [], theirs.rows or [], strict=True)
             for a, b in zip(one, other, strict=True)]  # fmt: skip
    return sum(a == b for a, b in pairs) / len(pairs)


def main() -> None:
    """Checks that both searches find the same rows, then shows what each took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help="1,000 queries and 1,000,000 vectors; takes some 4 GB")
    size.add_argument("--smoke", action="store_true", help="tiny sizes: shows that it works, measures nothing")
    parser.add_argument("--threads", type=int, default=1, help="threads of every library")
    options = parser.parse_args()
    sizes = FULL if options.full else SMOKE if options.smoke else DEFAULT
    product, ours, faiss = (run(program, sizes, options.threads) for program in (PRODUCT, OURS, FAISS))
    same = agreement(ours, faiss)
    if same < 0.999:
        raise SystemExit(f"only {same:.4f} of the rows are those of faiss; the ratio would mean nothing")
    rows = [
        Row(what="exact search over the product", measured=ours.cpu_s, unit="CPU s",
            budget=product.cpu_s * RATIO_BUDGET, peer="matrix product alone", peer_measured=product.cpu_s),
        Row(what="exact search over faiss", measured=ours.cpu_s, unit="CPU s", peer="faiss IndexFlatIP",
            peer_measured=faiss.cpu_s),
        Row(what="exact search, wall", measured=ours.wall_s, unit="s", peer="matrix product alone",
            peer_measured=product.wall_s),
        Row(what="faiss over the product", measured=faiss.cpu_s, unit="CPU s", peer="matrix product alone",
            peer_measured=product.cpu_s),
    ]  # fmt: skip
    setting = (
        f"{sizes.queries:,} queries, {sizes.total:,} vectors of {sizes.width} components, top 10 by inner product, "
        f"{options.threads} thread(s) on every side, minimum of {sizes.rounds} round(s); "
        f"{same:.2%} of the rows at the same place as those of faiss."
    )
    name = "exact_search-full" if options.full else "exact_search"
    show(name, setting, rows, packages=("numpy", "faiss-cpu"), smoke=options.smoke)


if __name__ == "__main__":
    main()
