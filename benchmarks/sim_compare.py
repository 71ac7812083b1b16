"""How often the intervals of run comparisons hold the truth, and how often its tests cry wolf, with known truth.

usage: python benchmarks/sim_compare.py [--repetitions N] [--seed S]

Each interval promises 95 %. *Changed* is the share of queries in which two runs differ at all. The columns are coverage
and mean width; ``auto`` is the rule of `beleg ir compare`. The last tables show groups, single rates, and the error of
the tests where the runs do not differ.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.metrics.ranking_runs.paired_sample import ComparisonRules, IntervalRule, PairedTest, paired_samples
from beleg.stats.bootstrap import bootstrap_means
from beleg.stats.intervals import Interval, clopper_pearson, wilson
from beleg.stats.t_test import paired_t

FloatArray = npt.NDArray[np.float64]
CONFIDENCE = 0.95
RESAMPLES = 1000
BLOCK = 50
GAINS = np.array([1.0, 0.5, 0.5, 2 / 3, 0.25, 1 / 6, 1 / 12, 0.05, 0.05, 0.02])
"""What a relevant document gains in reciprocal rank when it moves up, from large jumps to small ones."""


@dataclass(frozen=True, slots=True)
class Population:
    """Differences of two runs: where they come from, and what they are on average."""

    name: str
    truth: float
    draw: Callable[[np.random.Generator, tuple[int, int]], FloatArray]


def ranked(changed: float, winning: float) -> Population:
    """Differences of reciprocal ranks: most queries do not differ, and a share of the others wins."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        sizes = rng.choice(GAINS, shape) * np.where(rng.random(shape) < winning, 1.0, -1.0)
        return np.where(rng.random(shape) < changed, sizes, 0.0)

    truth = changed * (2.0 * winning - 1.0) * float(GAINS.mean())
    return Population(f"reciprocal ranks, {changed:.0%} changed, {winning:.0%} of them won", truth, draw)


def dense() -> Population:
    """Differences in nearly every query, as of nDCG with many judgements."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return np.asarray(0.02 + 0.12 * rng.standard_normal(shape))

    return Population("dense, every query changed", 0.02, draw)


def rates(changed: float, winning: float) -> Population:
    """Differences of 0 and 1, as of success at a cutoff."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        signs = np.where(rng.random(shape) < winning, 1.0, -1.0)
        return np.where(rng.random(shape) < changed, signs, 0.0)

    return Population(f"success, {changed:.0%} changed, {winning:.0%} of them won", changed * (2 * winning - 1), draw)


POPULATIONS = (
    (dense(), False),
    (ranked(0.5, 0.6), False),
    (ranked(0.2, 0.65), False),
    (ranked(0.06, 0.8), False),
    (rates(0.06, 0.65), True),
    (rates(0.2, 0.6), True),
)


def intervals(sample: FloatArray, rng: np.random.Generator, *, binary: bool) -> dict[str, list[Interval | None]]:
    """The intervals of every column by every rule."""
    found = {}
    for rule in IntervalRule:
        rules = ComparisonRules(test=PairedTest.T, interval=rule, resamples=RESAMPLES, confidence=CONFIDENCE)
        samples = paired_samples(sample, None, rules, rng)
        found[rule.value] = [each.interval(rules, binary=binary) for each in samples]
    return found


