"""Figures with what is missing and why, as reports show them."""

from __future__ import annotations

from collections.abc import Callable

from beleg.core.decision import Bounds, Counts, Sentence
from beleg.core.score import ScoreStatus
from beleg.report.words import reason_word, word
from beleg.text.figures import Unit, interval_text
from beleg.text.numbers import number


def both(make: Callable[[str], str]) -> Sentence:
    """One text in both languages."""
    return Sentence(en=make("en"), de=make("de"))


def counts_text(counts: Counts, language: str) -> str:
    """How many rows are scored, and every reason why the others are not.

    Example:
        >>> counts_text(Counts(expected=200, scored=198, reasons={ScoreStatus.TIMEOUT: 2}), "en")
        'n 198 of 200 · 2 timeout'
    """
    scored, expected = (number(n, language, decimals=0) for n in (counts.scored, counts.expected))
    head = word("unit.n", language, part=word("unit.of", language, part=scored, whole=expected))
    reasons = ", ".join(
        f"{number(n, language, decimals=0)} {reason_word(status).in_language(language)}"
        for status, n in counts.reasons.items()
        if n and status is not ScoreStatus.SCORED
    )
    return f"{head} · {reasons}" if reasons else head


def figure_text(
    bounds: Bounds | None,
    counts: Counts | None,
    language: str,
    *,
    unit: Unit = Unit.PLAIN,
    signed: bool = False,
) -> str:
    """A whole figure: value, interval, n, and how many are missing and why.

    Example:
        >>> figure_text(None, Counts(expected=3, scored=0, reasons={ScoreStatus.TIMEOUT: 3}), "en")
        'not measured · n 0 of 3 · 3 timeout'
    """
    value = (
        word("checks.not_measured", language)
        if bounds is None
        else interval_text(bounds, language, unit=unit, signed=signed)
    )
    if counts is not None:
        return f"{value} · {counts_text(counts, language)}"
    if bounds is not None:
        return f"{value} · {word('unit.n', language, part=number(bounds.n, language, decimals=0))}"
    return value
