"""Numbers with their units, from digits and from words, in German and English."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from beleg.text.digits import digit_values, last_place
from beleg.text.normalise import is_english, is_german
from beleg.text.number_tokens import NumberTokens, words_without_digits
from beleg.text.number_words import MAX_WORD, MULTIPLIERS, UNSURE, cardinal, joined, loosely
from beleg.text.units import CLOCK, MAX_UNIT, MONEY, TIME, adjective_unit, unit_named

_BEHIND = re.compile(
    r"(?P<gap>[ \u00a0\u202f]?[-‐‑]?[ \u00a0\u202f]?)(?P<unit>[%‰€$£¥]|°[ ]?[CF]\b|[^\W\d_]+(?:/h|[²³2](?!\w))?)"
)
_MONEY_BEFORE = re.compile(r"(US\$|[€$£¥]|\b(?:EUR|USD|GBP|CHF|Euro))[ \u00a0\u202f]?$")
_TOUCHING = re.compile(r"[^\W\d_]+(?:/h|[²³2](?!\w))?")
_UNIT_PAIR = re.compile(
    r"(?P<percent>per[ ]cent)\b|(?P<dollar>US[- ]?[Dd]ollars?)\b|(?P<celsius>(?:Grad|degrees?)[ ](?:Celsius|C))\b"
    r"|(?P<fahrenheit>(?:Grad|degrees?)[ ](?:Fahrenheit|F))\b|(?P<points>percentage[ ]points?)\b"
)
_PAIRS = {"percent": "%", "dollar": "usd", "celsius": "celsius", "fahrenheit": "fahrenheit", "points": "prozentpunkt"}
_CLOCK = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)(?::[0-5]\d)?")
_UNSPACED = "\u0e00"
"""From here on, Thai first, scripts put no space beside a number: a letter that touches it makes it no name."""
_FRACTIONS = {
    "half": Decimal("0.5"), "hälfte": Decimal("0.5"), "halb": Decimal("0.5"), "halbe": Decimal("0.5"),
    "halben": Decimal("0.5"), "quarter": Decimal("0.25"), "viertel": Decimal("0.25"),
}  # fmt: skip
_MONEY_ENDS = frozenset("€$£¥RDPFo")
_ROUNDED_ENDS = frozenset(" \u00a0€$£")
_NO_REFERENCE = frozenset("-–\n€$£%+=<>")
_LIST_NUMBER = re.compile(r"[.)](?=\s|$)")
_REFERENCE = re.compile(
    r"(?:\b(?:passages?|sources?|documents?|doc|quellen?|abschnitt|passagen?|absatz|seite|page|steps?|schritte?|"
    r"figure|abbildung|table|tabelle|options?|questions?|frage|answer|antwort)[ \u00a0]?(?:no\.|nr\.)?[ \u00a0]?"
    r"(?:\d{1,3}(?:,[ ]?(?:and[ ])?|[ ](?:and|und|or|oder|to|&)[ ])){0,3}|\[|\[\d{1,3}, ?)$",
    re.IGNORECASE,
)
_ROUNDED = re.compile(
    r"\b(?:about|around|approximately|approx\.|roughly|nearly|almost|some|over|under|more than|less than|at least|"
    r"up to|rund|etwa|ca\.|circa|ungefähr|knapp|fast|gut|über|unter|mehr als|weniger als|mindestens|bis zu)"
    r"[ \u00a0]+(?:[€$£][ \u00a0]?)?$",
    re.IGNORECASE,
)
_LOOK_BACK = 48
MAX_READ = MAX_WORD + MAX_UNIT + 1
"""A longer word holds no number; a number, a hyphen and a unit fit."""
_SCALES = {
    "million": 10**6, "millions": 10**6, "millionen": 10**6, "mio": 10**6, "mn": 10**6,
    "milliarde": 10**9, "milliarden": 10**9, "mrd": 10**9, "bn": 10**9, "billions": 10**9,
    "billion": 10**9, "trillion": 10**12, "billionen": 10**12, "trillionen": 10**18,
    "thousand": 1_000, "tausend": 1_000, "tsd": 1_000, "hundred": 100, "hundert": 100, "k": 1_000,
}  # fmt: skip
_LONG_SCALE = {"billion": 10**12, "trillion": 10**18}
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th", "ste", "sten", "ster", "stes", "te", "ten", "ter", "tes"))
_DECADE_ENDINGS = frozenset(("s", "er", "ern"))
_TIMES = frozenset(("am", "pm", "uhr"))
# A share is often given without its decimals: 76 % for 76.3 %.
_ROUNDED_UNITS = frozenset(("%",))
_ALMOST_HALF = Decimal("0.49")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number in a text, brought to its base unit."""

    value: Decimal
    unit: str | None
    """The base unit, such as ``s``, ``m``, ``EUR`` or ``%``; ``None`` where none that is known stands there."""
    text: str
    start: int
    end: int
    written: tuple[Decimal, ...] = ()
    """The number as it stands there, before the unit is brought to its base; each way to read it."""
    other: Decimal | None = None
    """The other way to read it, such as 1.234 for 1,234."""
    noun: str = ""
    """The word behind it, in lower case, where that is no unit."""
    tolerance: Decimal = Decimal(0)
    """How far off the true number may be, for one that is said to be rounded."""
    is_sure: bool = True
    """False for a word that may be no number at all, such as an article or an ordinal."""
    is_decade: bool = False
    is_word: bool = False

    @property
    def readings(self) -> tuple[Decimal, ...]:
        """Every value that it may stand for; the likeliest first."""
        return (self.value,) if self.other is None else (self.value, self.other)

    @property
    def is_money(self) -> bool:
        """Whether the unit is money."""
        return self.unit in MONEY

    @property
    def is_duration(self) -> bool:
        """Whether the unit is one of time."""
        return self.unit in TIME

    def __str__(self) -> str:
        return " ".join(self.text.split())


