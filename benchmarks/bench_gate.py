"""How long a decision takes over many cases, metrics and protected segments.

usage: python benchmarks/bench_gate.py [--smoke]
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from scipy.stats import bootstrap

import inputs
from beleg.core.decision import Decision
from beleg.core.policy import Policy, PolicyCheck, Segment, Thresholds
from beleg.gating.decide import decide
from measuring import Row, Spent, is_smoke, show, spend

BUDGET_S = 3.0
METRICS = (
    "ndcg@10", "latency_ms", "exact_match", "recall@5", "recall@10", "precision@5", "hit@5", "mrr", "map", "ndcg@5",
    "evidence_recall@5", "eligible_recall@5", "document_exclusion", "predicate_precision", "citation_gold_recall",
    "citation_gold_precision", "citation_id_validity", "token_f1", "required_clauses", "abstention_correct",
)  # fmt: skip
MARGIN = 0.02
MARGIN_MS = 100.0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much there is to decide on."""

    cases: int
    metrics: int
    segments: int
    resamples: int


FULL = Sizes(10_000, len(METRICS), 20, 10_000)
SMOKE = Sizes(160, len(METRICS), 2, 1_000)


def policy(sizes: Sizes) -> Policy:
    """Levels and a margin for every metric, over all cases and in each protected segment."""
    return Policy(
        policy="bench",
        seed=7,
        resamples=sizes.resamples,
        protected_segments=tuple(Segment(where={"topic": f"t{number:02d}"}) for number in range(sizes.segments)),
        checks=tuple(_check(metric) for metric in METRICS[: sizes.metrics]),
    )


def _check(metric: str) -> PolicyCheck:
    if metric == "latency_ms":
        limits = Thresholds(pass_at=1_500, block_at=2_000, margin=MARGIN_MS)
    elif metric == "document_exclusion":
        limits = Thresholds(pass_at=0.9, block_at=0.95, margin=MARGIN)
    else:
        limits = Thresholds(pass_at=0.7, block_at=0.6, margin=MARGIN)
    return PolicyCheck(
        metric=metric, pass_at=limits.pass_at, block_at=limits.block_at, margin=limits.margin, protected=limits
    )


def ours(sizes: Sizes) -> tuple[Decision, Spent]:
    """One decision from two scored runs."""
    given = inputs.cases(sizes.cases, segments=sizes.segments)
    names = METRICS[: sizes.metrics]
    candidate = inputs.evaluation("candidate", given, names, shift=0.01, seed=3)
    baseline = inputs.evaluation("baseline", given, names, shift=0.0, seed=3)
    at = datetime(2026, 11, 30, tzinfo=UTC)
    return spend(lambda: decide(policy(sizes), candidate, baseline, decided_at=at, beleg_version="0"))


def peer(sizes: Sizes) -> Spent:
    """Scipy's percentile bootstrap of the mean of one paired column over all cases."""
    column = np.random.default_rng(5).normal(0.0, 0.1, sizes.cases)
    _, spent = spend(
        lambda: bootstrap(
            (column,), np.mean, n_resamples=sizes.resamples, batch=100, method="percentile",
            rng=np.random.default_rng(6),
        )
    )  # fmt: skip
    return spent


def main() -> None:
    """Measures one decision, and the peer on one column."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    ours(SMOKE)  # the first decision imports metrics
    one, (decision, spent) = peer(sizes), ours(sizes)
    # All segments together hold each case once more, so they cost about one further column of each metric.
    columns = 2 * sizes.metrics
    note = (
        f"an estimate: scipy.stats.bootstrap (percentile, unclustered) took {one.wall_s:.3g} s on one column of "
        f"{sizes.cases:,} rows, times {columns}: {sizes.metrics} metrics over all cases, and over all segments together"
    )
    rows = [
        Row(what="decision, wall time", measured=spent.wall_s, unit="s", budget=BUDGET_S,
            peer="scipy, estimated", peer_measured=one.wall_s * columns, note=note),
        Row(what="decision, CPU time", measured=spent.cpu_s, unit="CPU s",
            peer="scipy, estimated", peer_measured=one.cpu_s * columns),
    ]  # fmt: skip
    setting = (
        f"{sizes.cases:,} cases × {sizes.metrics} metrics × {sizes.segments} protected segments, two runs, "
        f"{sizes.resamples:,} resamples where a rule resamples; {len(decision.checks)} checks: {decision.verdict.value}"
    )
    show("gate", setting, rows, packages=("numpy", "scipy"), smoke=smoke)


if __name__ == "__main__":
    main()
