from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.stats.paired import NonInferiority, PairedMethod, PairedState, non_inferiority
from beleg.stats.score_test import tango_lower


def from_counts(losses: int, gains: int, n: int, margin: float = 0.05) -> NonInferiority:
    """Paired 0/1 scores with so many losses and gains; the rest is right on both sides."""
    candidate = np.ones(n)
    baseline = np.ones(n)
    candidate[:losses] = 0.0
    baseline[losses : losses + gains] = 0.0
    return non_inferiority(candidate, baseline, margin=margin)


@pytest.mark.parametrize("score", [0.0, 1.0, 0.37])
def test_two_identical_rows_never_pass(score: float) -> None:
    result = non_inferiority([score, score], [score, score], margin=0.05)
    assert result.state is PairedState.INCONCLUSIVE
    assert result.method is PairedMethod.EXACT_LOSSES
    assert result.needed == 59


@pytest.mark.parametrize(("margin", "needed"), [(0.02, 149), (0.05, 59)])
def test_a_system_that_never_differs_passes_from_ln_alpha_over_ln_one_minus_margin_cases(
    margin: float, needed: int
) -> None:
    assert needed == math.ceil(math.log(0.05) / math.log(1 - margin))
    for n, state in ((needed - 1, PairedState.INCONCLUSIVE), (needed, PairedState.PASS)):
        result = non_inferiority([0.8] * n, [0.8] * n, margin=margin)
        assert result.state is state
        assert result.needed == needed
        assert result.discordant == 0
        assert result.p_not_inferior == pytest.approx((1 - margin) ** n)


def test_a_hair_of_noise_buys_no_earlier_pass() -> None:
    rng = np.random.default_rng(1)
    for n, state in ((140, PairedState.INCONCLUSIVE), (165, PairedState.PASS)):
        candidate = 0.8 + rng.uniform(-0.002, 0.002, n)
        result = non_inferiority(candidate, [0.8] * n, margin=0.02)
        assert result.method is PairedMethod.ADJUSTED_T
        assert result.state is state


def test_one_loss_is_bounded_exactly() -> None:
    result = from_counts(1, 0, 92)
    assert result.method is PairedMethod.EXACT_LOSSES
    assert result.state is PairedState.INCONCLUSIVE
    assert result.p_not_inferior == pytest.approx(0.95**92 + 92 * 0.05 * 0.95**91)
    assert from_counts(1, 0, 93).state is PairedState.PASS
    assert result.needed is not None
    assert result.needed >= 93


def test_the_exact_rule_can_never_fail_a_system() -> None:
    result = non_inferiority([0.0], [1.0], margin=0.05)
    assert result.state is PairedState.INCONCLUSIVE
    assert (result.lower, result.p_inferior, result.needed) == (-1.0, 1.0, None)


def test_binary_scores_get_tangos_interval() -> None:
    result = from_counts(4, 6, 200)
    assert result.method is PairedMethod.TANGO_SCORE
    assert result.estimate == pytest.approx(0.01)
    assert result.discordant == 10
    assert result.lower == pytest.approx(float(tango_lower(np.array([4]), np.array([6]), 200, 0.05)[0]))
    assert result.df is None
    assert result.clusters is None
    assert result.confidence == 0.95


def test_a_collapse_fails_and_needs_nothing_more() -> None:
    result = from_counts(40, 2, 200)
    assert result.state is PairedState.FAIL
    assert result.upper < -0.05
    assert result.p_inferior < 0.001
    assert result.needed is None


def test_graded_scores_get_the_adjusted_t() -> None:
    result = non_inferiority([0.5, 1.0, 0.25, 0.75] * 30, [0.5, 0.75, 0.5, 0.75] * 30, margin=0.05)
    assert result.method is PairedMethod.ADJUSTED_T
    assert result.df == pytest.approx(121.0)


def test_binary_can_be_settled_by_the_caller() -> None:
    zero_one = ([1.0, 0.0, 1.0] * 20, [0.0, 1.0, 1.0] * 20)
    assert non_inferiority(*zero_one, margin=0.05, binary=False).method is PairedMethod.ADJUSTED_T
    with pytest.raises(DataError, match="binary metric"):
        non_inferiority([0.5, 1.0], [1.0, 0.0], margin=0.05, binary=True)


