from __future__ import annotations

from decimal import Decimal

import pytest

from beleg.text.units import adjective_unit, unit_named


@pytest.mark.parametrize(
    ("word", "unit", "factor"),
    [("km", "m", "1000"), ("Zentimetern", "m", "0.01"), ("Wochen", "s", "604800"), ("Jahre", "month", "12"),
     ("kg", "g", "1000"), ("€", "EUR", "1"), ("US$", "USD", "1"), ("Prozent", "%", "1"), ("tägig", "s", "86400"),
     ("wöchiger", "s", "604800"), ("prozentige", "%", "1")],
)  # fmt: skip
def test_a_unit_has_a_base_and_an_exact_factor(word: str, unit: str, factor: str) -> None:
    assert unit_named(word) == (unit, Decimal(factor))


@pytest.mark.parametrize("word", ["apples", "Kunden", "w", "v", "gültig", "x" * 1_000])
def test_other_words_are_no_units(word: str) -> None:
    assert unit_named(word) is None


def test_an_adjective_gives_its_number_and_its_unit() -> None:
    assert adjective_unit("zweiwöchige") == ("zwei", "woche")
    assert adjective_unit("mündig") is None
    assert adjective_unit("tägig" * 20) is None
