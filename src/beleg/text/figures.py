"""Figures with their intervals and units, as German and English readers write them, at the digits they justify."""

from __future__ import annotations

import math
from enum import StrEnum

from beleg.core.decision import Bounds
from beleg.text.numbers import NO_BREAK, number


class Unit(StrEnum):
    """How a figure is read."""

    PLAIN = "plain"
    PERCENT = "percent"
    """A rate of cases, read in per cent."""
    MILLISECONDS = "ms"
    USD = "USD"
    COUNT = "count"

    @property
    def symbol(self) -> str:
        """The unit as printed behind a number; a plain figure and a count have none."""
        return {Unit.PERCENT: "%", Unit.MILLISECONDS: "ms", Unit.USD: "USD"}.get(self, "")

    @property
    def factor(self) -> float:
        """By what a stored figure is multiplied to be read in this unit."""
        return 100.0 if self is Unit.PERCENT else 1.0


UNIT_OF_KIND = {
    "binary": Unit.PERCENT,
    "milliseconds": Unit.MILLISECONDS,
    "usd": Unit.USD,
    "count": Unit.COUNT,
    "tokens": Unit.COUNT,
}
"""The unit in which each kind of metric is read; any other kind is a plain figure."""

DEFAULT_DECIMALS = {Unit.PLAIN: 3, Unit.PERCENT: 1, Unit.MILLISECONDS: 0, Unit.USD: 4, Unit.COUNT: 0}
MAX_DECIMALS = {Unit.PLAIN: 4, Unit.PERCENT: 2, Unit.MILLISECONDS: 1, Unit.USD: 6, Unit.COUNT: 2}

_POINTS = {"en": "points", "de": "Punkte"}
_OPEN = {"en": "open", "de": "offen"}


def decimals_for(bounds: Bounds, unit: Unit = Unit.PLAIN) -> int:
    """How many decimals an estimate may show: as many as its interval justifies.

    The rule of the Particle Data Group: take three significant digits of the half-width; 100 to 354 keep two digits,
    355 to 949 one, 950 to 999 are read as 1000 with two. An interval without width gets the default of its unit; of
    one that is open on one side the other side counts.

    Example:
        >>> decimals_for(Bounds(estimate=0.873, lower=0.841, upper=0.902, confidence=0.95, method="", n=200))
        3
    """
    half = _half_width(bounds) * unit.factor
    if half <= 0:
        return DEFAULT_DECIMALS[unit]
    exponent = math.floor(math.log10(half))
    leading = half / 10.0**exponent * 100
    if leading >= 949.5:
        exponent, leading = exponent + 1, 100.0
    significant = 2 if leading < 354.5 else 1
    return min(max(significant - 1 - exponent, 0), MAX_DECIMALS[unit])


def _half_width(bounds: Bounds) -> float:
    if bounds.lower is None or bounds.upper is None:
        return sum(abs(bound - bounds.estimate) for bound in (bounds.lower, bounds.upper) if bound is not None)
    return (bounds.upper - bounds.lower) / 2


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
    return number(value * unit.factor, language, decimals=places, signed=signed) + _behind(
        unit, language, is_difference=signed
    )


def limit_text(
    value: float, language: str, *, unit: Unit = Unit.PLAIN, signed: bool = False, is_difference: bool = False
) -> str:
    r"""A limit as it was written: no digit added, none dropped up to six decimals.

    Example:
        >>> limit_text(0.05, "en", unit=Unit.PERCENT, is_difference=True).replace("\xa0", " ")
        '5 points'
    """
    decimals = len(f"{value * unit.factor:.6f}".rstrip("0").partition(".")[2])
    text = number(value * unit.factor, language, decimals=decimals, signed=signed)
    return text + _behind(unit, language, is_difference=signed or is_difference)


def interval_text(bounds: Bounds, language: str, *, unit: Unit = Unit.PLAIN, signed: bool = False) -> str:
    """Estimate with lower and upper bound; a bound that so few cases cannot give is called open.

    Example:
        >>> interval_text(Bounds(estimate=0.8731, lower=0.841, upper=0.902, confidence=0.95, method="", n=9), "de")
        '0,873 [0,841; 0,902]'
        >>> interval_text(Bounds(estimate=7, lower=None, upper=9, confidence=0.95, method="", n=9), "en")
        '7.0 [open, 9.0]'
    """
    places = decimals_for(bounds, unit)

    def told(value: float | None) -> str:
        if value is None:
            return _in_language(_OPEN, language)
        return number(value * unit.factor, language, decimals=places, signed=signed)

    separator = "; " if language == "de" else ", "
    inner = separator.join((told(bounds.lower), told(bounds.upper)))
    return f"{told(bounds.estimate)} [{inner}]" + _behind(unit, language, is_difference=signed)


def _behind(unit: Unit, language: str, *, is_difference: bool) -> str:
    if unit is Unit.PERCENT and is_difference:
        return f"{NO_BREAK}{_in_language(_POINTS, language)}"
    return f"{NO_BREAK}{unit.symbol}" if unit.symbol else ""


def _in_language(words: dict[str, str], language: str) -> str:
    return words["de" if language == "de" else "en"]
