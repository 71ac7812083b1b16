"""Span figures: each mode on the cases that tell modes apart, reasons where nothing can be divided, one to one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import UsageError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.span_scores import NO_GOLD, NO_PREDICTIONS, NO_SPANS, SpanCounts, SpanMode, span_scores
from beleg.metrics.ingestion.spans import Spans

MODES: tuple[SpanMode, ...] = ("strict", "exact", "partial", "type")
A, B = "PER", "ORG"
Rows = list[tuple[int, int, str]]
DOCUMENT = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 5), st.sampled_from([A, B])).map(
        lambda row: (row[0], row[0] + row[1], row[2])
    ),
    max_size=7,
)


def f_scores(gold: Rows, predicted: Rows) -> list[float | None]:
    one, other = Spans.of([gold]), Spans.of([predicted])
    return [
        None if value is None else round(value, 3)
        for value in (span_scores(one, other, mode).overall.f_score().value for mode in MODES)
    ]


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ([(0, 3, A)], [(0, 3, A)], [1, 1, 1, 1]),
        ([(0, 3, A)], [(0, 2, A)], [0, 0, 0.5, 1]),
        ([(0, 3, A)], [(0, 3, B)], [0, 1, 1, 0]),
        ([(0, 3, A)], [(5, 6, A)], [0, 0, 0, 0]),
        # Two predictions on one gold span, and one over two: one is found, the other is not.
        ([(0, 4, A)], [(0, 2, A), (2, 4, A)], [0, 0, 0.333, 0.667]),
        ([(0, 2, A), (2, 4, A)], [(0, 4, A)], [0, 0, 0.333, 0.667]),
        # Half-open: spans that touch do not overlap.
        ([(0, 3, A)], [(3, 5, A)], [0, 0, 0, 0]),
        # The better of two overlaps is taken, whichever comes first.
        ([(0, 4, A), (3, 9, A)], [(3, 9, A), (0, 3, A)], [0.5, 0.5, 0.75, 1]),
        # The same prediction twice finds nothing twice.
        ([(0, 3, A)], [(0, 3, A), (0, 3, A)], [0.667, 0.667, 0.667, 0.667]),
    ],
)
def test_modes_tell_these_cases_apart(gold: Rows, predicted: Rows, expected: list[float]) -> None:
    assert f_scores(gold, predicted) == expected


def test_a_greedy_matching_would_find_less() -> None:
    # Taken in order, the first prediction would use up the gold span that the second one needs.
    gold, predicted = [(0, 5, A), (5, 10, A)], [(3, 7, A), (0, 2, A)]
    assert f_scores(gold, predicted)[3] == 1


def test_every_span_is_in_one_count() -> None:
    gold = Spans.of([[(0, 3, A), (5, 8, B), (20, 22, A)]])
    predicted = Spans.of([[(0, 3, A), (5, 8, A), (30, 31, B)]])
    counts = span_scores(gold, predicted, "strict").overall
    assert counts == SpanCounts(correct=1, incorrect=1, missed=1, spurious=1)
    assert (counts.possible, counts.actual) == (3, 3)
    assert counts.precision().value == counts.recall().value == 1 / 3


def test_each_type_is_matched_among_itself() -> None:
    gold, predicted = Spans.of([[(0, 3, A), (5, 8, B)]]), Spans.of([[(0, 3, A), (5, 8, A)]])
    told = span_scores(gold, predicted, "exact")
    assert told.overall.f_score().value == 1
    assert told.by_type[A] == SpanCounts(correct=1, spurious=1)
    assert told.by_type[B] == SpanCounts(missed=1)
    assert told.macro_f_score().value == pytest.approx((2 / 3 + 0) / 2)


def test_where_nothing_can_be_divided_the_reason_stands() -> None:
    nothing = span_scores(Spans.of([[]]), Spans.of([[]]))
    for score, reason in (
        (nothing.overall.precision(), NO_PREDICTIONS),
        (nothing.overall.recall(), NO_GOLD),
        (nothing.overall.f_score(), NO_SPANS),
        (nothing.macro_f_score(), NO_SPANS),
    ):
        assert (score.status, score.detail) == (ScoreStatus.NOT_APPLICABLE, reason)
    silent = span_scores(Spans.of([[(0, 1, A)]]), Spans.of([[]])).overall
    assert (silent.recall().value, silent.f_score().value) == (0, 0)
    assert silent.precision().status is ScoreStatus.NOT_APPLICABLE


def test_recall_weighs_more_with_a_larger_beta() -> None:
    counts = SpanCounts(correct=1, missed=1)
    assert counts.f_score().value == pytest.approx(2 / 3)
    assert counts.f_score(2).value == pytest.approx(5 / 9)
    for beta in (0, -1, float("inf"), float("nan")):
        with pytest.raises(UsageError):
            counts.f_score(beta)


@settings(max_examples=200)
@given(st.lists(DOCUMENT, min_size=2, max_size=2), st.lists(DOCUMENT, min_size=2, max_size=2), st.sampled_from(MODES))
def test_counts_add_up_and_sides_may_be_swapped(gold: list[Rows], predicted: list[Rows], mode: SpanMode) -> None:
    one, other = Spans.of(gold), Spans.of(predicted)
    told, turned = span_scores(one, other, mode), span_scores(other, one, mode)
    assert (told.overall.possible, told.overall.actual) == (len(one), len(other))
    assert sum(counts.possible for counts in told.by_type.values()) == len(one)
    assert sum(counts.actual for counts in told.by_type.values()) == len(other)
    assert told.overall.credit == turned.overall.credit
    assert min(told.overall.missed, told.overall.spurious, told.overall.incorrect) >= 0
    strict, partial, of_type = (span_scores(one, other, name).overall.credit for name in ("strict", "partial", "type"))
    assert strict <= min(partial, of_type)
    assert span_scores(one, one, mode).overall.correct == len(one)
