"""The registered rule keeps its error rate at the edge of each condition, and says what is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from beleg.core.errors import EvidenceError
from beleg.stats.filter_rule import (
    Choice,
    ConditionName,
    ConditionState,
    PairedQueries,
    Terms,
    hard_or_soft,
    queries_for_rate,
)

TERMS = Terms(precision_gain_min=0.05, exclusion_rate_max=0.05, recall_loss_max=0.05, alpha=0.05, minimum_queries=50)
REPEATS = 300
# Three standard errors above 0.05 with so many repeats.
MOST_HARD = 0.05 + 3 * (0.05 * 0.95 / REPEATS) ** 0.5


def draw(
    rng: np.random.Generator, n: int, gain: float, rate: float, loss: float, groups: int | None = None
) -> PairedQueries:
    """Queries with a true precision gain, exclusion rate and recall loss; cases of a group resemble each other."""
    labels = None if groups is None else np.repeat(np.arange(groups), n // groups)

    def happens(chance: float) -> np.ndarray:  # type: ignore[type-arg]
        if groups is None or labels is None or not 0 < chance < 1:
            return rng.random(n) < chance
        return rng.random(n) < rng.beta(2 * chance, 2 * (1 - chance), groups)[labels]

    soft = rng.integers(1, 6, n) / 10
    return PairedQueries(
        hard_precision=soft + 0.2 * happens(gain / 0.2),
        soft_precision=soft,
        hard_recall=1.0 - 0.5 * happens(loss / 0.5),
        soft_recall=np.ones(n),
        excluded=happens(rate).astype(np.float64),
        is_known=np.ones(n, dtype=np.bool_),
        clusters=labels,
        precision_span=0.2,
    )


def settled(n: int) -> PairedQueries:
    """Everything speaks for a hard predicate."""
    return draw(np.random.default_rng(1), n, 0.15, 0.0, 0.0)


@pytest.mark.parametrize(("n", "groups"), [(100, None), (400, None), (300, 60)])
@pytest.mark.parametrize(
    ("gain", "rate", "loss"), [(0.05, 0.0, 0.0), (0.15, 0.05, 0.0), (0.15, 0.0, 0.05)], ids=["gain", "rate", "loss"]
)
def test_at_the_edge_of_each_condition_hard_is_said_wrongly_no_more_often_than_promised(
    n: int, groups: int | None, gain: float, rate: float, loss: float
) -> None:
    rng = np.random.default_rng(7)
    choices = [hard_or_soft(draw(rng, n, gain, rate, loss, groups), TERMS).choice for _ in range(REPEATS)]
    assert sum(choice is Choice.HARD for choice in choices) / REPEATS <= MOST_HARD
    assert sum(choice is Choice.SOFT for choice in choices) / REPEATS <= MOST_HARD


def test_a_clear_gain_without_harm_becomes_hard() -> None:
    result = hard_or_soft(settled(200), TERMS)
    assert (result.choice, result.needed) == (Choice.HARD, None)
    assert [each.state for each in result.conditions] == [ConditionState.MET] * 3


@pytest.mark.parametrize(
    ("terms", "violated"),
    [((0.0, 0.0, 0.0), ConditionName.PRECISION_GAIN), ((0.15, 0.3, 0.0), ConditionName.EXCLUSION_RATE),
     ((0.15, 0.0, 0.3), ConditionName.RECALL_CHANGE)],
)  # fmt: skip
def test_one_condition_that_is_proven_false_is_enough_for_soft(
    terms: tuple[float, float, float], violated: ConditionName
) -> None:
    result = hard_or_soft(draw(np.random.default_rng(3), 200, *terms), TERMS)
    assert result.choice is Choice.SOFT
    assert [each.name for each in result.conditions if each.state is ConditionState.VIOLATED] == [violated]


def test_no_gain_compensates_an_exclusion() -> None:
    excluded = np.zeros(200)
    excluded[:40] = 1.0
    assert hard_or_soft(replace(settled(200), excluded=excluded), TERMS).choice is Choice.SOFT


def test_the_bound_of_the_exclusion_rate_is_the_exact_one() -> None:
    excluded = np.zeros(200)
    excluded[:4] = 1.0
    found = hard_or_soft(replace(settled(200), excluded=excluded), TERMS).conditions[1]
    exact = scipy.stats.binomtest(4, 200).proportion_ci(confidence_level=0.90, method="exact")
    assert (found.lower, found.upper) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_fewer_queries_than_registered_are_never_hard() -> None:
    result = hard_or_soft(settled(200), replace(TERMS, minimum_queries=500))
    assert (result.choice, result.needed) == (Choice.UNDECIDED, 500)


def test_a_proven_violation_decides_with_few_queries_too() -> None:
    few = replace(settled(20), excluded=np.ones(20))
    assert hard_or_soft(few, replace(TERMS, minimum_queries=500)).choice is Choice.SOFT


def test_what_was_not_recorded_counts_against_hard_and_not_for_soft() -> None:
    known = np.ones(200, dtype=np.bool_)
    known[:60] = False
    result = hard_or_soft(replace(settled(200), is_known=known), TERMS)
    exclusion = result.conditions[1]
    assert (result.choice, exclusion.state, exclusion.unknown) == (Choice.UNDECIDED, ConditionState.OPEN, 60)
    assert (exclusion.estimate, exclusion.needed) == (0.0, None)


def test_nothing_recorded_is_not_evaluated_and_no_number_of_queries_mends_it() -> None:
    result = hard_or_soft(replace(settled(200), is_known=np.zeros(200, dtype=np.bool_)), TERMS)
    exclusion = result.conditions[1]
    assert (result.choice, result.needed) == (Choice.UNDECIDED, None)
    assert (exclusion.state, exclusion.estimate, exclusion.upper) == (ConditionState.NOT_EVALUATED, None, None)


def test_no_query_with_eligible_gold_is_missing_evidence() -> None:
    with pytest.raises(EvidenceError, match="no query has gold"):
        hard_or_soft(settled(0), TERMS)


def test_with_the_number_of_queries_that_is_named_it_is_decided() -> None:
    rng = np.random.default_rng(5)
    small = draw(rng, 60, 0.12, 0.02, 0.01)
    result = hard_or_soft(small, TERMS)
    assert result.choice is Choice.UNDECIDED
    assert result.needed is not None
    again = [hard_or_soft(draw(rng, result.needed, 0.12, 0.02, 0.01), TERMS).choice for _ in range(40)]
    assert sum(choice is Choice.HARD for choice in again) > 20


@pytest.mark.parametrize(("rate", "limit"), [(0.0, 0.02), (0.01, 0.02), (0.005, 0.05)])
def test_the_number_of_queries_has_the_power_that_it_names(rate: float, limit: float) -> None:
    n = queries_for_rate(rate, limit, alpha=0.05, power=0.8)
    assert n is not None
    most = max(x for x in range(n + 1) if x == 0 or scipy.stats.binom.cdf(x, n, limit) <= 0.05)
    assert scipy.stats.binom.cdf(most, n, limit) <= 0.05
    assert scipy.stats.binom.cdf(most, n, rate) >= 0.8
