"""Ranked measures over a whole run, beside trec_eval as pytrec_eval wraps it.

usage: python benchmarks/bench_retrieval.py [--smoke]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytrec_eval

import inputs
from beleg.core.score import ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from measuring import Row, Spent, is_smoke, show, spend

PAIRS = {"ndcg@10": "ndcg_cut_10", "recall@10": "recall_10", "mrr": "recip_rank", "map": "map"}
MEASURES = {"ndcg_cut.10", "recall.10", "recip_rank", "map"}
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many lists, and how long."""

    queries: int
    depth: int


FULL = Sizes(10_000, 100)
SMOKE = Sizes(50, 10)

Figures = dict[str, dict[str, float]]


def require_agreement(columns: dict[str, ScoreColumn], theirs: Figures, queries: list[str]) -> None:
    """Refuses to compare the speed of figures that differ."""
    for name, measure in PAIRS.items():
        wanted = np.array([theirs[query][measure] for query in queries])
        if len(columns[name]) != len(wanted) or not np.allclose(columns[name].values, wanted, rtol=0, atol=1e-9):
            raise SystemExit(f"{name} is not the {measure} of trec_eval on this run; the ratio would mean nothing")


def least(spent: list[Spent]) -> Spent:
    """The least time of several rounds."""
    return Spent(min(each.wall_s for each in spent), min(each.cpu_s for each in spent))


def main() -> None:
    """Computes the same measures on the same lists in turn."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    run, qrels = inputs.retrieval_run(sizes.queries, sizes.depth, seed=9)
    cases, traces = inputs.retrieval_rows(run, qrels)
    ours, computed, theirs = [], [], []
    for _ in range(1 if smoke else ROUNDS):
        # A batch keeps its columns once they are made: a new one each time, so that all of the work is measured.
        batch = Batch.of(cases, traces)
        columns, taken = spend(partial(compute, PAIRS, batch))
        ours.append(taken)
        _, again = spend(partial(compute, PAIRS, batch))
        computed.append(again)
        figures, taken = spend(lambda: pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run))
        theirs.append(taken)
        require_agreement(columns, figures, list(qrels))
    from_traces, kernels, peer = least(ours), least(computed), least(theirs)
    rows = [
        Row(what="from traces, CPU time", measured=from_traces.cpu_s, unit="CPU s", peer="pytrec_eval from dicts",
            peer_measured=peer.cpu_s, note="reads the passages of every trace, checks and judges them"),
        Row(what="from traces, wall time", measured=from_traces.wall_s, unit="s", peer="pytrec_eval from dicts",
            peer_measured=peer.wall_s),
        Row(what="kernels alone, CPU time", measured=kernels.cpu_s, unit="CPU s", peer="pytrec_eval from dicts",
            peer_measured=peer.cpu_s, note="not like for like: further measures on columns that are made already"),
    ]  # fmt: skip
    setting = (
        f"{sizes.queries:,} queries × {sizes.depth} passages: {', '.join(PAIRS)}; minimum of {len(ours)}. "
        "Both give the same figures to 1e-9."
    )
    show("retrieval", setting, rows, packages=("numpy", "pytrec-eval-terrier"), smoke=smoke)


if __name__ == "__main__":
    main()
