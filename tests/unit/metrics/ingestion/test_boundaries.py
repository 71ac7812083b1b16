"""Cuts against cuts: the best matching on a line, Pk and WindowDiff window by window."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from beleg.core.errors import DataError, UsageError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.boundaries import boundary_counts, window_errors

CUTS = st.sets(st.integers(1, 19), max_size=8)


@given(CUTS, CUTS, st.integers(0, 4))
def test_as_many_cuts_are_matched_as_can_be(gold: set[int], predicted: set[int], tolerance: int) -> None:
    counts = boundary_counts([*gold], [*predicted], tolerance=tolerance)
    near = np.abs(np.subtract.outer([*gold], [*predicted])) <= tolerance if gold and predicted else np.zeros((0, 0))
    assert counts.correct == near[linear_sum_assignment(near, maximize=True)].sum()
    assert (counts.possible, counts.actual) == (len(gold), len(predicted))


@given(CUTS, CUTS, st.integers(1, 6))
def test_windows_disagree_as_counted_one_by_one(gold: set[int], predicted: set[int], width: int) -> None:
    told = window_errors([*gold], [*predicted], 20, width=width)
    sides = [
        [sum(start < cut <= start + width for cut in side) for start in range(20 - width)] for side in (gold, predicted)
    ]
    pairs = list(zip(*sides, strict=True))
    assert told.windows == len(pairs)
    assert told.pk.value == pytest.approx(np.mean([(one == 0) != (other == 0) for one, other in pairs]))
    assert told.window_diff.value == pytest.approx(np.mean([one != other for one, other in pairs]))


def bits(text: str) -> list[int]:
    """The cuts that a row of bits stands for, one behind each unit but the last."""
    return [place + 1 for place, bit in enumerate(text) if bit == "1"]


@pytest.mark.parametrize(
    ("gold", "predicted", "width", "pk", "window_diff"),
    [
        # As documented with nltk.metrics.segmentation, to two digits.
        ("000100000010", "000100000010", 3, None, 0.0),
        ("000100000010", "000010000100", 3, None, 0.3),
        ("000010000100", "100000010000", 3, None, 0.8),
        ("0100" * 100, "1" * 400, 2, 0.5, None),
        ("0100" * 100, "0" * 400, 2, 0.5, None),
        ("0100" * 100, "0100" * 100, 2, 0.0, None),
    ],
)
def test_published_cases_have_their_figures(
    gold: str, predicted: str, width: int, pk: float | None, window_diff: float | None
) -> None:
    told = window_errors(bits(gold), bits(predicted), len(gold) + 1, width=width)
    if pk is not None:
        assert told.pk.value == pytest.approx(pk, abs=0.005)
    if window_diff is not None:
        assert told.window_diff.value == pytest.approx(window_diff, abs=0.005)


def test_a_text_no_longer_than_a_window_has_no_figure() -> None:
    assert window_errors([], [], 1).pk.status is ScoreStatus.NOT_APPLICABLE


def test_cuts_outside_the_text_and_cuts_that_repeat_are_refused() -> None:
    with pytest.raises(DataError, match="stands twice"):
        boundary_counts([1, 1], [])
    for place in (0, 5, -1):
        with pytest.raises(DataError, match="lies between two of 5 units"):
            window_errors([place], [], 5, width=1)
    with pytest.raises(UsageError):
        boundary_counts([], [], tolerance=-1)
    with pytest.raises(UsageError):
        window_errors([], [], 5, width=0)
