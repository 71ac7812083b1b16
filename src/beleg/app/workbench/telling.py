"""How the workbench writes figures, times and the words of strangers, as every report writes them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from beleg.core.decision import CheckState, Sentence, Verdict
from beleg.core.score import ScoreStatus
from beleg.report.html import CLASS_OF_STATE
from beleg.report.naming import metric_label
from beleg.report.safe import typeset, visible
from beleg.report.words import SHAPES, reason_word, stage_word
from beleg.text.figures import quantity
from beleg.text.numbers import number

__all__ = [
    "day",
    "metric_title",
    "moment",
    "number",
    "reason_word",
    "score_text",
    "shape_of",
    "stage_word",
    "state_class",
    "typeset",
    "visible",
]


def moment(at: datetime, language: str) -> str:
    """A point in time, in UTC, as readers of the language write it.

    Example:
        >>> moment(datetime(2026, 12, 1, 8, 5, tzinfo=UTC), "de")
        '01.12.2026, 08:05 UTC'
    """
    pattern = "%d.%m.%Y, %H:%M UTC" if language == "de" else "%Y-%m-%d %H:%M UTC"
    return at.astimezone(UTC).strftime(pattern)


def day(on: date, language: str) -> str:
    """A day as readers of the language write it.

    Example:
        >>> day(date(2026, 12, 1), "de")
        '01.12.2026'
    """
    return on.strftime("%d.%m.%Y" if language == "de" else "%Y-%m-%d")


def metric_title(name: str) -> Sentence:
    """What a metric is called."""
    return metric_label(name).title


def score_text(metric: str, value: float | None, reason: ScoreStatus | None, language: str) -> str:
    """One score with its unit, or as a word why there is none.

    Example:
        >>> score_text("latency_ms", None, ScoreStatus.TIMEOUT, "en")
        'timeout'
    """
    if value is not None:
        return quantity(value, language, unit=metric_label(metric).unit)
    return reason_word(reason or ScoreStatus.MISSING).in_language(language)


def shape_of(state: Verdict | CheckState) -> str:
    """The shape that stands for a state, beside its word and colour."""
    return SHAPES[state]


def state_class(state: str) -> str:
    """The style of a state."""
    return CLASS_OF_STATE[state]
