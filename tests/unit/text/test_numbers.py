from __future__ import annotations

import pytest

from beleg.text.numbers import NO_BREAK, number, percent


@pytest.mark.parametrize(
    ("value", "decimals", "english", "german"),
    [
        (1_234_567.891, 2, "1,234,567.89", "1.234.567,89"),
        (0.5, 1, "0.5", "0,5"),
        (1_000, 0, "1,000", "1.000"),
        (999, 0, "999", "999"),
        (-12.5, 1, "−12.5", "−12,5"),
        (0.999, 2, "1.00", "1,00"),
    ],
)
def test_each_language_has_its_own_marks(value: float, decimals: int, english: str, german: str) -> None:
    assert number(value, "en", decimals=decimals) == english
    assert number(value, "de", decimals=decimals) == german


def test_a_language_that_is_not_known_reads_english() -> None:
    assert number(1_234.5, "fr", decimals=1) == "1,234.5"


@pytest.mark.parametrize("value", [0.0, -0.0, -0.004, 0.004])
def test_what_is_shown_as_nought_has_no_direction(value: float) -> None:
    assert number(value, "en", decimals=2) == "0.00"
    assert number(value, "en", decimals=2, signed=True) == "±0.00"


@pytest.mark.parametrize(("value", "shown"), [(0.02, "+0.02"), (-0.02, "−0.02"), (0.006, "+0.01"), (-0.006, "−0.01")])
def test_a_difference_carries_its_sign(value: float, shown: str) -> None:
    assert number(value, "en", decimals=2, signed=True) == shown


def test_the_minus_is_the_typographic_one_and_no_hyphen() -> None:
    assert number(-1, "de", decimals=0).encode() == b"\xe2\x88\x921"


@pytest.mark.parametrize(
    ("share", "language", "shown"), [(0.155, "en", "15.5 %"), (0.155, "de", "15,5 %"), (12.5, "de", "1.250,0 %")]
)
def test_a_share_is_read_per_cent_and_the_sign_never_stands_on_the_next_line(
    share: float, language: str, shown: str
) -> None:
    assert percent(share, language, decimals=1) == shown.replace(" ", NO_BREAK)


def test_a_change_of_a_share_may_be_signed() -> None:
    assert percent(0.05, "en", signed=True) == f"+5{NO_BREAK}%"
