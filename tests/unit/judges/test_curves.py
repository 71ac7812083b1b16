"""The curves of a graded judge: honest bins, exact intervals, and nothing that a binary judge does not have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from beleg.core.calibration import CurveAbsence
from beleg.judges.calibration import LabelledScores, Terms, compare
from beleg.judges.curves import MAX_POINTS, operating_curve, reliability_curve
from beleg.stats.intervals import clopper_pearson
from support.calibrations import scores
from unit.judges.test_calibration import graded


def names(n: int) -> list[str]:
    return [f"i{number}" for number in range(n)]


class TestReliability:
    def test_bins_hold_about_as_many_items_and_all_of_them(self) -> None:
        given = graded(500)
        curve = reliability_curve(given.human, given.scores, given.groups, 0.95)
        assert len(curve.bins) == 10
        assert sum(each.passed.n for each in curve.bins) == 500
        assert all(45 <= each.passed.n <= 60 for each in curve.bins)
        assert [each.score for each in curve.bins] == sorted(each.score for each in curve.bins)

    def test_the_interval_of_a_bin_is_clopper_and_pearsons(self) -> None:
        given = graded(400)
        first = reliability_curve(given.human, given.scores, given.groups, 0.9).bins[0]
        inside = given.scores <= first.upper
        exact = clopper_pearson(int(given.human[inside].sum()), int(inside.sum()), 0.9)
        assert (first.passed.value, first.passed.lower, first.passed.upper) == (
            exact.estimate, exact.lower, exact.upper,
        )  # fmt: skip

    def test_items_that_share_a_group_widen_it(self) -> None:
        given = graded(400)
        alone = reliability_curve(given.human, given.scores, given.groups, 0.95)
        # Ten items that people judge alike, in one group each: they are worth fewer than ten.
        order = np.argsort(given.scores + given.human)
        groups = np.empty(400, dtype=object)
        groups[order] = [f"g{at // 10}" for at in range(400)]
        shared = reliability_curve(given.human, given.scores, groups.tolist(), 0.95)
        widths = [sum(each.passed.upper - each.passed.lower for each in curve.bins) for curve in (alone, shared)]
        assert widths[1] > widths[0]

    def test_the_parts_of_the_brier_score_add_up(self) -> None:
        given = graded(300)
        curve = reliability_curve(given.human, given.scores, given.groups, 0.95)
        assert curve.brier == pytest.approx(np.mean((given.scores - given.human) ** 2), abs=1e-12)
        together = curve.reliability - curve.resolution + curve.uncertainty + curve.within_bins
        assert curve.brier == pytest.approx(together, abs=1e-12)

    def test_equal_scores_are_never_parted(self) -> None:
        human, given = np.array([True, False] * 50), np.repeat([0.2, 0.8], 50)
        curve = reliability_curve(human, given, names(100), 0.95)
        assert [(each.score, each.passed.n) for each in curve.bins] == [
            (pytest.approx(0.2), 50), (pytest.approx(0.8), 50),
        ]  # fmt: skip
        assert curve.within_bins == pytest.approx(0, abs=1e-12)


class TestOperating:
    def test_every_threshold_counts_what_passes_there(self) -> None:
        given = graded(60)
        curve = operating_curve(given.human, given.scores, given.groups, 0.5, 0.95)
        assert curve.thresholds == len(np.unique(given.scores)) + 1
        assert 0.5 in [point.threshold for point in curve.points]
        for point in curve.points:
            passes = given.scores >= point.threshold
            assert point.false_pass.events == (passes & ~given.human).sum()
            assert point.false_fail.events == (~passes & given.human).sum()
            exact = clopper_pearson(int((passes & ~given.human).sum()), int((~given.human).sum()), 0.95)
            assert (point.false_pass.lower, point.false_pass.upper) == (exact.lower, exact.upper)

    def test_too_many_thresholds_are_thinned_with_both_ends_and_the_chosen_one(self) -> None:
        given = graded(3_000)
        curve = operating_curve(given.human, given.scores, given.groups, 0.512345, 0.95)
        assert curve.thresholds > len(curve.points)
        assert len(curve.points) in (MAX_POINTS, MAX_POINTS + 1)
        assert curve.points[0].false_pass.value == 1.0
        assert curve.points[-1].false_fail.value == 1.0
        assert 0.512345 in [point.threshold for point in curve.points]

    def test_rates_fall_and_rise_with_the_threshold(self) -> None:
        given = graded(200)
        points = operating_curve(given.human, given.scores, given.groups, 0.5, 0.95).points
        assert [point.false_pass.value for point in points] == sorted(
            (point.false_pass.value for point in points), reverse=True
        )
        assert [point.false_fail.value for point in points] == sorted(point.false_fail.value for point in points)


class TestWhatAJudgeHas:
    def test_one_that_only_says_pass_or_fail_has_no_curve(self) -> None:
        found = compare(scores(80, 8, 3, 9), Terms())
        assert (found.curve, found.operating, found.no_curve) == (None, None, CurveAbsence.PASS_OR_FAIL)

    def test_scores_beyond_1_are_no_chances_but_have_thresholds(self) -> None:
        given = graded(200)
        found = compare(replace(given, scores=1 + 4 * given.scores), Terms(threshold=3.0))
        assert (found.curve, found.no_curve) == (None, CurveAbsence.NOT_SHARES)
        assert found.operating is not None

    def test_items_of_one_kind_part_nothing(self) -> None:
        given = graded(200)
        found = compare(given.take(given.human), Terms())
        assert (found.curve, found.operating, found.no_curve) == (None, None, CurveAbsence.ONE_KIND)

    def test_curves_are_over_the_items_that_no_threshold_was_chosen_on(self) -> None:
        found = compare(graded(800), Terms(max_false_pass=0.1))
        assert found.curve is not None
        assert found.operating is not None
        assert sum(each.passed.n for each in found.curve.bins) == found.overall.n
        (chosen,) = [each for each in found.operating.points if each.threshold == found.threshold.threshold]
        assert (chosen.false_pass, chosen.false_fail) == (found.overall.false_pass, found.overall.false_fail)

    def test_the_verdicts_are_those_behind_the_figures_whatever_their_order(self) -> None:
        given = graded(50)
        backwards = LabelledScores(
            items=given.items[::-1], human=given.human[::-1], scores=given.scores[::-1],
            repeats=given.repeats[::-1], groups=given.groups[::-1],
        )  # fmt: skip
        found = compare(given, Terms(threshold=0.5))
        assert found.verdicts == compare(backwards, Terms(threshold=0.5)).verdicts
        assert found.verdicts.judge.count("1") == found.overall.judge_passed
        assert found.verdicts.human.count("1") == found.overall.passed