def coverage(population: Population, n: int, repetitions: int, rng: np.random.Generator, *, binary: bool) -> list[str]:
    """Coverage and mean width of every rule; a rule without an interval does not cover, unless nothing ever changes."""
    held: dict[str, int] = {}
    width: dict[str, float] = {}
    for _ in range(repetitions // BLOCK):
        sample = population.draw(rng, (n, BLOCK))
        for rule, made in intervals(sample, rng, binary=binary).items():
            held[rule] = held.get(rule, 0) + sum(
                each is not None and each.lower - 1e-12 <= population.truth <= each.upper + 1e-12 for each in made
            )
            width[rule] = width.get(rule, 0.0) + sum(each.upper - each.lower for each in made if each is not None)
    done = repetitions // BLOCK * BLOCK
    return [f"{held[rule] / done:.3f} / {width[rule] / done:.3f}" for rule in held]


def clustered(repetitions: int, rng: np.random.Generator) -> list[tuple[str, float]]:
    """Sixty groups of five queries, half of the variance between groups: how often the intervals hold the truth."""
    groups, size, correlation = 60, 5, 0.5
    codes = np.repeat(np.arange(groups), size)
    held = {"t, groups ignored": 0, "t over groups": 0, "percentile bootstrap over groups": 0}
    for _ in range(repetitions):
        shared = math.sqrt(correlation) * np.repeat(rng.standard_normal(groups), size)
        values = shared + math.sqrt(1.0 - correlation) * rng.standard_normal(groups * size)
        boot = bootstrap_means(values, resamples=RESAMPLES, rng=rng, clusters=codes).percentile(CONFIDENCE)[0]
        tried = (paired_t(values).interval(CONFIDENCE), paired_t(values, clusters=codes).interval(CONFIDENCE), boot)
        for rule, interval in zip(held, tried, strict=True):
            held[rule] += interval is not None and interval.lower <= 0.0 <= interval.upper
    return [(rule, count / repetitions) for rule, count in held.items()]


UNEQUAL = {
    "40 of 3": [3] * 40,
    "30 of 1, 10 of 10": [1] * 30 + [10] * 10,
    "190 of 1, 10 of 100": [1] * 190 + [100] * 10,
}


def unequal(repetitions: int, rng: np.random.Generator) -> list[tuple[str, float, float]]:
    """Groups that lose 0.9 with a chance of 10 % and else gain 0.1: how often both rules hold the mean of 0."""
    found = []
    for name, sizes in UNEQUAL.items():
        codes = np.repeat(np.arange(len(sizes)), sizes)
        held = dict.fromkeys((IntervalRule.AUTO, IntervalRule.ADJUSTED_T), 0)
        for _ in range(repetitions // BLOCK):
            sample = np.where(rng.random((len(sizes), BLOCK)) < 0.1, -0.9, 0.1)[codes]
            for rule in held:
                rules = ComparisonRules(test=PairedTest.T, interval=rule, confidence=CONFIDENCE)
                made = (each.interval(rules, binary=False) for each in paired_samples(sample, codes, rules, rng))
                held[rule] += sum(each is not None and each.lower <= 0.0 <= each.upper for each in made)
        done = repetitions // BLOCK * BLOCK
        found.append((name, held[IntervalRule.AUTO] / done, held[IntervalRule.ADJUSTED_T] / done))
    return found


def single_rates(rng: np.random.Generator) -> list[tuple[str, float, float]]:
    """Coverage at a rate of 0.97 over 40 cases, by enumeration, and the least over rates from 0.5 to 0.99."""
    n = 40
    wilsons = [wilson(k, n, CONFIDENCE) for k in range(n + 1)]
    exact = [clopper_pearson(k, n, CONFIDENCE) for k in range(n + 1)]
    table = (np.arange(n)[:, None] < np.arange(n + 1)[None, :]).astype(float)
    boot = bootstrap_means(table, resamples=10_000, rng=rng).percentile(CONFIDENCE)
    found = []
    for name, made in (("percentile bootstrap", boot), ("Wilson", wilsons), ("Clopper-Pearson", exact)):
        covers = [_covers(made, rate / 1000, n) for rate in (970, *range(500, 991, 5))]
        found.append((name, covers[0], min(covers)))
    return found


def _covers(made: list[Interval | None] | list[Interval], rate: float, n: int) -> float:
    total = 0.0
    for k, interval in enumerate(made):
        lower, upper = (k / n, k / n) if interval is None else (interval.lower, interval.upper)
        if lower <= rate <= upper:
            total += math.comb(n, k) * rate**k * (1.0 - rate) ** (n - k)
    return total


def errors(repetitions: int, rng: np.random.Generator) -> list[tuple[str, int, list[str]]]:
    """Share of p at or below 0.05 where winning and losing are equally likely."""
    found = []
    for population in (dense_null(), ranked(0.2, 0.5), ranked(0.06, 0.5)):
        for n in (25, 50, 200):
            rejected = dict.fromkeys(PairedTest, 0)
            for _ in range(repetitions // BLOCK):
                sample = population.draw(rng, (n, BLOCK))
                for test in PairedTest:
                    rules = ComparisonRules(test=test, resamples=RESAMPLES)
                    samples = paired_samples(sample, None, rules, rng)
                    rejected[test] += sum(each.p_value is not None and each.p_value <= 0.05 for each in samples)
            done = repetitions // BLOCK * BLOCK
            found.append((population.name, n, [f"{rejected[test] / done:.3f}" for test in PairedTest]))
    return found


def dense_null() -> Population:
    """As `dense`, without a difference on average."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> FloatArray:
        return np.asarray(0.12 * rng.standard_normal(shape))

    return Population("dense", 0.0, draw)


def main(arguments: list[str]) -> int:
    """Runs the settings and prints Markdown tables."""
    parser = argparse.ArgumentParser(description="Coverage of the intervals of run comparisons, error of its tests.")
    parser.add_argument("--repetitions", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    noise = 1.96 * math.sqrt(0.05 * 0.95 / chosen.repetitions)
    print(f"{chosen.repetitions} repetitions, seed {chosen.seed}; 95 % simulation noise ± {noise:.4f}\n")
    print(f"| differences | n | {' | '.join(IntervalRule)} |\n|---|--:|{'---|' * len(IntervalRule)}")
    for population, binary in POPULATIONS:
        for n in (25, 50, 100, 200, 500):
            row = coverage(population, n, chosen.repetitions, rng, binary=binary)
            print(f"| {population.name} | {n} | {' | '.join(row)} |", flush=True)
    print("\n| 60 groups of 5, correlation 0.5 | coverage |\n|---|--:|")
    for rule, share in clustered(chosen.repetitions, rng):
        print(f"| {rule} | {share:.3f} |")
    print("\n| groups that rarely lose much | auto | adjusted-t |\n|---|--:|--:|")
    for name, automatic, adjusted in unequal(chosen.repetitions, rng):
        print(f"| {name} | {automatic:.3f} | {adjusted:.3f} |")
    print("\n| one rate, n 40 | coverage at 0.97 | least from 0.5 to 0.99 |\n|---|--:|--:|")
    for rule, at, least in single_rates(rng):
        print(f"| {rule} | {at:.3f} | {least:.3f} |")
    print(f"\n| no difference | n | {' | '.join(PairedTest)} |\n|---|--:|{'--:|' * len(PairedTest)}")
    for name, n, shares in errors(chosen.repetitions, rng):
        print(f"| {name} | {n} | {' | '.join(shares)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