def quantities_of(
    text: str, language: str | None = None, *, taken: Sequence[tuple[int, int]] = ()
) -> tuple[Quantity, ...]:
    """Every number in a text with its unit, in order.

    Separators are read by the language, and both ways where it is not known: ``1.234`` is 1234 in German and 1.234 in
    English, while ``1.234,56`` and ``1,234.56`` leave no doubt. List numbers, citation markers, numbers of passages and
    digits inside a name such as ``B12`` are no quantities.

    Args:
        text: any text.
        language: a language tag; ``None`` where it is not known.
        taken: ranges that are something else, such as dates; ordered and apart.

    Example:
        >>> [(str(found.value), found.unit) for found in quantities_of("EUR 4,90 für 30 Tage", "de")]
        [('4.90', 'EUR'), ('2592000', 's')]
    """
    return tuple(_quantities(text, language, taken, _may_be_number))


def sure_quantities_of(
    text: str, language: str | None = None, *, taken: Sequence[tuple[int, int]] = ()
) -> tuple[Quantity, ...]:
    """The numbers of `quantities_of` that are surely numbers, for less work: articles and ordinals are not read.

    Example:
        >>> [found.text for found in sure_quantities_of("A third of the 30 days", "en")]
        ['30 days']
    """
    words = words_without_digits(text)
    if words is not None and not any(len(word) <= MAX_READ and _may_be_sure(word) for word in words):
        return ()
    return tuple(found for found in _quantities(text, language, taken, _may_be_sure) if found.is_sure)


def _quantities(
    text: str, language: str | None, taken: Sequence[tuple[int, int]], means_number: Callable[[str], bool]
) -> Iterator[Quantity]:
    tokens = NumberTokens(text, taken)
    for match in tokens:
        if match.lastgroup == "digits":
            read = _from_digits(text, match, language)
            if read is not None:
                yield read
        elif len(word := match.group()) <= MAX_READ and means_number(word):
            yield from _from_words(text, match, tokens, language)


@lru_cache(maxsize=16_384)
def _may_be_sure(word: str) -> bool:
    """Whether a word is a number or holds one, other than an article, an ordinal or a fraction."""
    return cardinal(word) is not None or _in_compound(word) is not None


