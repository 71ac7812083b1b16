from __future__ import annotations

from decimal import Decimal

import pytest

from beleg.text.facts import mismatches
from beleg.text.quantities import quantities_of


def read(text: str, language: str | None = None) -> list[tuple[str, str | None]]:
    return [(f"{found.value:f}", found.unit) for found in quantities_of(text, language) if found.is_sure]


@pytest.mark.parametrize(
    ("text", "language", "value", "unit"),
    [
        ("1.234,56 €", None, "1234.56", "EUR"),
        ("1,234.56 EUR", None, "1234.56", "EUR"),
        ("EUR 4.90", "en", "4.90", "EUR"),
        ("4,90 Euro", "de", "4.90", "EUR"),
        ("1.234", "de", "1234", None),
        ("1.234", "en", "1.234", None),
        ("1,234", "en", "1234", None),
        ("1,234", "de", "1.234", None),
        ("12 000 Stück", "de", "12000", None),
        ("30 Tage", "de", "2592000", "s"),
        ("30-tägig", "de", "2592000", "s"),
        ("dreißigtägige", "de", "2592000", "s"),
        ("thirty days", "en", "2592000", "s"),
        ("30-day", "en", "2592000", "s"),
        ("two weeks", "en", "1209600", "s"),
        ("2 km", "en", "2000", "m"),
        ("2000m", "en", "2000", "m"),
        ("5 Prozent", "de", "5", "%"),
        ("5 per cent", "en", "5", "%"),
        ("5%", "en", "5", "%"),
        ("3 Mio. €", "de", "3000000", "EUR"),
        ("$3.2bn", "en", "3200000000.0", "USD"),
        ("US-Dollar 5", "de", "5", None),
        ("5 US-Dollar", "de", "5", "USD"),
        ("14:30", "de", "870", "clock"),
        ("2:30 pm", "en", "870", "clock"),
        ("14.30 Uhr", "de", "870", "clock"),
        ("12 am", "en", "0", "clock"),
        ("three hundred and five", "en", "305", None),
        ("20 degrees Celsius", "en", "20", "°C"),
        ("2 Billionen", "de", "2000000000000", None),
        ("2 billion", "en", "2000000000", None),
        ("1990s", "en", "1990", None),
    ],
)
def test_a_number_is_brought_to_its_base_unit(text: str, language: str | None, value: str, unit: str | None) -> None:
    assert (value, unit) in [*read(text, language)]


@pytest.mark.parametrize(
    "text",
    ["vitamin B12", "COVID-19", "see [3]", "[1, 2]", "passage 2", "Quelle 3", "version 2.1.3", "1. Preheat it",
     "2) Stir", "options 1 and 2", "x_5", "one of them", "ein Haus", "the first", "9" * 50],
)  # fmt: skip
def test_digits_that_are_no_quantity_are_left_out(text: str) -> None:
    assert read(text, "en") == []


def test_separators_are_read_both_ways_where_the_language_is_not_known() -> None:
    (found,) = quantities_of("1.234")
    assert found.readings == (Decimal(1234), Decimal("1.234"))


def test_a_rounded_number_says_how_far_off_it_may_be() -> None:
    about, plain = quantities_of("about 100 users and 100 users", "en")
    assert (about.tolerance, plain.tolerance) == (Decimal(5), Decimal(0))


def test_the_word_behind_a_number_is_kept() -> None:
    (found,) = quantities_of("seven doctors", "en")
    assert (found.noun, found.is_word) == ("doctors", True)


def test_ranges_that_are_taken_are_left_out() -> None:
    assert [str(found) for found in quantities_of("7 on 2024-03-04 and 8", taken=[(5, 15)])] == ["7", "8"]


@pytest.mark.parametrize(
    ("claim", "evidence", "differ"),
    [
        ("期限为60天。", "期限为30天。", True),
        ("期限为30天。", "退货在30天内免费。", False),
        ("30日以内です。", "60日以内です。", True),
        ("ภายใน60วัน", "ภายใน30วัน", True),
        ("30일 이내", "반품은 30일 안에", False),
    ],
)
def test_a_number_that_touches_a_script_without_spaces_is_read(claim: str, evidence: str, *, differ: bool) -> None:
    assert bool(mismatches(claim, evidence)) is differ
