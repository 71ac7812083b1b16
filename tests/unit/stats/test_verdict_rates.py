"""False passes and false fails, thresholds and the area under the curve, by hand, closed form and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.stats.intervals import clopper_pearson, largest_share
from beleg.stats.verdict_rates import roc_auc, smallest_safe_threshold, threshold_curve, verdict_rates

ITEMS = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=60).filter(
    lambda items: len({label for label, _ in items}) == 2
)


def test_rates_by_hand() -> None:
    human, judge = np.repeat([1, 1, 0, 0], [80, 8, 3, 9]), np.repeat([1, 0, 1, 0], [80, 8, 3, 9])
    found = verdict_rates(human, judge)
    exact = clopper_pearson(3, 12)
    assert found.false_pass is not None
    assert found.false_fail is not None
    assert found.balanced_accuracy is not None
    assert (found.false_pass.estimate, found.false_pass.lower, found.false_pass.upper) == (
        0.25,
        exact.lower,
        exact.upper,
    )
    assert found.false_fail.estimate == pytest.approx(8 / 88)
    assert found.accuracy.estimate == 0.89
    assert found.balanced_accuracy.estimate == pytest.approx(0.5 * (0.75 + 80 / 88))
    assert found.balanced_accuracy.lower < found.balanced_accuracy.estimate < found.balanced_accuracy.upper


def test_a_kind_that_no_item_has_gives_no_rate() -> None:
    found = verdict_rates([1, 1], [1, 0])
    assert (found.false_pass, found.balanced_accuracy) == (None, None)
    assert found.false_fail is not None


def test_claims_of_one_answer_count_for_less() -> None:
    human, judge = [0] * 40, [1, 1, 1, 1] * 2 + [0] * 32
    alone, grouped = verdict_rates(human, judge), verdict_rates(human, judge, groups=np.arange(40) // 4)
    assert alone.false_pass is not None
    assert grouped.false_pass is not None
    assert grouped.false_pass.upper > alone.false_pass.upper + 0.05


@given(ITEMS)
def test_the_curve_counts_what_each_threshold_would_do(items: list[tuple[bool, int]]) -> None:
    human, scores = np.array(items, dtype=float).T
    curve = threshold_curve(human, scores)
    for place, threshold in enumerate(curve.thresholds):
        passes = scores >= threshold
        assert curve.false_passes[place] == (passes & (human == 0)).sum()
        assert curve.false_fails[place] == (~passes & (human == 1)).sum()
        assert curve.accuracy[place] == pytest.approx((passes == human).mean())


@given(ITEMS, st.floats(0.05, 0.9))
def test_the_chosen_threshold_is_the_first_that_is_safe(items: list[tuple[bool, int]], limit: float) -> None:
    human, scores = np.array(items, dtype=float).T
    curve = threshold_curve(human, scores)
    safe = [
        float(threshold)
        for threshold, count in zip(curve.thresholds, curve.false_passes, strict=True)
        if largest_share(int(count), curve.failed, 0.05) <= limit
    ]
    assert smallest_safe_threshold(curve, limit) == (safe[0] if safe else None)


@given(ITEMS)
def test_the_area_is_the_share_of_pairs_in_order(items: list[tuple[bool, int]]) -> None:
    human, scores = np.array(items, dtype=float).T
    good, bad = scores[human == 1], scores[human == 0]
    pairs = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    found = roc_auc(human, scores)
    assert found.estimate == pytest.approx(pairs)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 1.0


def test_the_interval_of_the_area_holds_its_promise_where_it_is_near_1() -> None:
    rng = np.random.default_rng(4)
    truth = 0.9449  # two normals, two standard deviations apart, times sqrt(1/2): Phi(1.597)
    shift = 1.5970 * np.sqrt(2)
    hits = []
    for _ in range(600):
        scores = np.concatenate([rng.normal(shift, 1, 30), rng.normal(0, 1, 20)])
        found = roc_auc([1] * 30 + [0] * 20, scores)
        hits.append(found.lower <= truth <= found.upper)
    assert np.mean(hits) > 0.93


def test_a_perfect_order_of_few_items_is_not_certain() -> None:
    assert roc_auc([0] * 10 + [1] * 10, list(range(20))).lower < 0.9


def test_one_kind_only_and_odd_labels_are_refused() -> None:
    with pytest.raises(DataError, match="pass all items"):
        roc_auc([1, 1], [0.1, 0.2])
    with pytest.raises(DataError, match="1 for pass or 0 for fail"):
        verdict_rates([1, 0.5], [1, 0])
    assert smallest_safe_threshold(threshold_curve([0, 1], [0.1, 0.2]), 0.05) is None
