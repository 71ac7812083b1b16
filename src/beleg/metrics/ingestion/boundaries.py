"""Where a text was cut, against where people would cut it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ingestion.span_scores import SpanCounts

Integers = npt.NDArray[np.int64]


def boundary_counts(gold: Sequence[int], predicted: Sequence[int], *, tolerance: int = 0) -> SpanCounts:
    """Matches cuts one to one, each to a gold cut that is no further away than the tolerance.

    As many are matched as can be. Cuts at the ends of the text are no decisions; leave them out.

    Args:
        gold: places where a cut makes sense.
        predicted: places where the text was cut.
        tolerance: how far from a gold place a cut may lie.

    Returns:
        Counts, of which precision, recall and F follow.

    Raises:
        UsageError: if the tolerance is below 0.
        DataError: if a place stands twice on one side.

    Example:
        >>> boundary_counts([10, 20], [11, 19, 30], tolerance=1).f_score().value
        0.8
    """
    if tolerance < 0:
        raise UsageError(f"a tolerance is 0 or more, not {tolerance}")
    right, found = _places(gold, "gold"), _places(predicted, "predicted")
    correct = one = other = 0
    # On a line, taking the first pair that fits never costs a later one.
    while one < len(right) and other < len(found):
        if abs(right[one] - found[other]) <= tolerance:
            correct, one, other = correct + 1, one + 1, other + 1
        elif right[one] < found[other]:
            one += 1
        else:
            other += 1
    return SpanCounts(correct=correct, missed=len(right) - correct, spurious=len(found) - correct)


def _places(cuts: Sequence[int], side: str) -> list[int]:
    if len(set(cuts)) != len(cuts):
        raise DataError(Problem(message=f"a {side} cut stands twice", field=side))
    return sorted(cuts)


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowErrors:
    """Errors of a moving window over the units of a text; lower is better.

    Attributes:
        pk: windows of which the two sides disagree whether both ends are in one piece.
        window_diff: windows in which the number of cuts differs.
        windows: how many windows there are.
        width: how many units lie between the ends of a window.
    """

    pk: Score
    window_diff: Score
    windows: int
    width: int


def window_errors(
    gold: Sequence[int], predicted: Sequence[int], units: int, *, width: int | None = None
) -> WindowErrors:
    """Pk and WindowDiff of two ways to cut a text, which forgive a cut that is nearly right in part.

    Sources: Beeferman, Berger and Lafferty, Statistical models for text segmentation, 1999; Pevzner and Hearst, A
    critique and improvement of an evaluation metric for text segmentation, 2002.

    Args:
        gold: the units (sentences, say) behind which a cut makes sense, from 1 to one below their number.
        predicted: the units behind which the text was cut.
        units: how many there are.
        width: the width of the window; where none is given, half the mean length of a gold piece, rounded, and at
            least 1.

    Returns:
        Shares of windows; not applicable where the text is no longer than a window.

    Raises:
        DataError: if a cut does not lie inside the text or stands twice.
        UsageError: if the width is below 1.

    Example:
        >>> told = window_errors([4], [6], 8)
        >>> told.width, told.pk.value, told.window_diff.value
        (2, 0.6666666666666666, 0.6666666666666666)
    """
    if width is None:
        width = max(1, round(units / (len(gold) + 1) / 2))
    if width < 1:
        raise UsageError(f"a window is at least 1 unit wide, not {width}")
    right, found = (
        _cuts_until(_places(cuts, side), side, units) for cuts, side in ((gold, "gold"), (predicted, "predicted"))
    )
    windows = units - width
    if windows < 1:
        none = Score.without(ScoreStatus.NOT_APPLICABLE, f"{units} units are no more than a window of {width}")
        return WindowErrors(pk=none, window_diff=none, windows=0, width=width)
    inside, cut = (side[width:units] - side[: units - width] for side in (right, found))
    return WindowErrors(
        pk=Score.of(float(np.mean((inside == 0) != (cut == 0)))),
        window_diff=Score.of(float(np.mean(inside != cut))),
        windows=windows,
        width=width,
    )


def _cuts_until(places: Sequence[int], side: str, units: int) -> Integers:
    """For each unit how many cuts lie in front of it."""
    for place in places:
        if not 0 < place < units:
            raise DataError(Problem(message=f"a cut lies between two of {units} units", field=side, value=str(place)))
    cuts = np.zeros(units, dtype=np.int64)
    cuts[list(places)] = 1
    return np.cumsum(cuts)
