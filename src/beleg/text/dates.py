"""Dates as German and English texts write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from beleg.text.word_runs import word_runs

_MONTH_NAMES = (
    "january januar jänner jan",
    "february februar feber feb",
    "march märz maerz mar mrz mär",
    "april apr",
    "may mai",
    "june juni jun",
    "july juli jul",
    "august aug",
    "september sept sep",
    "october oktober oct okt",
    "november nov",
    "december dezember dec dez",
)
MONTHS = {name: month for month, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
"""The number of each month by its names and short forms in both languages, in lower case."""

_MONTH = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_GAP = r"[ \u00a0\u202f]"
_SPACE = rf"{_GAP}{{1,3}}"
_YEAR = r"(?P<year>[12]\d{3})(?!\d|[.,]\d)"
_DAY = r"(?<![\d.,])(?P<day>0?[1-9]|[12]\d|3[01])"
_DIGIT = re.compile(r"\d")
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        # 4. März 2024, 4 March 2024, 4th of March, 2024, 4. März
        rf"{_DAY}(?:\.|st|nd|rd|th)?{_GAP}{{0,3}}(?:of{_SPACE})?{_MONTH}(?:,?{_GAP}{{0,3}}{_YEAR})?",
        # March 4, 2024; March 4th
        rf"\b{_MONTH}{_SPACE}(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d.,]\d|\d|%)(?:,?{_SPACE}{_YEAR})?",
        # März 2024, March of 2024
        rf"\b{_MONTH},?{_SPACE}(?:of{_SPACE})?{_YEAR}",
    )
)
_ISO = re.compile(r"(?<![\d-])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])(?![\d-])")
_DOTTED = re.compile(
    r"(?<![\d.])(?P<day>0?[1-9]|[12]\d|3[01])\.[ \u00a0]?(?P<month>0?[1-9]|1[0-2])\.[ \u00a0]?"
    r"(?P<year>[12]\d{3}|\d\d)?(?!\d|\.\d)"
)
_SLASHED = re.compile(
    r"(?<![\d/])(?P<first>0?[1-9]|[12]\d|3[01])/(?P<second>0?[1-9]|[12]\d|3[01])/(?P<year>\d{4})(?!\d)"
)
# Without a capital these are words of another kind.
_VERBS = frozenset(("may", "march", "mar"))
_PIVOT = 69


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A date of which day or year may be left open."""

    year: int | None
    month: int
    day: int | None
    text: str
    start: int
    end: int
    is_swappable: bool = False
    """Whether day and month may stand in either order, as in ``03/04/2024``."""

    def __str__(self) -> str:
        year = "????" if self.year is None else f"{self.year:04}"
        return f"{year}-{self.month:02}" + ("" if self.day is None else f"-{self.day:02}")

    def readings(self) -> tuple[tuple[int | None, int, int | None], ...]:
        """Every way to read it: year, month, day."""
        plain = (self.year, self.month, self.day)
        swapped = self.is_swappable and self.day is not None
        return (plain, (self.year, self.day or 1, self.month)) if swapped else (plain,)


def dates_of(text: str) -> tuple[Date, ...]:
    """Every date in a text, in order and without overlap: the longest form at a place counts.

    A month alone, a weekday and "yesterday" are no dates here; a year alone is a number.

    Example:
        >>> [str(date) for date in dates_of("Vom 4. März 2024 bis 2024-04-01, in March 2025, 05.06.24")]
        ['2024-03-04', '2024-04-01', '2025-03', '2024-06-05']
    """
    if _DIGIT.search(text) is None:
        return ()
    found = [*_by_digits(text)]
    if not word_runs(text).isdisjoint(MONTHS):
        for form in _FORMS:
            found += (_named(match) for match in form.finditer(text) if match["month"] not in _VERBS)
    return tuple(_apart(found))


def _apart(found: Iterable[Date]) -> Iterable[Date]:
    end = 0
    for date in sorted(found, key=lambda date: (date.start, -date.end)):
        if date.start >= end:
            yield date
            end = date.end


def _named(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    return Date(
        year=int(parts["year"]) if parts.get("year") else None,
        month=MONTHS[parts["month"].lower()],
        day=int(parts["day"]) if parts.get("day") else None,
        text=match.group(),
        start=match.start(),
        end=match.end(),
    )


def _by_digits(text: str) -> Iterable[Date]:
    for form in (_ISO, _DOTTED):
        for match in form.finditer(text):
            year = match["year"]
            yield Date(
                year=None if year is None else _full_year(year),
                month=int(match["month"]),
                day=int(match["day"]),
                text=match.group(),
                start=match.start(),
                end=match.end(),
            )
    for match in _SLASHED.finditer(text):
        first, second = int(match["first"]), int(match["second"])
        if min(first, second) > 12:
            continue
        month, day = (first, second) if first <= 12 else (second, first)
        yield Date(
            year=int(match["year"]),
            month=month,
            day=day,
            text=match.group(),
            start=match.start(),
            end=match.end(),
            is_swappable=max(first, second) <= 12,
        )


def _full_year(year: str) -> int:
    value = int(year)
    return value if len(year) == 4 else value + (1900 if value >= _PIVOT else 2000)
