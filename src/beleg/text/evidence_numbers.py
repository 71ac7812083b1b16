"""The numbers and dates of an evidence, in which those of a claim are looked for."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from beleg.text.dates import Date
from beleg.text.quantities import Quantity

MAX_SHOWN = 80
SMALL = 12
"""Up to here a number in words without a unit often counts what the evidence only lists."""
_CENTURIES = ("centur", "jahrhundert", "jh")


def shown_part(text: str) -> str:
    """A part of a text for a reason: on one line and not long."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_SHOWN else f"{line[: MAX_SHOWN - 1]}…"


class EvidenceNumbers:
    """The numbers of an evidence, by value and unit."""

    def __init__(self, numbers: Iterable[Quantity], dates: Iterable[Date]) -> None:
        self._in_base: set[tuple[Decimal, str | None]] = set()
        self._units: defaultdict[Decimal, set[str | None]] = defaultdict(set)
        self._nouns: defaultdict[str, set[Decimal]] = defaultdict(set)
        for number in numbers:
            for value in number.readings:
                self._in_base.add((value, number.unit))
            for value in number.written or number.readings:
                self._units[value].add(number.unit)
                if number.noun and number.is_sure:
                    self._nouns[number.noun].add(value)
        for date in dates:
            for part in (date.year, date.month, date.day):
                if part is not None:
                    self._units[Decimal(part)].add(None)
        self._sorted = sorted(self._units)
        by_unit: defaultdict[str | None, list[Decimal]] = defaultdict(list)
        for value, unit in self._in_base:
            by_unit[unit].append(value)
        self._by_unit = {unit: sorted(values) for unit, values in by_unit.items()}

    def holds(self, value: int) -> bool:
        """Whether a whole number stands in the evidence with any unit or none."""
        return Decimal(value) in self._units

    def reason(self, number: Quantity) -> str | None:
        """Why a number of a claim is not carried; ``None`` where it is, or where one cannot be sure."""
        if not number.is_sure or self._carries(number):
            return None
        written = number.written or number.readings
        if number.is_word and number.unit is None and number.value <= SMALL:
            others = self._nouns.get(number.noun, set()) if number.noun else set()
            return self._absent(number) if others and not others.intersection(written) else None
        held: set[str | None] = set().union(*(self._units.get(value, set()) for value in written))
        if number.unit is not None and held:
            return f"unit: {shown_part(number.text)} stands in the evidence with another unit"
        return self._absent(number)

    @staticmethod
    def _absent(number: Quantity) -> str:
        return f"number: {shown_part(number.text)} is not in the evidence"

    def _carries(self, number: Quantity) -> bool:
        written = number.written or number.readings
        if any((value, number.unit) in self._in_base for value in number.readings):
            return True
        if any(None in held or number.unit is None for value in written if (held := self._units.get(value))):
            return not self._is_small_word_of_another_count(number)
        return self._is_close(number) or self._is_in_span(number)

    def _is_small_word_of_another_count(self, number: Quantity) -> bool:
        counted = self._nouns.get(number.noun) if number.noun and number.unit is None else None
        return bool(number.is_word and counted and not counted.intersection(number.written))

    def _is_close(self, number: Quantity) -> bool:
        if not number.tolerance:
            return False
        low, high = number.value - number.tolerance, number.value + number.tolerance
        return any(_any_between(self._by_unit.get(unit, ()), low, high) for unit in {number.unit, None})

    def _is_in_span(self, number: Quantity) -> bool:
        """Whether the evidence holds a year of the decade or century that the number names."""
        value = number.value
        if number.is_decade:
            spans = [value] if value >= 100 else [century + value for century in (1700, 1800, 1900, 2000)]
            return any(_any_between(self._sorted, low, low + 9) for low in spans)
        if number.noun.startswith(_CENTURIES):
            return _any_between(self._sorted, (value - 1) * 100, value * 100)
        return False


def _any_between(values: Sequence[Decimal], low: Decimal, high: Decimal) -> bool:
    at = bisect_left(values, low)
    return at < len(values) and values[at] <= high


class EvidenceDates:
    """The dates of an evidence."""

    def __init__(self, dates: Iterable[Date], numbers: EvidenceNumbers) -> None:
        self._read = {reading for date in dates for reading in date.readings()}
        self._days = {(month, day) for _, month, day in self._read}
        self._months = {(year, month) for year, month, _ in self._read}
        self._month_names = {month for _, month, _ in self._read}
        self._numbers = numbers

    def lacks(self, date: Date) -> bool:
        """Whether no date of the evidence agrees with any reading of a date, in all the parts that it gives."""
        return not any(self._agrees(*reading) for reading in date.readings())

    def _agrees(self, year: int | None, month: int, day: int | None) -> bool:
        if (year, month, day) in self._read:
            return True
        if day is None:
            return (year, month) in self._months or ((None, month) in self._months and self._year_stands(year))
        if year is None:
            return (month, day) in self._days
        return (None, month, day) in self._read and self._year_stands(year)

    def _year_stands(self, year: int | None) -> bool:
        return year is None or self._numbers.holds(year)
