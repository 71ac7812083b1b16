"""What digits with separators mean in German and English."""

from __future__ import annotations

import re
from decimal import Decimal

from beleg.text.normalise import is_english, is_german

_SPACED = re.compile(r"[\u00a0\u202f'’ ]")
MAX_DIGITS = 40


def digit_values(digits: str, language: str | None) -> tuple[Decimal, ...]:
    """The values that digits with separators may stand for, the likeliest first; none for a code such as 2.1.3.

    Example:
        >>> [str(value) for value in digit_values("1.234", None)], digit_values("2.1.3", None)
        (['1234', '1.234'], ())
    """
    digits = _SPACED.sub("", digits)
    if len(digits) > MAX_DIGITS:
        return ()
    marks = [mark for mark in digits if not mark.isdigit()]
    if not marks:
        return (Decimal(digits),)
    groups = re.split(r"[.,:]", digits)
    last_is_decimal = len(set(marks)) == 2 and marks.count(marks[-1]) == 1
    grouped = groups[1:-1] if last_is_decimal else groups[1:]
    thousands = len(groups[0]) <= 3 and all(len(group) == 3 for group in grouped)
    if ":" in marks:
        return ()
    if last_is_decimal:
        return (Decimal(f"{''.join(groups[:-1])}.{groups[-1]}"),) if thousands else ()
    if len(marks) > 1:
        return (Decimal("".join(groups)),) if thousands and len(set(marks)) == 1 else ()
    whole, decimal = Decimal("".join(groups)), Decimal(".".join(groups))
    if not thousands or groups[0] == "0":
        return (decimal,)
    if is_german(language):
        return (whole,) if marks[0] == "." else (decimal,)
    if is_english(language):
        return (whole,) if marks[0] == "," else (decimal,)
    return (whole, decimal)


def last_place(digits: str) -> Decimal:
    """The worth of one in the last place of a number.

    Example:
        >>> str(last_place("3,25")), str(last_place("76"))
        ('0.01', '1')
    """
    mark = max(digits.rfind("."), digits.rfind(","))
    return Decimal(1) if mark < 0 else Decimal(1).scaleb(mark + 1 - len(digits))
