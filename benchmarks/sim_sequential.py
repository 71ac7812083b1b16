"""Looking several times, by simulation with known truth: error at the margin, power, and how many cases are judged.

usage: python benchmarks/sim_sequential.py [--repetitions N] [--seed S]

The rules that `beleg gate` applies to paired differences are looked at five times, at the levels that the spending
function gives each look: PASS at the first look whose lower bound lies above -margin, BLOCK at the first whose upper
bound lies below it. "peeking" looks as often at the whole level, and shows why that is not allowed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sim_gate import STEPS, exact_lower, tilted

from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.group_sequential import Spending, nominal_levels
from beleg.stats.score_test import tango_lower

ALPHA, SHARES = 0.05, (0.2, 0.4, 0.6, 0.8, 1.0)
FloatArray = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, float], FloatArray]
LEAST_N = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One kind of data: draws differences of cases (or clusters) in the order in which they are judged."""

    name: str
    margin: float
    n: int
    draw: Draw
    is_binary: bool = False


def lower_bounds(units: FloatArray, level: float, *, is_binary: bool) -> FloatArray:
    """The bound of each sample by the rule that the gate applies to such data."""
    n = units.shape[1]
    losses, gains = (units < 0.0).sum(axis=1), (units > 0.0).sum(axis=1)
    few = losses + gains < 2
    exact = exact_lower(losses, n) if level == ALPHA else -_largest(losses, n, level)
    usual = tango_lower(losses, gains, n, level) if is_binary else adjusted_t(units, np.ones(n), span=1.0).lower(level)
    return np.where(few, exact, usual)


def _largest(losses: npt.NDArray[np.intp], n: int, level: float) -> FloatArray:
    from beleg.stats.intervals import largest_share

    return np.array([largest_share(count, n, level) for count in (0, 1)])[np.minimum(losses, 1)]


def outcomes(units: FloatArray, setting: Setting, levels: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For each sample: whether it passed, whether it was blocked, and how many cases were judged."""
    counts = [round(share * setting.n) for share in SHARES]
    passed = np.zeros(len(units), dtype=bool)
    blocked = np.zeros(len(units), dtype=bool)
    judged = np.full(len(units), float(setting.n))
    for count, level in zip(counts, levels, strict=True):
        if count < LEAST_N:
            continue
        seen = units[:, :count]
        open_ = ~(passed | blocked)
        passes = lower_bounds(seen, float(level), is_binary=setting.is_binary) > -setting.margin
        blocks = -lower_bounds(-seen, float(level), is_binary=setting.is_binary) < -setting.margin
        passed |= open_ & passes
        blocked |= open_ & blocks & ~passes
        judged[open_ & (passes | blocks)] = count
    return passed.astype(float), blocked.astype(float), judged


def graded(changed: float) -> Callable[[int], Draw]:
    """Differences in quarters with skewed losses, a share of the cases changed."""

    def of(n: int) -> Draw:
        def draw(rng: np.random.Generator, repetitions: int, difference: float) -> FloatArray:
            steps = rng.choice(STEPS, (repetitions, n), p=tilted(difference / changed))
            return np.where(rng.random((repetitions, n)) < changed, steps, 0.0)

        return draw

    return of


def binary(discordant: float) -> Callable[[int], Draw]:
    """Paired 0/1 scores, a share of them discordant."""

    def of(n: int) -> Draw:
        def draw(rng: np.random.Generator, repetitions: int, difference: float) -> FloatArray:
            share = max(discordant, abs(difference) + 0.01)
            losses, gains = (share - difference) / 2.0, (share + difference) / 2.0
            chance = rng.random((repetitions, n))
            return np.where(chance < losses, -1.0, np.where(chance < losses + gains, 1.0, 0.0))

        return draw

    return of


def normal(n: int) -> Draw:
    """The setting of the published comparison: standard deviation 0.25."""

    def draw(rng: np.random.Generator, repetitions: int, difference: float) -> FloatArray:
        return np.clip(rng.normal(difference, 0.25, (repetitions, n)), -1.0, 1.0)

    return draw


def skewed(n: int) -> Draw:
    """99 % of differences a hair above the mean and 1 % at -0.99."""

    def draw(rng: np.random.Generator, repetitions: int, difference: float) -> FloatArray:
        usual = (difference + 0.0099) / 0.99
        units = np.where(rng.random((repetitions, n)) < 0.01, -0.99, usual)
        return units + rng.uniform(-0.002, 0.002, units.shape)

    return draw


def settings() -> Iterator[Setting]:
    """Every setting of the full simulation."""
    yield Setting(name="normal, sd 0.25, n 400", margin=0.05, n=400, draw=normal(400))
    for n in (200, 400, 1000):
        for changed in (0.15, 0.3, 0.6):
            yield Setting(name=f"graded, {changed:.0%} changed, n {n}", margin=0.05, n=n, draw=graded(changed)(n))
        for discordant in (0.06, 0.16):
            yield Setting(
                name=f"binary, {discordant:.0%} discordant, n {n}",
                margin=0.05,
                n=n,
                draw=binary(discordant)(n),
                is_binary=True,
            )
        yield Setting(name=f"skewed null, n {n}", margin=0.02, n=n, draw=skewed(n))


def levels_of(rule: str) -> FloatArray:
    """The level of each look under a rule."""
    if rule == "peeking":
        return np.full(len(SHARES), ALPHA)
    spending: Spending = "pocock" if rule == "pocock" else "obrien_fleming"
    return nominal_levels(SHARES, ALPHA, spending)


def row(setting: Setting, rule: str, rng: np.random.Generator, repetitions: int) -> str:
    """One line of the table."""
    levels = levels_of(rule)
    error, _, _ = outcomes(setting.draw(rng, repetitions, -setting.margin), setting, levels)
    passed, _, judged = outcomes(setting.draw(rng, repetitions, 0.0), setting, levels)
    _, blocked, until_block = outcomes(setting.draw(rng, repetitions, -0.12), setting, levels)
    saved = 1.0 - judged.mean() / setting.n
    return (
        f"| {setting.name} | {setting.margin} | {rule} | {error.mean():.3f} | {passed.mean():.3f} | {saved:.0%} "
        f"| {blocked.mean():.3f} | {1.0 - until_block.mean() / setting.n:.0%} |"
    )


def main(arguments: list[str]) -> int:
    """Runs the settings and prints one Markdown table."""
    parser = argparse.ArgumentParser(description="Error and savings of looking several times.")
    parser.add_argument("--repetitions", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args(arguments)
    rng = np.random.default_rng(chosen.seed)
    print(
        "| data | margin | rule | error at the margin | PASS, no drop | cases saved | BLOCK, drop .12 | cases saved |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for setting in settings():
        for rule in ("obrien_fleming", "pocock", "peeking"):
            print(row(setting, rule, rng, chosen.repetitions), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
