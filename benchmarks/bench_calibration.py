"""Coverage of judge-assisted intervals, and the error rate of the gate under a judge's noise, with known truth.

usage: python benchmarks/bench_calibration.py [--smoke]

The first table draws labelled and unlabelled verdicts of a judge with known sensitivity and specificity and counts how
often a 95 % interval holds the true pass rate. The second draws paired figures of two runs that a noisy judge gave and
counts how often a worsening of exactly the margin passes.
"""

from __future__ import annotations

import math
import sys
import warnings

import krippendorff
import numpy as np

from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.agreement_coefficients import krippendorff_alpha
from beleg.stats.distributions import normal_quantile
from beleg.stats.intervals import wilson
from beleg.stats.prediction_powered import judge_assisted_rate, ppi_interval, square_and_add
from measuring import Row, is_smoke, show, spend

JUDGES = ((0.95, 0.95, 0.8), (0.95, 0.99, 0.6), (0.8, 0.9, 0.8), (0.6, 0.85, 0.85), (0.9, 0.8, 0.9))
LABELS = (30, 50, 100, 300)
JUDGED = 2_000
MARGIN, ALPHA, CASES = 0.05, 0.05, 200
RULES = ("humans only, Wilson", "PPI", "PPI++", "square-and-add", "chosen")


def coverage(setting: tuple[float, float, float], n: int, rounds: int, rng: np.random.Generator) -> dict[str, float]:
    """How often each interval holds the truth; one-sided misses of the chosen rule stand beside it."""
    rate, sensitivity, specificity = setting
    cells = [rate * sensitivity, rate * (1 - sensitivity), (1 - rate) * (1 - specificity), (1 - rate) * specificity]
    hits, above = dict.fromkeys(RULES, 0), 0
    for _ in range(rounds):
        counts = rng.multinomial(n, cells)
        human, judge = np.repeat([1.0, 1.0, 0.0, 0.0], counts), np.repeat([1.0, 0.0, 1.0, 0.0], counts)
        passed = int(rng.binomial(JUDGED, cells[0] + cells[2]))
        rest = np.repeat([1.0, 0.0], [passed, JUDGED - passed])
        alone = wilson(int(human.sum()), n)
        chosen = judge_assisted_rate(human, judge, rest)
        bounds = (
            (alone.lower, alone.upper),
            *((found.lower, found.upper) for found in (
                ppi_interval(human, judge, rest), ppi_interval(human, judge, rest, tuning=None),
                square_and_add(human, judge, rest), chosen,
            )),
        )  # fmt: skip
        for name, (low, high) in zip(RULES, bounds, strict=True):
            hits[name] += low <= rate <= high
        above += judge_assisted_rate(human, judge, rest, 0.9, one_sided=True).lower > rate
    return {name: count / rounds for name, count in hits.items()} | {"lower bound above": above / rounds}


def passes(
    spread: float, noise: float, shared: float, drop: float, rounds: int, rng: np.random.Generator
) -> list[float]:
    """Share of PASS at a true drop, without and with the judge's noise carried into the bound."""
    new, old = (rng.normal(0.0, noise, (rounds, CASES)) + rng.normal(0.0, shared, (rounds, 1)) for _ in range(2))
    differences = np.clip(rng.normal(-drop, spread, (rounds, CASES)) + new - old, -1.0, 1.0)
    lower = adjusted_t(differences, np.ones(CASES), span=1.0).lower(ALPHA)
    reach = normal_quantile(1 - ALPHA) * math.sqrt(2 * (noise**2 / CASES + shared**2))
    means = differences.mean(axis=1)
    widened = means - np.hypot(means - lower, reach)
    return [float((bound > -MARGIN).mean()) for bound in (lower, widened)]


def tell(line: str = "") -> None:
    """A line of a simulation; standard output holds the one table that every benchmark has."""
    print(line, file=sys.stderr)


def tables(*, smoke: bool) -> list[Row]:
    """Both simulations as Markdown beside the output, and their worst figures as rows."""
    rng = np.random.default_rng(11)
    rounds = 40 if smoke else 2_000
    tell("| pass rate, sensitivity, specificity | labels | " + " | ".join(RULES) + " | PASS bound above truth |")
    tell("|---|---|" + "---|" * (len(RULES) + 1))
    worst = dict.fromkeys((*RULES, "lower bound above"), 0.0) | dict.fromkeys(RULES, 1.0)
    for setting in JUDGES[:1] if smoke else JUDGES:
        for n in LABELS[:1] if smoke else LABELS:
            found = coverage(setting, n, rounds, rng)
            tell(
                f"| {setting[0]}, {setting[1]}, {setting[2]} | {n} | "
                + " | ".join(f"{v:.3f}" for v in found.values())
                + " |"
            )
            worst = {name: min(worst[name], found[name]) for name in RULES} | {
                "lower bound above": max(worst["lower bound above"], found["lower bound above"])
            }
    tell("\n| spread of cases | noise of a verdict | shared by a pass | error as it was | error, noise carried | "
          "power as it was | power, noise carried |\n|---|---|---|---|---|---|---|")  # fmt: skip
    error = 0.0
    for spread in (0.1, 0.25):
        for noise in (0.0, 0.1, 0.2):
            for shared in (0.0, 0.01, 0.02):
                errors = passes(spread, noise, shared, MARGIN, rounds, rng)
                power = passes(spread, noise, shared, 0.0, rounds, rng)
                error = max(error, errors[1])
                shares = " | ".join(f"{share:.3f}" for share in (*errors, *power))
                tell(f"| {spread} | {noise} | {shared} | {shares} |")
    tell()
    return [
        *(Row(what=f"worst coverage, {name}", measured=worst[name], unit="share") for name in RULES),
        Row(what="PASS bound above truth, chosen", measured=worst["lower bound above"], unit="share"),
        Row(what="PASS error under noise", measured=error, unit="share"),
    ]


def alpha_rows(*, smoke: bool) -> list[Row]:
    """Time of alpha beside the package krippendorff."""
    rng = np.random.default_rng(2)
    ratings = rng.integers(1, 6, (10, 500 if smoke else 100_000)).astype(np.float64)
    units = np.tile(np.arange(ratings.shape[1]), 10)
    rows = []
    for level in ("nominal", "interval"):
        ours, spent = spend(lambda level=level: krippendorff_alpha(units, ratings.ravel(), level=level))  # type: ignore[misc]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs, peer = spend(lambda level=level: krippendorff.alpha(ratings, level_of_measurement=level))  # type: ignore[misc]
        if not math.isclose(ours.score.value or 0.0, float(theirs), abs_tol=1e-9):
            raise SystemExit(f"{level}: {ours.score.value} and {theirs} differ")
        rows.append(
            Row(what=f"{level} alpha with interval, 10 × {ratings.shape[1]:,}", measured=spent.cpu_s, unit="CPU s",
                peer="krippendorff, no interval", peer_measured=peer.cpu_s)
        )  # fmt: skip
    return rows


def main() -> None:
    """Runs both simulations and times alpha."""
    smoke = is_smoke(__doc__)
    rows = [*tables(smoke=smoke), *alpha_rows(smoke=smoke)]
    setting = f"{JUDGED:,} verdicts without a label; {CASES} paired cases, margin {MARGIN}"
    show("calibration", setting, rows, packages=("numpy", "krippendorff"), smoke=smoke)


if __name__ == "__main__":
    main()
