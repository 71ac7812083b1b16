"""The one place that turns numbers into text: value, interval, n, and what is missing and why."""

from __future__ import annotations

import math
from collections.abc import Callable

from beleg.core.decision import Bounds, Counts, Sentence
from beleg.core.score import ScoreStatus
from beleg.report.naming import Unit
from beleg.report.words import reason_word, word
from beleg.text.numbers import NO_BREAK, number, percent

__all__ = [
    "both",
    "counts_text",
    "decimals_for",
    "figure_text",
    "interval_text",
    "limit_text",
    "number",
    "percent",
    "quantity",
]

DEFAULT_DECIMALS = {Unit.PLAIN: 3, Unit.PERCENT: 1, Unit.MILLISECONDS: 0, Unit.USD: 4, Unit.COUNT: 0}
MAX_DECIMALS = {Unit.PLAIN: 4, Unit.PERCENT: 2, Unit.MILLISECONDS: 1, Unit.USD: 6, Unit.COUNT: 2}


def both(make: Callable[[str], str]) -> Sentence:
    """One text in both languages."""
    return Sentence(en=make("en"), de=make("de"))


def decimals_for(bounds: Bounds, unit: Unit = Unit.PLAIN) -> int:
    """How many decimals an estimate may show: as many as its interval justifies.

    The rule of the Particle Data Group: take three significant digits of the half-width; 100 to 354 keep two digits,
    355 to 949 one, 950 to 999 are read as 1000 with two. An interval without width gets the default of its unit.

    Example:
        >>> decimals_for(Bounds(estimate=0.873, lower=0.841, upper=0.902, confidence=0.95, method="", n=200))
        3
    """
    half = (bounds.upper - bounds.lower) / 2 * unit.factor
    if half <= 0:
        return DEFAULT_DECIMALS[unit]
    exponent = math.floor(math.log10(half))
    leading = half / 10.0**exponent * 100
    if leading >= 949.5:
        exponent, leading = exponent + 1, 100.0
    significant = 2 if leading < 354.5 else 1
    return min(max(significant - 1 - exponent, 0), MAX_DECIMALS[unit])


def quantity(
    value: float, language: str, *, unit: Unit = Unit.PLAIN, decimals: int | None = None, signed: bool = False
) -> str:
    r"""A number with its unit; a difference of shares is in points, not in per cent.

    Example:
        >>> quantity(412.4, "en", unit=Unit.MILLISECONDS).replace("\xa0", " ")
        '412 ms'
        >>> quantity(-0.05, "de", unit=Unit.PERCENT, signed=True).replace("\xa0", " ")
        '−5,0 Punkte'
    """
    places = DEFAULT_DECIMALS[unit] if decimals is None else decimals
    return number(value * unit.factor, language, decimals=places, signed=signed) + _behind(unit, language, signed)


def limit_text(value: float, language: str, *, unit: Unit = Unit.PLAIN, signed: bool = False) -> str:
    """A limit as it was written: no digit added, none dropped up to six decimals."""
    decimals = len(f"{value * unit.factor:.6f}".rstrip("0").partition(".")[2])
    return quantity(value, language, unit=unit, decimals=decimals, signed=signed)


def interval_text(bounds: Bounds, language: str, *, unit: Unit = Unit.PLAIN, signed: bool = False) -> str:
    """Estimate with lower and upper bound.

    Example:
        >>> interval_text(Bounds(estimate=0.8731, lower=0.841, upper=0.902, confidence=0.95, method="", n=9), "de")
        '0,873 [0,841; 0,902]'
    """
    places = decimals_for(bounds, unit)
    estimate, lower, upper = (
        number(value * unit.factor, language, decimals=places, signed=signed)
        for value in (bounds.estimate, bounds.lower, bounds.upper)
    )
    separator = "; " if language == "de" else ", "
    return f"{estimate} [{lower}{separator}{upper}]" + _behind(unit, language, signed)


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


def _behind(unit: Unit, language: str, is_difference: bool) -> str:  # noqa: FBT001 - one of two words
    if unit is Unit.PERCENT and is_difference:
        return f"{NO_BREAK}{word('unit.points', language)}"
    return f"{NO_BREAK}{unit.symbol}" if unit.symbol else ""
