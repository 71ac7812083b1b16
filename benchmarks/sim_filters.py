"""Error rate and power of the registered filter rule, by simulation with known truth.

usage: python benchmarks/sim_filters.py [--repetitions N] [--seed S]

In the first three columns one condition holds exactly at its limit and the other two clearly: the share of *hard* is
the error, promised to be at most 0.05. In the fourth the filter is good, and the share of *hard* is the power; in the
fifth it loses twice what is allowed, and the share of *soft* is the power.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

import numpy as np

from beleg.stats.filter_rule import Choice, PairedQueries, Terms, hard_or_soft

TERMS = Terms(precision_gain_min=0.05, exclusion_rate_max=0.02, recall_loss_max=0.05, alpha=0.05, minimum_queries=50)


@dataclass(frozen=True, slots=True)
class Truth:
    """What holds of the population."""

    gain: float
    rate: float
    loss: float


AT_LIMIT = (Truth(0.05, 0.0, 0.0), Truth(0.15, 0.02, 0.0), Truth(0.15, 0.0, 0.05))
GOOD, BAD = Truth(0.12, 0.002, 0.01), Truth(0.12, 0.04, 0.10)
DESIGNS = ((100, None), (200, None), (500, None), (1_000, None), (300, 60), (1_000, 100))


def draw(rng: np.random.Generator, truth: Truth, n: int, groups: int | None) -> PairedQueries:
    """Queries of a population; those of one group resemble each other with a correlation of a third."""
    labels = None if groups is None else np.repeat(np.arange(groups), n // groups)

    def happens(chance: float) -> np.ndarray:  # type: ignore[type-arg]
        if groups is None or labels is None or not 0 < chance < 1:
            return rng.random(n) < chance
        return rng.random(n) < rng.beta(2 * chance, 2 * (1 - chance), groups)[labels]

    soft = rng.integers(1, 6, n) / 10
    return PairedQueries(
        hard_precision=soft + 0.2 * happens(truth.gain / 0.2),
        soft_precision=soft,
        hard_recall=1.0 - 0.5 * happens(truth.loss / 0.5),
        soft_recall=np.ones(n),
        excluded=happens(truth.rate).astype(np.float64),
        is_known=np.ones(n, dtype=np.bool_),
        clusters=labels,
        precision_span=0.2,
    )


def main(arguments: list[str]) -> int:
    """Runs the designs and prints one Markdown table."""
    parser = argparse.ArgumentParser(description="Error rate and power of the registered filter rule.")
    parser.add_argument("--repetitions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    noise = 1.96 * math.sqrt(TERMS.alpha * (1.0 - TERMS.alpha) / chosen.repetitions)
    print(f"{chosen.repetitions} repetitions, seed {chosen.seed}; an error of 0.05 is known to ± {noise:.4f}\n")
    print("| queries | gain at limit | exclusion at limit | loss at limit | good: hard | bad: soft |")
    print("|---|---|---|---|---|---|")
    for n, groups in DESIGNS:
        shares = []
        for truth, wanted in (*((each, Choice.HARD) for each in AT_LIMIT), (GOOD, Choice.HARD), (BAD, Choice.SOFT)):
            found = (hard_or_soft(draw(rng, truth, n, groups), TERMS).choice for _ in range(chosen.repetitions))
            shares.append(sum(choice is wanted for choice in found) / chosen.repetitions)
        name = f"{n:,}" if groups is None else f"{n:,} in {groups} groups"
        print(f"| {name} | {' | '.join(f'{share:.3f}' for share in shares)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