@lru_cache(maxsize=16_384)
def _may_be_number(word: str) -> bool:
    return _may_be_sure(word) or word in _FRACTIONS or word.casefold() in _FRACTIONS or loosely(word) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A number that was read, before its unit is looked for."""

    values: tuple[Decimal, ...]
    start: int
    end: int
    digits: str = ""
    is_sure: bool = True


def _from_digits(text: str, match: re.Match[str], language: str | None) -> Quantity | None:
    start, end = match.span()
    before = text[max(0, start - _LOOK_BACK) : start]
    if not _is_number(text, end, before):
        return None
    clock = _CLOCK.fullmatch(match.group())
    if clock is not None:
        return _time_of_day(text, start, end, int(clock[1]) * 60 + int(clock[2]))
    values = digit_values(match.group(), language)
    if not values:
        return None
    touching = _TOUCHING.match(text, end)
    if touching is not None and touching.group() < _UNSPACED and not _may_touch(touching.group()):
        return None
    # Most numbers have no money in front: its last letter is looked at before the whole is searched.
    money = _MONEY_BEFORE.search(before) if before.rstrip()[-1:] in _MONEY_ENDS else None
    found = _Found(values=values, start=start, end=end, digits=match.group())
    return _with_unit(text, found, language, before=before, money=None if money is None else money.group(1))


def _is_number(text: str, end: int, before: str) -> bool:
    """Whether digits are a number of their own: no part of a name, no list number, no mark of a source."""
    if before and ((before[-1].isalpha() and before[-1] < _UNSPACED) or before[-1] in "_#@/\\"):
        return False
    if before[-1:] in ("-", "‑") and before[-2:-1].isalpha():
        return False
    at_start = not before.strip(" \u00a0\t*(") or before.rstrip(" \t*(").endswith("\n")
    if at_start and _LIST_NUMBER.match(text, end) and text[end : end + 1] != "":
        return False
    return before[-1:] in _NO_REFERENCE or _REFERENCE.search(before) is None


def _may_touch(ending: str) -> bool:
    bare = ending.casefold()
    known = bare in _ORDINAL_ENDINGS or bare in _DECADE_ENDINGS or bare in _SCALES or bare in _TIMES
    return known or unit_named(ending) is not None


def _time_of_day(text: str, start: int, end: int, minutes: int) -> Quantity:
    behind = _BEHIND.match(text, end)
    word = behind["unit"].casefold() if behind else ""
    if behind is not None and word in _TIMES:
        end = behind.end()
        minutes = _on_the_clock(minutes, word)
    return Quantity(value=Decimal(minutes), unit=CLOCK, text=text[start:end], start=start, end=end)


def _on_the_clock(minutes: int, word: str) -> int:
    if word in ("am", "a") and minutes >= 720:
        return minutes - 720
    return minutes + 720 if word in ("pm", "p") and minutes < 720 else minutes


def _with_unit(
    text: str, found: _Found, language: str | None, *, before: str = "", money: str | None = None
) -> Quantity:
    """The number with its ending, its scale and its unit."""
    ending, end = _ending(text, found)
    scales, end = _scale(text, end, language)
    tolerance = last_place(found.digits) * scales[0] / 2 if scales != (1,) else Decimal(0)
    hours = _clock_behind(text, found, end)
    if hours is not None:
        return hours
    unit, factor, end, noun = _unit(text, end) if ending != "ordinal" else (None, Decimal(1), end, _noun(text, end))
    if money is not None and unit is None:
        unit, factor = unit_named(money) or (None, factor)
    values = tuple(value * scale * factor for value in found.values for scale in scales)
    rounded = values[0] / 20 if before[-1:] in _ROUNDED_ENDS and _ROUNDED.search(before) else Decimal(0)
    if unit in _ROUNDED_UNITS and found.digits:
        rounded = max(rounded, last_place(found.digits) * _ALMOST_HALF)
    return Quantity(
        value=values[0],
        written=tuple(value * scale for value in found.values for scale in scales),
        other=next((value for value in values[1:] if value != values[0]), None),
        unit=unit,
        text=text[found.start : end],
        start=found.start,
        end=end,
        noun=noun,
        tolerance=max(tolerance * factor, rounded),
        is_sure=found.is_sure,
        is_decade=ending == "decade",
        is_word=not found.digits,
    )


def _ending(text: str, found: _Found) -> tuple[str, int]:
    touching = _TOUCHING.match(text, found.end) if found.digits else None
    word = "" if touching is None else touching.group().casefold()
    if touching is not None and word in _DECADE_ENDINGS and found.digits.endswith("0"):
        return "decade", touching.end()
    if touching is not None and word in _ORDINAL_ENDINGS:
        return "ordinal", touching.end()
    return "", found.end


def _scale(text: str, end: int, language: str | None) -> tuple[tuple[int, ...], int]:
    behind = _BEHIND.match(text, end)
    word = "" if behind is None else behind["unit"].casefold()
    if behind is None or word not in _SCALES or (behind["gap"] and word == "k"):
        return (1,), end
    end = behind.end() + (text[behind.end() : behind.end() + 1] == "." and word in ("mio", "mrd", "tsd"))
    if word in _LONG_SCALE and not is_english(language):
        long_scale = (_LONG_SCALE[word], _SCALES[word])
        return (long_scale if is_german(language) else long_scale[::-1]), end
    return (_SCALES[word],), end


def _clock_behind(text: str, found: _Found, end: int) -> Quantity | None:
    behind = _BEHIND.match(text, end)
    word = "" if behind is None else behind["unit"].casefold()
    if behind is None or word not in _TIMES or not found.digits:
        return None
    hours, _, minutes = found.digits.replace(",", ".").partition(".")
    if len(hours) > 2 or int(hours) > 24 or len(minutes) not in (0, 2):
        return None
    value = _on_the_clock(int(hours) * 60 + int(minutes or 0), word)
    end = behind.end()
    return Quantity(value=Decimal(value), unit=CLOCK, text=text[found.start : end], start=found.start, end=end)


def _unit(text: str, end: int) -> tuple[str | None, Decimal, int, str]:
    """The unit behind a number, the factor to its base, where it ends, and the noun where there is no unit."""
    behind = _BEHIND.match(text, end)
    if behind is None:
        return None, Decimal(1), end, ""
    pair = _UNIT_PAIR.match(text, behind.start("unit"))
    if pair is not None:
        named = unit_named(_PAIRS[pair.lastgroup or ""])
        return (*named, pair.end(), "") if named else (None, Decimal(1), end, "")
    named = unit_named(behind["unit"].replace(" ", ""))
    if named is None:
        return None, Decimal(1), end, behind["unit"].casefold()
    return *named, behind.end(), ""


def _noun(text: str, end: int) -> str:
    behind = _BEHIND.match(text, end)
    return "" if behind is None else behind["unit"].casefold()


def _from_words(text: str, match: re.Match[str], tokens: NumberTokens, language: str | None) -> tuple[Quantity, ...]:
    word = match.group()
    value = cardinal(word)
    if value is not None:
        return (_from_run(text, match, (word, value), tokens, language),)
    if word in _FRACTIONS or word.casefold() in _FRACTIONS:
        share = _FRACTIONS[word.casefold()]
        plain = Quantity(
            value=share, unit=None, text=word, start=match.start(), end=match.end(), is_sure=False, is_word=True
        )
        return plain, replace(plain, value=share * 100, unit="%")
    compound = _in_compound(word)
    if compound is not None:
        value_in_unit, unit = compound
        return (
            Quantity(value=value_in_unit, unit=unit, text=word, start=match.start(), end=match.end(), is_word=True),
        )
    loose = loosely(word)
    if loose is None:
        return ()
    found = _Found(values=(Decimal(loose),), start=match.start(), end=match.end(), is_sure=False)
    return (_with_unit(text, found, language),)


def _in_compound(word: str) -> tuple[Decimal, str] | None:
    """The value and the base unit of one word that holds both, such as "zehntägig" or "ten-day"."""
    compound = adjective_unit(word) if "ig" in word else _hyphened(word)
    if compound is None:
        return None
    named, number = unit_named(compound[1]), cardinal(compound[0])
    return None if named is None or number is None else (number * named[1], named[0])


def _hyphened(word: str) -> tuple[str, str] | None:
    number, hyphen, unit = word.rpartition("-")
    return (number, unit) if hyphen else None


def _from_run(
    text: str, match: re.Match[str], first: tuple[str, int], tokens: NumberTokens, language: str | None
) -> Quantity:
    run, end = [first], match.end()
    for following in tokens.run_on(end):
        value = cardinal(following.group())
        if value is None or not _continues(run[-1], value, following.group()):
            break
        run.append((following.group(), value))
        end = following.end()
    tokens.resume(end)
    sure = len(run) > 1 or first[0].casefold() not in UNSURE
    found = _Found(values=(Decimal(joined(run)),), start=match.start(), end=end, is_sure=sure)
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return _with_unit(text, found, language, before=before)


def _continues(before: tuple[str, int], value: int, word: str) -> bool:
    if word.casefold() in MULTIPLIERS:
        return True
    return before[0].casefold() in MULTIPLIERS or (before[1] in range(20, 100, 10) and value < 10)
