"""Operating points: at every threshold as many finds as the matching of that threshold alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ingestion import operating_points as module
from beleg.metrics.ingestion.operating_points import ThresholdMode, operating_points, surest_with_recall
from beleg.metrics.ingestion.span_scores import span_scores
from beleg.metrics.ingestion.spans import Spans

ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 6), st.sampled_from("AB")).map(
        lambda row: (row[0], row[0] + row[1], row[2])
    ),
    max_size=9,
)


@settings(max_examples=200)
@given(ROWS, ROWS, st.integers(0, 2**32), st.sampled_from(["strict", "exact", "type"]))
def test_every_point_is_what_the_kept_predictions_score(
    gold: list[tuple[int, int, str]], predicted: list[tuple[int, int, str]], seed: int, mode: ThresholdMode
) -> None:
    one, other = Spans.of([gold]), Spans.of([predicted])
    sure = np.random.default_rng(seed).integers(0, 4, len(other)) / 4
    points = operating_points(one, other, sure, mode)
    assert [point.threshold for point in points] == sorted(set(sure.tolist()), reverse=True)
    for point in points:
        alone = span_scores(one, other.kept(sure >= point.threshold), mode).overall
        assert point.counts.correct == alone.correct
        assert (point.counts.possible, point.counts.actual) == (alone.possible, alone.actual)


def test_a_long_chain_of_overlaps_is_moved_along() -> None:
    gold = Spans.of([[(place, place + 10, "A") for place in range(0, 2_000, 10)]])
    # Each prediction first takes the gold span that the next one needs; the last one moves them all.
    rows = [(place + 5, place + 15, "A") for place in range(0, 1_990, 10)]
    predicted = Spans.of([[*rows, (1_996, 1_999, "A")]])
    points = operating_points(gold, predicted, np.linspace(1, 0, 200), "type")
    assert points[-1].counts.correct == 200


def test_the_surest_point_that_finds_enough_is_chosen() -> None:
    gold = Spans.of([[(0, 4, "A"), (5, 9, "A")]])
    predicted = Spans.of([[(0, 4, "A"), (20, 22, "A"), (5, 9, "A")]])
    points = operating_points(gold, predicted, [0.9, 0.8, 0.3])
    half, whole = surest_with_recall(points, 0.5), surest_with_recall(points, 1)
    assert half is not None
    assert whole is not None
    assert (half.threshold, half.counts.precision().value) == (0.9, 1)
    assert (whole.threshold, whole.counts.precision().value) == (0.3, 2 / 3)
    assert surest_with_recall(points[:1], 0.6) is None
    for recall in (0, 1.1, float("nan")):
        with pytest.raises(UsageError):
            surest_with_recall(points, recall)


def test_nothing_predicted_gives_no_point() -> None:
    assert operating_points(Spans.of([[(0, 1, "A")]]), Spans.of([[]]), []) == []


@pytest.mark.parametrize("sure", [[], [0.1, 0.2], [float("nan")], [float("inf")]])
def test_each_prediction_needs_a_confidence(sure: list[float]) -> None:
    spans = Spans.of([[(0, 1, "A")]])
    with pytest.raises(DataError, match="a finite confidence is needed for each of 1 spans"):
        operating_points(spans, spans, sure)


def test_too_many_right_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 3)
    spans = Spans.of([[(0, 1, "A")] * 2])
    with pytest.raises(DataError, match="more than 3 pairs"):
        operating_points(spans, spans, [0.5, 0.5])