def test_labels_that_all_differ_are_no_clusters() -> None:
    rng = np.random.default_rng(8)
    scores = rng.random((2, 40))
    assert non_inferiority(*scores, margin=0.05, clusters=list(range(40))) == non_inferiority(*scores, margin=0.05)


def test_clusters_of_equal_size_are_judged_by_their_means() -> None:
    rng = np.random.default_rng(9)
    candidate, baseline = rng.random((2, 60))
    clustered = non_inferiority(candidate, baseline, margin=0.05, clusters=np.repeat(np.arange(20), 3))
    means = non_inferiority(
        candidate.reshape(20, 3).mean(axis=1), baseline.reshape(20, 3).mean(axis=1), margin=0.05, binary=False
    )
    assert clustered.method is PairedMethod.CLUSTER_ADJUSTED_T
    assert (clustered.n, clustered.clusters) == (60, 20)
    for name in ("estimate", "lower", "upper", "df", "p_not_inferior", "p_inferior", "needed"):
        assert getattr(clustered, name) == pytest.approx(getattr(means, name)), name


def test_unequal_clusters_still_estimate_the_mean_per_case() -> None:
    candidate = [1.0] * 9 + [0.0] + [0.5, 0.25]
    baseline = [0.5] * 9 + [1.0] + [0.5, 0.5]
    result = non_inferiority(candidate, baseline, margin=0.05, clusters=["a"] * 9 + ["b", "c", "c"])
    assert result.estimate == pytest.approx((9 * 0.5 - 1.0 - 0.25) / 12)
    assert result.df is not None
    assert result.df < 4


def test_a_difference_within_one_cluster_only_is_bounded_exactly() -> None:
    baseline = np.ones(200)
    candidate = np.ones(200)
    candidate[:4] = 0.0
    result = non_inferiority(candidate, baseline, margin=0.05, clusters=np.repeat(np.arange(40), 5))
    assert result.method is PairedMethod.EXACT_LOSSES
    assert result.discordant == 4
    assert result.p_not_inferior == pytest.approx(0.95**40 + 40 * 0.05 * 0.95**39)


def test_identical_rows_in_clusters_of_unequal_size_count_the_heaviest_cluster() -> None:
    labels = np.repeat(np.arange(100), np.tile([1, 3], 50))
    result = non_inferiority([1.0] * 200, [1.0] * 200, margin=0.05, clusters=labels)
    # The largest cluster weighs 1.5 times the average: 1.5 x (1 - 0.05^(1/100)).
    assert result.lower == pytest.approx(-1.5 * (1 - 0.05 ** (1 / 100)))
    assert result.needed == math.ceil(math.log(0.05) / math.log(1 - 0.05 / 1.5))


def test_one_cluster_proves_nothing() -> None:
    rng = np.random.default_rng(3)
    result = non_inferiority(rng.random(500), rng.random(500), margin=0.05, clusters=["doc"] * 500)
    assert result.state is PairedState.INCONCLUSIVE


def test_rounding_is_no_discordance() -> None:
    result = non_inferiority([0.1 + 0.2] * 50, [0.3] * 50, margin=0.05)
    assert result.discordant == 0


def test_span_scales_graded_scores() -> None:
    rng = np.random.default_rng(12)
    candidate, baseline = rng.random((2, 80))
    unit = non_inferiority(candidate, baseline, margin=0.05)
    scaled = non_inferiority(5 * candidate, 5 * baseline, margin=0.25, span=5.0)
    assert scaled.lower == pytest.approx(5 * unit.lower)
    assert scaled.p_not_inferior == pytest.approx(unit.p_not_inferior)
    assert scaled.needed == unit.needed


SCORES = st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1)


