from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.case import Case
from beleg.core.decision import CheckKind
from beleg.core.score import ScoreStatus
from beleg.gating.checks import column_of
from beleg.gating.regression import carry_out_regression
from beleg.gating.segments import MAX_LABELS, SegmentFigure, segment_figures
from support.builders import case, evaluation
from unit.gating.building import LOWER, Values, planned, policy

N = 120


def labelled(labels: int) -> list[Case]:
    return [case(f"c{at}", language="de" if at % 3 else "en", segments={"part": f"p{at % labels}"}) for at in range(N)]


def shown(cases: list[Case], new: Values, old: Values | None = None, metric: str = "hit@5") -> list[SegmentFigure]:
    baseline = None if old is None else evaluation(cases, {metric: old}, "old")
    return segment_figures([metric], evaluation(cases, {metric: new}, "new"), baseline, policy())


def by_segment(figures: list[SegmentFigure]) -> dict[str | None, SegmentFigure]:
    return {figure.segment: figure for figure in figures}


@pytest.mark.parametrize(("labels", "is_shown"), [(2, True), (15, True), (16, False), (1, False)])
def test_a_dimension_with_very_many_labels_or_with_one_is_no_segmentation(labels: int, is_shown: bool) -> None:
    """Sixteen labels or more are an identifier; one label is everything again."""
    assert MAX_LABELS == 15
    found = by_segment(shown(labelled(labels), [1.0] * N))
    assert ("part=p0" in found) is is_shown
    assert {None, "language=de", "language=en"} <= set(found)


def test_all_cases_come_first_and_then_each_dimension_by_its_labels() -> None:
    names = [figure.segment for figure in shown(labelled(3), [1.0] * N)]
    assert names == [None, "language=de", "language=en", "part=p0", "part=p1", "part=p2"]


def test_a_case_without_a_label_belongs_to_no_segment_of_the_dimension() -> None:
    cases = [case(f"c{at}", segments={"part": f"p{at % 2}"} if at < 10 else {}) for at in range(30)]
    found = by_segment(shown(cases, [1.0] * 30))
    assert [found[name].n for name in (None, "part=p0", "part=p1")] == [30, 5, 5]


def test_a_figure_is_that_of_its_own_cases() -> None:
    """Every third case is English and wrong: Clopper and Pearson's lower bound of 80 of 80 is the 80th root of 0.05."""
    found = by_segment(shown(labelled(2), [float(at % 3 > 0) for at in range(N)]))
    assert [found[name].figure.estimate for name in ("language=de", "language=en")] == [1.0, 0.0]  # type: ignore[union-attr]
    assert found[None].figure.estimate == pytest.approx(2 / 3)  # type: ignore[union-attr]
    assert found["language=de"].figure.lower == pytest.approx(0.05 ** (1 / 80))  # type: ignore[union-attr]


@pytest.mark.parametrize(("metric", "margin"), [("hit@5", 0.05), (LOWER, 0.02), ("ndcg@10", 0.1)])
def test_a_difference_is_the_one_that_the_gate_would_decide_by(metric: str, margin: float) -> None:
    cases = labelled(2)
    new, old = ([float((at * step) % 7 > 2) for at in range(N)] for step in (3, 5))
    runs = evaluation(cases, {metric: new}, "new"), evaluation(cases, {metric: old}, "old")
    for figure in segment_figures([metric], *runs, policy()):
        members = np.array(
            [
                at
                for at, each in enumerate(cases)
                if figure.segment is None
                or figure.segment in {f"{name}={label}" for name, label in each.segment_labels().items()}
            ],
            dtype=np.intp,
        )
        check = planned(metric, CheckKind.NO_REGRESSION, margin=margin, members=members)
        gated = carry_out_regression(check, policy(), *(column_of(check, run) for run in runs))
        assert figure.difference == gated.difference
        assert figure.difference is not None
        assert figure.baseline == gated.baseline


def test_without_a_baseline_there_is_no_difference() -> None:
    figure = shown(labelled(2), [1.0] * N)[0]
    assert (figure.baseline, figure.difference) == (None, None)
    assert figure.figure is not None


def test_a_segment_without_a_score_has_counts_and_no_figure() -> None:
    new: Values = [1.0 if at % 3 else ScoreStatus.TIMEOUT for at in range(N)]
    empty = by_segment(shown(labelled(2), new, [1.0] * N))["language=en"]
    assert (empty.n, empty.figure, empty.difference, empty.baseline) == (0, None, None, None)
    assert (empty.counts.expected, empty.counts.scored) == (40, 0)
    assert empty.counts.reasons == {ScoreStatus.TIMEOUT: 40}


def test_every_metric_stands_in_every_segment_in_the_order_asked_for() -> None:
    cases = labelled(2)
    run = evaluation(cases, {"hit@5": [1.0] * N, "latency_ms": [float(at) for at in range(N)]})
    found = segment_figures(["latency_ms", "hit@5"], run, None, policy())
    assert [figure.metric for figure in found] == ["latency_ms"] * 5 + ["hit@5"] * 5
    assert [figure.higher_is_better for figure in (found[0], found[-1])] == [False, True]


def test_bounds_have_the_confidence_of_the_policy() -> None:
    run = evaluation(labelled(2), {"hit@5": [1.0] * N})
    figure = segment_figures(["hit@5"], run, None, policy(confidence=0.975))[0].figure
    assert figure is not None
    assert figure.confidence == 0.975
    assert figure.lower == pytest.approx(0.025 ** (1 / N))
    assert math.isclose(figure.upper or 0.0, 1.0)
