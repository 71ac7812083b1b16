"""Error rate and power of the rules that decide PASS, by simulation with known truth.

usage: python benchmarks/sim_gate.py [--repetitions N] [--seed S]

For every setting the table shows the share of PASS when the true difference is exactly -margin (the error, promised to
be at most 0.05) and when nothing changed (the power). The rule of each row is the one that `non_inferiority` applies to
such data, through the same kernels; samples with fewer than two differing units get the exact rule, as there.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.intervals import largest_share
from beleg.stats.score_test import tango_lower

ALPHA = 0.05
FloatArray = npt.NDArray[np.float64]
Passed = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One kind of data: draws as many samples as asked with a given true difference and says which of them pass."""

    rule: str
    name: str
    margin: float
    passes: Callable[[np.random.Generator, int, float], Passed]

    def rate(self, rng: np.random.Generator, repetitions: int, difference: float) -> float:
        """Share of PASS at a true difference."""
        return float(self.passes(rng, repetitions, difference).mean())


def exact_lower(losing: npt.NDArray[np.intp], units: int, heaviest: float = 1.0) -> FloatArray:
    """Lower bounds of the exact rule for samples with no or one losing unit."""
    table = np.array([min(1.0, heaviest * largest_share(count, units, ALPHA)) for count in (0, 1)])
    return -table[np.minimum(losing, 1)]


def binary_passes(n: int, discordant: float, margin: float) -> Callable[[np.random.Generator, int, float], Passed]:
    """Paired 0/1 scores, a given share of them discordant."""

    def passes(rng: np.random.Generator, repetitions: int, difference: float) -> Passed:
        share = max(discordant, margin + 0.01)
        shares = [(share - difference) / 2.0, (share + difference) / 2.0, 1.0 - share]
        losses, gains, _ = rng.multinomial(n, shares, repetitions).T
        lower = np.where(losses + gains < 2, exact_lower(losses, n), tango_lower(losses, gains, n, ALPHA))
        return np.asarray(lower > -margin)

    return passes


def unit_passes(units: FloatArray, sizes: FloatArray, margin: float) -> Passed:
    """Verdicts for graded differences of cases or clusters, many samples of one design."""
    lower = adjusted_t(units, sizes, span=1.0).lower(ALPHA)
    heaviest = float(sizes.max() / sizes.mean())
    exact = exact_lower((units < 0.0).sum(axis=1), len(sizes), heaviest)
    few = np.count_nonzero(units, axis=1) < 2
    return np.asarray(np.where(few, exact, lower) > -margin)


STEPS = np.array([-1.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1.0])
STEP_WEIGHTS = np.array([0.10, 0.05, 0.10, 0.25, 0.30, 0.12, 0.05, 0.03])


def tilted(mean: float) -> FloatArray:
    """The step weights tilted exponentially to a wanted mean, by bisection."""
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        shares = STEP_WEIGHTS * np.exp(middle * STEPS)
        shares /= shares.sum()
        low, high = (middle, high) if shares @ STEPS < mean else (low, middle)
    return np.asarray(shares)


def graded_passes(n: int, changed: float, margin: float) -> Callable[[np.random.Generator, int, float], Passed]:
    """Differences in quarters with skewed losses, a given share of the cases changed."""

    def passes(rng: np.random.Generator, repetitions: int, difference: float) -> Passed:
        steps = rng.choice(STEPS, (repetitions, n), p=tilted(difference / changed))
        units = np.where(rng.random((repetitions, n)) < changed, steps, 0.0)
        return unit_passes(units, np.ones(n), margin)

    return passes


def skewed_passes(n: int, jitter: float, margin: float) -> Callable[[np.random.Generator, int, float], Passed]:
    """99 % of differences a hair above the mean and 1 % at -0.99: 99 % +0.01 where the mean is 0."""

    def passes(rng: np.random.Generator, repetitions: int, difference: float) -> Passed:
        usual = (difference + 0.0099) / 0.99
        units = np.where(rng.random((repetitions, n)) < 0.01, -0.99, usual)
        return unit_passes(units + rng.uniform(-jitter, jitter, units.shape), np.ones(n), margin)

    return passes


def rare_loss_passes(n: int, margin: float) -> Callable[[np.random.Generator, int, float], Passed]:
    """Nothing ever gains and a share of the cases loses everything: the hardest data for a rule that sees no loss."""

    def passes(rng: np.random.Generator, repetitions: int, difference: float) -> Passed:
        units = np.where(rng.random((repetitions, n)) < -difference, -1.0, 0.0)
        return unit_passes(units, np.ones(n), margin)

    return passes


