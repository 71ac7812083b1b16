"""Several looks at one promise: published boundaries, closed forms, and simulation with known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.stats.adjusted_t import adjusted_t
from beleg.stats.distributions import normal_quantile
from beleg.stats.group_sequential import Spending, nominal_levels, obrien_fleming_spending, pocock_spending
from beleg.stats.score_test import tango_lower

FIVE = (0.2, 0.4, 0.6, 0.8, 1.0)
REPETITIONS = 4000
ALLOWED = 0.06 + 3.0 * math.sqrt(0.06 * 0.94 / REPETITIONS)


def bounds(levels: np.ndarray) -> list[float]:
    return [round(-normal_quantile(level), 4) for level in levels.tolist()]


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        # Lan and DeMets's functions at a two-sided 5 %, as ldbounds and gsDesign print them.
        ("obrien_fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
        ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
    ],
)
def test_five_even_looks_have_the_published_bounds(spending: Spending, published: list[float]) -> None:
    assert bounds(nominal_levels(FIVE, 0.025, spending)) == pytest.approx(published, abs=2e-4)


def test_one_look_has_all_of_alpha() -> None:
    assert nominal_levels([1.0], 0.05, "obrien_fleming")[0] == pytest.approx(0.05, abs=1e-12)


def test_the_first_look_has_what_is_spent_by_then() -> None:
    for spending, function in (("pocock", pocock_spending), ("obrien_fleming", obrien_fleming_spending)):
        assert nominal_levels([0.5, 1.0], 0.05, spending)[0] == pytest.approx(function(0.5, 0.05), abs=1e-10)


def test_both_functions_spend_nothing_at_first_and_all_at_last() -> None:
    for function in (pocock_spending, obrien_fleming_spending):
        assert function(0.0, 0.05) == 0.0
        assert function(1.0, 0.05) == pytest.approx(0.05)


@pytest.mark.parametrize("spending", ["pocock", "obrien_fleming"])
@pytest.mark.parametrize(
    "fractions", [FIVE, (0.1, 0.5, 1.0), (0.02, 0.04, 0.9, 0.92, 1.0), tuple(np.linspace(0.05, 1, 20))]
)
def test_a_walk_without_drift_crosses_any_bound_with_the_chance_alpha(
    spending: Spending, fractions: tuple[float, ...]
) -> None:
    rng = np.random.default_rng(3)
    steps = np.sqrt(np.diff([0.0, *fractions]))
    walks = (rng.standard_normal((200_000, len(fractions))) * steps).cumsum(axis=1) / np.sqrt(fractions)
    levels = nominal_levels(fractions, 0.05, spending)
    limits = np.array([-normal_quantile(level) if level > 0 else np.inf for level in levels.tolist()])
    assert (walks > limits).any(axis=1).mean() == pytest.approx(0.05, abs=0.0016)


@pytest.mark.parametrize("wrong", [[], [0.5, 0.5, 1.0], [0.5, 0.4, 1.0], [0.0, 1.0], [0.5, 0.9], [0.5, 1.1]])
def test_shares_that_do_not_rise_to_one_are_refused(wrong: list[float]) -> None:
    with pytest.raises(DataError):
        nominal_levels(wrong, 0.05, "pocock")


def graded(rng: np.random.Generator, n: int) -> np.ndarray:
    """Quarters with skewed losses whose mean is -0.05."""
    steps = np.array([-1.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1.0])
    weights = np.array([0.10, 0.05, 0.10, 0.25, 0.30, 0.12, 0.05, 0.03])
    low, high = -50.0, 50.0
    for _ in range(100):
        tilt = (low + high) / 2
        shares = weights * np.exp(tilt * steps) / (weights * np.exp(tilt * steps)).sum()
        low, high = (tilt, high) if shares @ steps < -0.05 / 0.3 else (low, tilt)
    chosen = rng.choice(steps, (REPETITIONS, n), p=shares)
    return np.where(rng.random(chosen.shape) < 0.3, chosen, 0.0)


@pytest.mark.parametrize("spending", ["pocock", "obrien_fleming"])
def test_graded_scores_at_the_margin_pass_as_seldom_as_promised_however_often_one_looks(spending: Spending) -> None:
    units = graded(np.random.default_rng(11), 200)
    passed = np.zeros(REPETITIONS, dtype=bool)
    for share, level in zip(FIVE, nominal_levels(FIVE, 0.05, spending).tolist(), strict=True):
        seen = units[:, : round(share * 200)]
        passed |= adjusted_t(seen, np.ones(seen.shape[1]), span=1.0).lower(level) > -0.05
    assert passed.mean() <= ALLOWED


def test_binary_scores_at_the_margin_pass_as_seldom_as_promised_and_peeking_does_not() -> None:
    rng = np.random.default_rng(12)
    chance = rng.random((REPETITIONS, 400))
    losses, gains = chance < 0.105, chance > 0.945
    rates = {}
    for name, levels in (("spent", nominal_levels(FIVE, 0.05, "pocock").tolist()), ("peeking", [0.05] * 5)):
        passed = np.zeros(REPETITIONS, dtype=bool)
        for share, level in zip(FIVE, levels, strict=True):
            n = round(share * 400)
            lower = tango_lower(losses[:, :n].sum(axis=1), gains[:, :n].sum(axis=1), n, level)
            passed |= lower > -0.05
        rates[name] = passed.mean()
    assert rates["spent"] <= ALLOWED
    assert rates["peeking"] > 0.09
