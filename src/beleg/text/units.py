"""Units of measure, money and time in German and English, and the exact factors between them."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

_SPELLINGS: dict[str, tuple[str, str, str]] = {
    # base unit, factor, spellings
    "second": ("s", "1", "s sec secs second seconds sekunde sekunden sek"),
    "minute": ("s", "60", "min mins minute minutes minuten"),
    "hour": ("s", "3600", "h hr hrs hour hours stunde stunden std"),
    "day": ("s", "86400", "day days tag tage tagen tages"),
    "week": ("s", "604800", "week weeks woche wochen"),
    "month": ("month", "1", "month months monat monate monaten monats"),
    "year": ("month", "12", "year years jahr jahre jahren jahres yr yrs"),
    "millimetre": ("m", "0.001", "mm millimeter millimetre millimeters millimetres millimetern"),
    "centimetre": ("m", "0.01", "cm zentimeter zentimetern centimeter centimetre centimeters centimetres"),
    "metre": ("m", "1", "m meter metre meters metres metern"),
    "kilometre": ("m", "1000", "km kilometer kilometre kilometers kilometres kilometern"),
    "milligram": ("g", "0.001", "mg milligramm milligram milligrams"),
    "gram": ("g", "1", "g gramm gram grams"),
    "kilogram": ("g", "1000", "kg kilo kilos kilogramm kilogram kilograms"),
    "millilitre": ("l", "0.001", "ml milliliter millilitre milliliters millilitres"),
    "litre": ("l", "1", "l liter litre liters litres litern"),
    "watt": ("W", "1", "w watt watts"),
    "kilowatt": ("W", "1000", "kw kilowatt kilowatts"),
    "watt hour": ("Wh", "1", "wh wattstunden"),
    "kilowatt hour": ("Wh", "1000", "kwh kilowattstunde kilowattstunden"),
    "mile": ("mile", "1", "mile miles meile meilen"),
    "foot": ("foot", "1", "ft foot feet"),
    "inch": ("inch", "1", "inch inches zoll"),
    "pound": ("pound", "1", "lb lbs pfund"),
    "ounce": ("ounce", "1", "oz ounce ounces unze unzen"),
    "gallon": ("gallon", "1", "gallon gallons gallone gallonen"),
    "acre": ("acre", "1", "acre acres"),
    "hectare": ("hectare", "1", "ha hectare hectares hektar"),
    "square kilometre": ("km2", "1", "km² km2 quadratkilometer quadratkilometern"),
    "square metre": ("m2", "1", "m² m2 qm quadratmeter quadratmetern sqm"),
    "km/h": ("km/h", "1", "km/h kmh stundenkilometer"),
    "mph": ("mph", "1", "mph"),
    "volt": ("V", "1", "v volt volts"),
    "kilobyte": ("kB", "1", "kb kilobyte kilobytes"),
    "megabyte": ("MB", "1", "mb megabyte megabytes"),
    "gigabyte": ("GB", "1", "gb gigabyte gigabytes"),
    "terabyte": ("TB", "1", "tb terabyte terabytes"),
    "hertz": ("Hz", "1", "hz hertz"),
    "degree Celsius": ("°C", "1", "°c celsius"),
    "degree Fahrenheit": ("°F", "1", "°f fahrenheit"),
    "per cent": ("%", "1", "% prozent percent pct"),
    "percentage point": ("percentage point", "1", "prozentpunkt prozentpunkte prozentpunkten"),
    "per mille": ("‰", "1", "‰ promille"),
    "euro": ("EUR", "1", "€ eur euro euros"),
    "dollar": ("USD", "1", "$ usd us$ dollar dollars"),
    "pound sterling": ("GBP", "1", "£ gbp"),
    "yen": ("JPY", "1", "¥ jpy yen"),
    "franc": ("CHF", "1", "chf franken"),
    "cent": ("cent", "1", "cent cents ct"),
}
_BY_SPELLING = {
    spelling: (base, Decimal(factor))
    for base, factor, spellings in _SPELLINGS.values()
    for spelling in spellings.split()
}
MONEY = frozenset({"EUR", "USD", "GBP", "JPY", "CHF", "cent"})
"""The units of money."""
TIME = frozenset({"s", "month"})
"""The units to which durations are brought: a day is 86,400 seconds, a year is 12 months."""
CLOCK = "clock"
"""A time of day, in minutes since midnight."""

# One letter is a unit only right behind a digit: "5 m", but neither "W" nor "v" alone means much.
_ONE_LETTER = frozenset("smghlwv")
_ADJECTIVE = re.compile(
    r"(?P<stem>.*?)-?(?:(?P<day>täg)|(?P<week>wöch)|(?P<month>monat)|(?P<year>jähr)|(?P<hour>stünd)|(?P<minute>minüt)"
    r"|(?P<percent>prozent))ig(?:e|en|er|es|em)?"
)
_ADJECTIVE_UNIT = {
    "day": "tag",
    "week": "woche",
    "month": "monat",
    "year": "jahr",
    "hour": "stunde",
    "minute": "minute",
    "percent": "prozent",
}
MAX_UNIT = 40


@lru_cache(maxsize=16_384)
def unit_named(word: str) -> tuple[str, Decimal] | None:
    """The base unit that a word behind a number names, and the exact factor to it.

    Example:
        >>> unit_named("Tage"), unit_named("km"), unit_named("apples")
        (('s', Decimal('86400')), ('m', Decimal('1000')), None)
    """
    if len(word) > MAX_UNIT:
        return None
    bare = word.casefold().strip(".")
    if bare in _ONE_LETTER and len(word) == 1 and word not in ("m", "s", "g", "h", "l", "W", "V"):
        return None
    found = _BY_SPELLING.get(bare)
    if found is None and "ig" in bare:
        found_adjective = adjective_unit(word)
        return None if found_adjective is None or found_adjective[0] else _BY_SPELLING[found_adjective[1]]
    return found


@lru_cache(maxsize=16_384)
def adjective_unit(word: str) -> tuple[str, str] | None:
    """The number part and the unit of a German adjective of duration or share, such as ``dreißigtägig``.

    Example:
        >>> adjective_unit("dreißigtägige"), adjective_unit("tägig"), adjective_unit("gültig")
        (('dreissig', 'tag'), ('', 'tag'), None)
    """
    if len(word) > MAX_UNIT:
        return None
    found = _ADJECTIVE.fullmatch(word.lower())
    if found is None:
        return None
    unit = next(_ADJECTIVE_UNIT[name] for name in _ADJECTIVE_UNIT if found[name])
    return found["stem"].casefold(), unit
