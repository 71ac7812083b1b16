from __future__ import annotations

from decimal import Decimal

import pytest

from beleg.text.digits import digit_values, last_place


@pytest.mark.parametrize(
    ("digits", "language", "values"),
    [
        ("1.234,56", None, ["1234.56"]),
        ("1,234.56", None, ["1234.56"]),
        ("1.234", "de", ["1234"]),
        ("1.234", "en", ["1.234"]),
        ("1,234", None, ["1234", "1.234"]),
        ("0.125", "de", ["0.125"]),
        ("12.345.678", None, ["12345678"]),
        ("1.2.3", None, []),
        ("1,234,56", None, []),
        ("10 000", None, ["10000"]),
        ("4,5", "en", ["4.5"]),
        ("1:2", None, []),
        ("9" * 41, None, []),
    ],
)
def test_separators_are_read_by_the_language(digits: str, language: str | None, values: list[str]) -> None:
    assert digit_values(digits, language) == tuple(map(Decimal, values))


def test_the_last_place() -> None:
    assert last_place("4,905") == Decimal("0.001")