def cluster_passes(
    sizes: FloatArray, spread: float, correlation: float, margin: float
) -> Callable[[np.random.Generator, int, float], Passed]:
    """Normal differences that share a part within clusters; the means of clusters are drawn directly."""

    def passes(rng: np.random.Generator, repetitions: int, difference: float) -> Passed:
        deviation = spread * np.sqrt(correlation + (1.0 - correlation) / sizes)
        units = difference + deviation * rng.standard_normal((repetitions, len(sizes)))
        return unit_passes(np.clip(units, -1.0, 1.0), sizes, margin)

    return passes


def unequal_sizes(count: int, largest: int) -> FloatArray:
    """Cluster sizes that fall like a power of the rank, from the largest to 1."""
    ranks = np.arange(1, count + 1)
    return np.maximum(1.0, np.round(largest / ranks**0.9))


def settings() -> Iterator[Setting]:
    """Every setting of the full simulation."""
    for margin in (0.02, 0.05):
        for discordant in (0.06, 0.16):
            for n in (30, 50, 100, 200, 500, 1000):
                yield Setting(
                    rule="Tango score",
                    name=f"binary, {discordant:.0%} discordant, n {n}",
                    margin=margin,
                    passes=binary_passes(n, discordant, margin),
                )
        for changed in (0.15, 0.3, 0.6):
            for n in (20, 30, 50, 100, 200, 500):
                yield Setting(
                    rule="adjusted t",
                    name=f"graded, {changed:.0%} changed, n {n}",
                    margin=margin,
                    passes=graded_passes(n, changed, margin),
                )
        for n in (100, 200, 250, 300, 400, 500, 600, 800, 1000, 2000):
            yield Setting(
                rule="adjusted t",
                name=f"skewed null with jitter, n {n}",
                margin=margin,
                passes=skewed_passes(n, 0.002, margin),
            )
        for n in (58, 59, 100, 148, 149, 200, 400, 1000):
            yield Setting(
                rule="exact, adjusted t",
                name=f"losses only, n {n}",
                margin=margin,
                passes=rare_loss_passes(n, margin),
            )
    yield from cluster_settings()


def cluster_settings() -> Iterator[Setting]:
    """Clusters of equal and unequal sizes."""
    designs = [(f"{count} x {size}", np.full(count, float(size))) for count, size in EQUAL_DESIGNS]
    designs += [(f"{count}, sizes {largest} to 1", unequal_sizes(count, largest)) for count, largest in UNEQUAL_DESIGNS]
    for name, sizes in designs:
        for spread in (0.15, 0.3, 0.5):
            for correlation in (0.1, 0.4, 0.9):
                yield Setting(
                    rule="adjusted t over clusters",
                    name=f"clusters {name}, sd {spread}, correlation {correlation}",
                    margin=0.05,
                    passes=cluster_passes(sizes, spread, correlation, 0.05),
                )


EQUAL_DESIGNS = ((8, 25), (15, 13), (30, 7), (60, 5), (200, 3))
UNEQUAL_DESIGNS = ((15, 20), (30, 25), (60, 40), (200, 50))


def main(arguments: list[str]) -> int:
    """Runs the settings and prints one Markdown table."""
    parser = argparse.ArgumentParser(description="Error rate and power of the rules that decide PASS.")
    parser.add_argument("--repetitions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    noise = 1.96 * math.sqrt(ALPHA * (1.0 - ALPHA) / chosen.repetitions)
    print(
        f"{chosen.repetitions} repetitions a setting, seed {chosen.seed}; an error of 0.05 is known to ± {noise:.4f}\n"
    )
    print("| rule | setting | margin | error | power |\n|---|---|---|---|---|")
    worst: dict[str, float] = {}
    for setting in settings():
        error = setting.rate(rng, chosen.repetitions, -setting.margin)
        power = setting.rate(rng, chosen.repetitions, 0.0)
        worst[setting.rule] = max(error, worst.get(setting.rule, 0.0))
        print(f"| {setting.rule} | {setting.name} | {setting.margin:g} | {error:.3f} | {power:.3f} |", flush=True)
    for rule, error in worst.items():
        print(f"| {rule} | worst of all settings | | {error:.3f} | |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
