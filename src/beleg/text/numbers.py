"""Numbers as German and English readers write them."""

from __future__ import annotations

MINUS = "−"
NO_BREAK = "\u00a0"


def number(value: float, language: str, *, decimals: int, signed: bool = False) -> str:
    """A number with the decimal and thousands marks of the language, a true minus sign, and never ``-0``.

    Example:
        >>> number(-1234.5, "de", decimals=1)
        '−1.234,5'
        >>> number(0.02, "en", decimals=2, signed=True)
        '+0.02'
    """
    text = f"{abs(value):,.{decimals}f}"
    is_zero = not any(digit in "123456789" for digit in text)
    sign = "" if is_zero else MINUS if value < 0 else "+" if signed else ""
    if signed and is_zero:
        sign = "±"
    if language == "de":
        text = text.translate(str.maketrans(",.", ".,"))
    return f"{sign}{text}"


def percent(share: float, language: str, *, decimals: int = 0, signed: bool = False) -> str:
    """A share as per cent.

    Example:
        >>> percent(0.155, "de", decimals=1).replace(NO_BREAK, " ")
        '15,5 %'
    """
    return f"{number(share * 100, language, decimals=decimals, signed=signed)}{NO_BREAK}%"
