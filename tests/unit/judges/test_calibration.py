"""A judge against people: rates, agreement, an honest threshold, noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from beleg.core.errors import DataError
from beleg.judges.calibration import LabelledScores, Terms, compare, figures, halves
from support.calibrations import scores


def graded(n: int, *, seed: int = 1, spread: float = 0.15) -> LabelledScores:
    rng = np.random.default_rng(seed)
    human = rng.random(n) < 0.6
    ids = tuple(f"i{number}" for number in range(n))
    return LabelledScores(
        items=ids,
        human=human,
        scores=np.clip(rng.normal(np.where(human, 0.75, 0.35), spread), 0, 1),
        repeats=(0,) * n,
        groups=ids,
        segments={"language": tuple("de" if number % 3 else "en" for number in range(n))},
    )


def test_figures_by_hand() -> None:
    found = figures(scores(80, 8, 3, 9), 1.0, 0.95)
    assert (found.n, found.passed, found.failed, found.judge_passed) == (100, 88, 12, 83)
    assert found.false_pass is not None
    assert found.false_fail is not None
    assert (found.false_pass.value, found.false_pass.events, found.false_pass.n) == (0.25, 3, 12)
    assert found.false_fail.events == 8
    assert found.kappa.value == pytest.approx(0.5587, abs=1e-3)
    assert found.ac1.value is not None
    assert found.ac1.value > found.kappa.value


def test_a_judge_who_never_disagreed_is_not_known_to_be_perfect() -> None:
    found = figures(scores(30, 0, 0, 30), 1.0, 0.95)
    assert found.kappa.value == 1.0
    assert found.kappa.lower == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 60)), abs=1e-9)


class TestThreshold:
    def test_it_is_chosen_on_one_half_and_all_figures_are_over_the_other(self) -> None:
        given = graded(800)
        found = compare(given, Terms(max_false_pass=0.1))
        half = halves(given.groups)
        assert found.threshold.rule == "smallest_safe"
        assert found.threshold.chosen_on == half.sum()
        assert found.overall.n == (~half).sum()
        other = given.take(~half)
        passed = (other.scores >= found.threshold.threshold) & ~other.human
        assert found.overall.false_pass is not None
        assert found.overall.false_pass.events == passed.sum()
        assert sum(part.n for part in found.segments) == found.overall.n

    def test_the_limit_holds_on_the_other_half_about_as_often_as_promised(self) -> None:
        """Chosen with a 95 % bound, the true rate may lie above the limit in about one calibration of twenty."""
        rates = []
        for seed in range(60):
            found = compare(graded(400, seed=seed), Terms(max_false_pass=0.15))
            assert found.overall.false_pass is not None
            rates.append(found.overall.false_pass.value)
        assert np.mean(rates) < 0.15
        assert np.mean(np.array(rates) > 0.15) < 0.2

    def test_items_of_one_group_fall_into_one_half(self) -> None:
        groups = [f"g{number // 7}" for number in range(200)]
        by_group = {group: {bool(side) for name, side in zip(groups, halves(groups), strict=True) if name == group}
                    for group in groups}  # fmt: skip
        assert {len(sides) for sides in by_group.values()} == {1}

    def test_too_few_items_of_a_kind_are_refused(self) -> None:
        with pytest.raises(DataError, match="chosen on one half"):
            compare(graded(30), Terms(max_false_pass=0.1))

    def test_a_limit_that_nothing_proves_is_refused(self) -> None:
        with pytest.raises(DataError, match="no threshold is proven"):
            compare(graded(200), Terms(max_false_pass=0.001))

    def test_a_judge_that_only_says_pass_or_fail_needs_none(self) -> None:
        found = compare(scores(80, 8, 3, 9), Terms(max_false_pass=0.1))
        assert (found.threshold.rule, found.threshold.threshold, found.auc) == ("fixed", 1.0, None)


def test_the_area_under_the_curve_is_told_for_graded_scores() -> None:
    found = compare(graded(300), Terms(threshold=0.5))
    assert found.auc is not None
    assert found.auc.value > 0.9


def test_repeats_tell_the_noise_and_do_not_count_as_items() -> None:
    one = scores(40, 0, 0, 20)
    again = replace(one, repeats=(1,) * 60, scores=np.where(np.arange(60) < 6, 1 - one.scores, one.scores))
    both = LabelledScores(
        items=one.items + again.items,
        human=np.concatenate([one.human, again.human]),
        scores=np.concatenate([one.scores, again.scores]),
        repeats=one.repeats + again.repeats,
        groups=one.groups + again.groups,
    )
    found = compare(both, Terms())
    assert found.overall.n == 60
    assert found.noise is not None
    assert (found.noise.items, found.noise.flipped) == (60, 6)
    assert found.noise.within_variance == pytest.approx(0.05)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(DataError, match="no item has both"):
        compare(scores(0, 0, 0, 0), Terms())