@given(SCORES, st.sampled_from([0.01, 0.05, 0.2]), st.booleans(), st.booleans())
def test_state_follows_the_bounds_and_the_p_values(
    pairs: list[tuple[float, float]], margin: float, clustered: bool, binary: bool
) -> None:
    scores = np.array(pairs)
    if binary:
        scores = np.floor(scores)
    labels = [index // 3 for index in range(len(pairs))] if clustered else None
    result = non_inferiority(scores[:, 0], scores[:, 1], margin=margin, clusters=labels)
    assert -1.0 <= result.lower <= result.estimate + 1e-12
    assert result.estimate - 1e-12 <= result.upper <= 1.0
    assert (result.state is PairedState.PASS) == (result.lower > -margin)
    assert (result.state is PairedState.FAIL) == (result.upper < -margin)
    assert (result.p_not_inferior < 0.05) == (result.state is PairedState.PASS)
    assert (result.p_inferior < 0.05) == (result.state is PairedState.FAIL)
    if result.state is PairedState.INCONCLUSIVE:
        assert (result.needed is None) == (result.estimate <= -margin)


@given(SCORES, st.booleans())
def test_exchanging_the_systems_mirrors_the_bounds(pairs: list[tuple[float, float]], clustered: bool) -> None:
    scores = np.array(pairs)
    labels = [index // 2 for index in range(len(pairs))] if clustered else None
    one = non_inferiority(scores[:, 0], scores[:, 1], margin=0.05, clusters=labels)
    other = non_inferiority(scores[:, 1], scores[:, 0], margin=0.05, clusters=labels)
    assert one.lower == pytest.approx(-other.upper, abs=1e-9)
    assert one.upper == pytest.approx(-other.lower, abs=1e-9)


def test_no_order_of_cases_matters() -> None:
    rng = np.random.default_rng(21)
    scores, labels = rng.random((2, 50)), rng.integers(0, 12, 50)
    order = rng.permutation(50)
    one = non_inferiority(scores[0], scores[1], margin=0.05, clusters=labels)
    other = non_inferiority(scores[0][order], scores[1][order], margin=0.05, clusters=labels[order])
    assert (one.lower, one.upper, one.df) == pytest.approx((other.lower, other.upper, other.df))


def test_more_data_of_the_same_kind_passes_at_the_number_needed() -> None:
    candidate = np.array([1.0, 0.75, 0.5, 0.25, 1.0, 0.5, 0.5, 1.0])
    baseline = np.array([1.0, 0.5, 0.75, 0.25, 0.75, 0.75, 0.5, 1.0])
    for labels in (None, np.repeat(np.arange(4), 2)):
        first = non_inferiority(candidate, baseline, margin=0.05, clusters=labels)
        assert first.state is PairedState.INCONCLUSIVE
        assert first.needed is not None
        times = math.ceil(first.needed / (8 if labels is None else 4))
        more = None if labels is None else (labels[None, :] + 4 * np.arange(times)[:, None]).ravel()
        second = non_inferiority(np.tile(candidate, times), np.tile(baseline, times), margin=0.05, clusters=more)
        assert second.state is PairedState.PASS


@pytest.mark.parametrize(
    ("candidate", "baseline", "message"),
    [
        ([], [], "there is no value"),
        ([1.0], [1.0, 0.0], "2 entries are needed"),
        ([float("nan")], [1.0], "not finite"),
        ([1.0], [float("inf")], "not finite"),
        ([3.0], [1.0], "more than the span"),
    ],
)
def test_faulty_scores_are_refused(candidate: list[float], baseline: list[float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        non_inferiority(candidate, baseline, margin=0.05)


@pytest.mark.parametrize("margin", [0.0, -0.05, 1.0, float("nan"), float("inf")])
def test_a_margin_that_forgives_nothing_or_everything_is_refused(margin: float) -> None:
    with pytest.raises(DataError, match="margin"):
        non_inferiority([1.0], [1.0], margin=margin)


def test_faulty_settings_are_refused() -> None:
    with pytest.raises(UsageError, match="alpha"):
        non_inferiority([1.0], [1.0], margin=0.05, alpha=0.5)
    with pytest.raises(DataError, match="margin"):
        non_inferiority([1.0], [1.0], margin=0.05, span=float("nan"))
    with pytest.raises(DataError, match="clusters"):
        non_inferiority([1.0], [1.0], margin=0.05, clusters=["a", "b"])
