from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ranking_runs.comparison import Finding, compare_runs
from beleg.metrics.ranking_runs.kernels import Counts, RunValues
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.paired_sample import ComparisonRules, PairedTest

COUNTS = Counts(queries=0, missing=0, without_relevant=0, without_judgements=0, extra=0)


def run(values: np.ndarray, measures: str = "AP") -> RunValues:
    table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    return RunValues(parse_measures([measures]), tuple(f"q{i:03d}" for i in range(table.shape[1])), table, COUNTS)


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def pair(n: int, gain: float, seed: int = 2) -> list[RunValues]:
    base = generator(seed).uniform(0.2, 0.7, n)
    return [run(base), run((base + gain + generator(seed + 1).normal(0, 0.05, n)).clip(0, 1))]


def test_a_clear_gain_is_shown_and_a_clear_loss_too() -> None:
    base, better = pair(100, 0.1)
    for runs, finding in (([base, better], Finding.BETTER), ([better, base], Finding.WORSE)):
        found = compare_runs(runs, ComparisonRules(), generator()).comparisons[0]
        assert found.finding is finding
        assert found.interval is not None
        assert found.interval.lower < found.estimate < found.interval.upper
        assert found.estimate == pytest.approx(found.run_mean - found.against_mean)


def test_no_difference_in_any_query_is_said_as_such() -> None:
    base = pair(50, 0.0)[0]
    found = compare_runs([base, base], ComparisonRules(), generator()).comparisons[0]
    assert found.finding is Finding.IDENTICAL
    assert (found.estimate, found.p_value, found.adjusted_p) == (0.0, 1.0, 1.0)
    assert found.interval is not None
    assert found.interval.lower < 0.0 < found.interval.upper
    assert found.effect.ties == 50
    assert found.detectable is None


def test_rounding_is_no_difference() -> None:
    values = np.full(20, 0.3)
    found = compare_runs([run(values), run(values + 1e-13)], ComparisonRules(), generator()).comparisons[0]
    assert found.finding is Finding.IDENTICAL


def test_one_query_shows_nothing() -> None:
    found = compare_runs([run([0.1]), run([0.9])], ComparisonRules(), generator()).comparisons[0]
    assert found.finding is Finding.NOT_SHOWN
    assert found.p_value == 1.0


def test_the_correction_is_over_all_measures_and_runs() -> None:
    rng = generator(5)
    runs = [run(rng.uniform(0, 1, (2, 40)), "AP RR") for _ in range(4)]
    found = compare_runs(runs, ComparisonRules(), generator()).comparisons
    assert len(found) == 6
    smallest = min(each.p_value for each in found)  # type: ignore[type-var]
    assert min(each.adjusted_p for each in found) == pytest.approx(min(1.0, 6 * smallest))  # type: ignore[type-var, operator]
    assert all(each.tukey_p is None for each in found)


def test_the_interval_and_the_test_must_both_speak_for_a_difference() -> None:
    # Eight of 100 queries gain a little: p of the exact test is 2 / 256, but the interval allows for unseen losses.
    values = np.zeros(100)
    values[:8] = 0.02
    found = compare_runs([run(np.zeros(100)), run(values)], ComparisonRules(), generator()).comparisons[0]
    assert found.adjusted_p == 2 / 256
    assert found.finding is Finding.NOT_SHOWN


def test_all_pairs_name_every_pair_once_with_both_corrections() -> None:
    rng = generator(6)
    runs = [run(rng.uniform(0, 1, 30)) for _ in range(4)]
    found = compare_runs(runs, ComparisonRules(all_pairs=True, resamples=500), generator())
    assert [(each.run, each.against) for each in found.comparisons] == [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)]
    assert all(each.tukey_p is not None for each in found.comparisons)


def test_groups_widen_what_hangs_together() -> None:
    base = np.full(60, 0.4)
    shift = np.repeat(generator(7).normal(0.05, 0.1, 12), 5)
    runs = [run(base), run((base + shift).clip(0, 1))]
    naive = compare_runs(runs, ComparisonRules(), generator()).comparisons[0]
    labels = [f"topic {i // 5}" for i in range(60)]
    found = compare_runs(runs, ComparisonRules(), generator(), groups=labels)
    assert found.groups == 12
    grouped = found.comparisons[0]
    assert grouped.estimate == pytest.approx(naive.estimate)
    assert grouped.p_value > naive.p_value  # type: ignore[operator]
    assert grouped.interval is not None
    assert grouped.interval.method == "cluster_t"
    tukey = compare_runs(runs, ComparisonRules(all_pairs=True), generator(), groups=labels).comparisons[0]
    assert tukey.tukey_p == pytest.approx(grouped.p_value, abs=0.03)


def test_means_of_rates_are_exact_and_others_adjusted() -> None:
    rates, graded = run([1.0, 0.0, 1.0, 1.0], "Success@1"), run([0.3, 0.2, 0.9, 0.1], "Success@1")
    means = compare_runs([rates, graded], ComparisonRules(), generator()).means
    assert [row[0].method for row in means] == ["clopper_pearson", "adjusted_t"]
    assert means[0][0].estimate == 0.75


def test_a_seed_gives_the_same_figures_again() -> None:
    runs = pair(60, 0.01)
    one, other = (compare_runs(runs, ComparisonRules(resamples=999), generator(9)).comparisons[0] for _ in range(2))
    assert one.p_value == other.p_value


def test_a_t_test_without_spread_has_no_p_and_shows_nothing() -> None:
    rules = ComparisonRules(test=PairedTest.T)
    found = compare_runs([run(np.full(9, 0.2)), run(np.full(9, 0.3))], rules, generator()).comparisons[0]
    assert found.p_value is found.adjusted_p is None
    assert found.finding is Finding.NOT_SHOWN


def test_what_cannot_be_compared_is_refused() -> None:
    base = pair(10, 0.0)[0]
    with pytest.raises(UsageError, match="nothing to compare"):
        compare_runs([base], ComparisonRules(), generator())
    with pytest.raises(UsageError, match="no mean over queries"):
        compare_runs([run([0.1], "GMAP"), run([0.1], "GMAP")], ComparisonRules(), generator())
    with pytest.raises(UsageError, match="confidence"):
        compare_runs([base, base], ComparisonRules(confidence=1.0), generator())
    with pytest.raises(UsageError, match="resamples"):
        compare_runs([base, base], ComparisonRules(resamples=0), generator())
    with pytest.raises(DataError, match="same queries"):
        compare_runs([base, run([0.1, 0.2])], ComparisonRules(), generator())
    with pytest.raises(DataError, match="clusters"):
        compare_runs([base, base], ComparisonRules(), generator(), groups=["a"])
