"""Reciprocal rank fusion of two runs beside ranx, in memory and from files to a file.

usage: python benchmarks/bench_fusion.py [--smoke]

ranx compiles its loops when they are first used; that is done on a tiny run before anything is measured.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.app.ir.fusing import fuse_runs
from beleg.app.ir.reading import read_run
from beleg.metrics.ranking_runs.fusion import Fusion, fuse
from beleg.metrics.ranking_runs.table import Table
from measuring import Row, is_smoke, show, spend

SMOKE_ASKED = is_smoke(__doc__)
if SMOKE_ASKED:
    # Compiling takes a minute, and tiny sizes measure nothing anyway.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import ranx

ROUNDS = 3
IN_MEMORY_BUDGET, FILES_BUDGET = 1 / 3, 1 / 5
DEPTH = 2_000


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many lists, and how long."""

    queries: int
    depth: int
    pool: int
    """How many documents the two runs draw a list from."""


DEFAULT = Sizes(700, 1_000, 2_500)
SMOKE = Sizes(5, 20, 40)


def write(path: Path, sizes: Sizes, seed: int) -> Path:
    """A run in order of its scores, without a tie in a list."""
    rng = np.random.default_rng(seed)
    with path.open("w") as lines:
        for number in range(sizes.queries):
            documents = rng.choice(sizes.pool, sizes.depth, replace=False) + number * 1_000
            scores = np.sort(rng.choice(1 << 23, sizes.depth, replace=False) / 64)[::-1]
            lines.writelines(
                f"{1_000_000 + number} Q0 {document} {rank} {score:.6f} bench\n"
                for rank, (document, score) in enumerate(zip(documents, scores, strict=True), start=1)
            )
    return path


def peer_fuse(runs: list[ranx.Run]) -> ranx.Run:
    """What ranx calls the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ranx.fuse(runs, norm=None, method="rrf", params={"k": 60})


def peer_run(path: Path) -> ranx.Run:
    """A run file as ranx reads it."""
    return ranx.Run.from_file(str(path), kind="trec")


def require_equal(table: Table, peer: ranx.Run) -> None:
    """Ends the program unless every score is the same to the last bit."""
    expected = {query: dict(scores) for query, scores in peer.to_dict().items()}
    bounds = zip(table.queries, table.offsets[:-1].tolist(), table.offsets[1:].tolist(), strict=True)
    for query, low, high in bounds:
        found = {table.documents[row].decode(): float(table.value[row]) for row in range(low, high)}
        if found != expected.pop(query):
            raise SystemExit("the fused scores differ from those of ranx; the ratio would mean nothing")
    if expected:
        raise SystemExit("the fused runs have other queries; the ratio would mean nothing")


def least(work: Callable[[], object]) -> float:
    """The least processor time of several rounds."""
    return min(spend(work)[1].cpu_s for _ in range(ROUNDS))


def main() -> None:
    """Checks that both sides give the same scores, then measures them."""
    sizes = SMOKE if SMOKE_ASKED else DEFAULT
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny = [peer_run(write(folder / f"tiny{seed}", SMOKE, seed)) for seed in (1, 2)]
        peer_fuse(tiny).save(str(folder / "tiny.trec"), kind="trec")
        files = [write(folder / f"{seed}.run", sizes, seed) for seed in (1, 2)]
        tables, peers = [read_run(path).table for path in files], [peer_run(path) for path in files]
        require_equal(fuse(tables, Fusion())[0], peer_fuse(peers))
        in_memory, peer_in_memory = least(lambda: fuse(tables, Fusion())), least(lambda: peer_fuse(peers))
        convex = least(lambda: fuse(tables, Fusion(method="convex", weights=(0.7, 0.3))))

        def ours() -> None:
            fused = fuse_runs([read_run(path) for path in files], Fusion(), depth=DEPTH)
            fused.write(folder / "ours.run", "rrf")

        whole = least(ours)
        peer_whole = least(
            lambda: peer_fuse([peer_run(path) for path in files]).save(str(folder / "peer.trec"), kind="trec")
        )
    rows = [
        Row(what="rrf in memory", measured=in_memory, unit="CPU s", budget=peer_in_memory * IN_MEMORY_BUDGET,
            peer="ranx", peer_measured=peer_in_memory),
        Row(what="rrf, files to file", measured=whole, unit="CPU s", budget=peer_whole * FILES_BUDGET,
            peer="ranx", peer_measured=peer_whole),
        Row(what="convex with min-max in memory", measured=convex, unit="CPU s"),
    ]  # fmt: skip
    setting = (
        f"Two runs of {sizes.queries:,} queries with {sizes.depth:,} documents each, no list cut; minimum of {ROUNDS} "
        "rounds, without compiling; scores equal to the last bit."
    )
    show("fusion", setting, rows, packages=("numpy", "ranx", "numba"), smoke=SMOKE_ASKED)


if __name__ == "__main__":
    main()
