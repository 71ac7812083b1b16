"""Readings that a candidate may leave out."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus


def reading(value: float | None, what: str) -> Score:
    """A reading as a score, or the reason that it was not recorded.

    Example:
        >>> reading(None, "the cost").detail
        'the cost was not recorded'
    """
    return Score.of(value) if value is not None else Score.without(ScoreStatus.MISSING, f"{what} was not recorded")
