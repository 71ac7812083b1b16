from __future__ import annotations

import pytest

from beleg.core.decision import Bounds
from beleg.text.figures import UNIT_OF_KIND, Unit, decimals_for, interval_text, limit_text, quantity
from beleg.text.numbers import NO_BREAK


def bounds(estimate: float, lower: float | None, upper: float | None) -> Bounds:
    return Bounds(estimate=estimate, lower=lower, upper=upper, confidence=0.95, method="", n=100)


def around(estimate: float, half: float) -> Bounds:
    return bounds(estimate, estimate - half, estimate + half)


def plain(text: str) -> str:
    return text.replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("half", "shown"),
    [(0.119, "0.83 [0.71, 0.95]"), (0.367, "0.8 [0.5, 1.2]"), (0.0967, "0.83 [0.73, 0.92]")],
)
def test_the_examples_of_the_particle_data_group(half: float, shown: str) -> None:
    """0.827 ± 0.119 is told as 0.83 ± 0.12, and 0.827 ± 0.367 as 0.8 ± 0.4; 0.0967 is told as 0.10."""
    assert interval_text(around(0.827, half), "en") == shown


@pytest.mark.parametrize(
    ("half", "decimals"),
    [
        (0.101, 2), (0.354, 2), (0.356, 1), (0.948, 1), (0.951, 1), (1.2, 1), (3.4, 1), (3.6, 0), (9.6, 0), (12.0, 0),
        (1_234.0, 0), (0.0354, 3), (0.0356, 2), (0.0094, 3), (0.0096, 3),
    ],
)  # fmt: skip
def test_three_digits_of_the_half_width_say_how_many_decimals_are_justified(half: float, decimals: int) -> None:
    """100 to 354 keep two digits, 355 to 949 one, and 950 to 999 are 1000 with two; the estimate is of no account."""
    assert decimals_for(around(0.0, half)) == decimals
    assert decimals_for(around(50.0, half)) == decimals


def test_a_share_is_rounded_as_it_is_read() -> None:
    assert decimals_for(around(0.5, 0.0119)) == 3
    assert decimals_for(around(0.5, 0.0119), Unit.PERCENT) == 1


@pytest.mark.parametrize(
    ("unit", "usual", "most"),
    [(Unit.PLAIN, 3, 4), (Unit.PERCENT, 1, 2), (Unit.MILLISECONDS, 0, 1), (Unit.USD, 4, 6), (Unit.COUNT, 0, 2)],
)
def test_every_unit_has_a_usual_and_a_largest_number_of_decimals(unit: Unit, usual: int, most: int) -> None:
    assert decimals_for(around(1.0, 0.0), unit) == usual
    assert decimals_for(bounds(1.0, None, None), unit) == usual
    assert decimals_for(around(1.0, 1e-12), unit) == most


@pytest.mark.parametrize(("lower", "upper"), [(0.46, None), (None, 1.194)])
def test_an_open_side_justifies_no_further_digit(lower: float | None, upper: float | None) -> None:
    """The known side is 0.367 away, as in 0.827 ± 0.367: less is known, so no more may be shown."""
    assert decimals_for(bounds(0.827, lower, upper)) == 1


def test_a_bound_that_so_few_cases_cannot_give_is_called_open() -> None:
    assert interval_text(bounds(412.0, 388.0, None), "en", unit=Unit.MILLISECONDS) == f"412 [388, open]{NO_BREAK}ms"
    assert interval_text(bounds(412.0, None, None), "de", unit=Unit.COUNT) == "412 [offen; offen]"


def test_german_separates_bounds_by_a_semicolon_since_the_comma_is_taken() -> None:
    assert plain(interval_text(bounds(0.873, 0.841, 0.902), "de", unit=Unit.PERCENT)) == "87,3 [84,1; 90,2] %"
    assert plain(interval_text(bounds(0.873, 0.841, 0.902), "en", unit=Unit.PERCENT)) == "87.3 [84.1, 90.2] %"


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "−1.0 [−3.0, +1.0] points"), ("de", "−1,0 [−3,0; +1,0] Punkte")]
)
def test_a_difference_of_shares_is_in_points_and_signed(language: str, shown: str) -> None:
    told = interval_text(bounds(-0.01, -0.03, 0.01), language, unit=Unit.PERCENT, signed=True)
    assert plain(told) == shown


@pytest.mark.parametrize(
    ("value", "unit", "english", "german"),
    [
        (0.1554, Unit.PERCENT, "15.5 %", "15,5 %"),
        (1_412.4, Unit.MILLISECONDS, "1,412 ms", "1.412 ms"),
        (0.00123, Unit.USD, "0.0012 USD", "0,0012 USD"),
        (12_000, Unit.COUNT, "12,000", "12.000"),
        (0.5, Unit.PLAIN, "0.500", "0,500"),
    ],
)
def test_a_quantity_has_the_decimals_and_the_symbol_of_its_unit(
    value: float, unit: Unit, english: str, german: str
) -> None:
    assert plain(quantity(value, "en", unit=unit)) == english
    assert plain(quantity(value, "de", unit=unit)) == german


def test_decimals_may_be_asked_for() -> None:
    assert quantity(0.5, "en", decimals=1) == "0.5"


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.05, Unit.PERCENT, "5 %"), (0.985, Unit.PERCENT, "98.5 %"), (0.0125, Unit.PERCENT, "1.25 %"),
        (1_500, Unit.MILLISECONDS, "1,500 ms"), (0.82, Unit.PLAIN, "0.82"), (0.1 + 0.2, Unit.PLAIN, "0.3"),
        (0, Unit.COUNT, "0"), (1, Unit.PERCENT, "100 %"), (0.000_001, Unit.USD, "0.000001 USD"),
    ],
)  # fmt: skip
def test_a_limit_is_told_as_it_was_written(value: float, unit: Unit, shown: str) -> None:
    assert plain(limit_text(value, "en", unit=unit)) == shown


@pytest.mark.parametrize("options", [{"signed": True}, {"is_difference": True}])
def test_a_limit_on_a_difference_of_shares_is_in_points(options: dict[str, bool]) -> None:
    sign = "+" if options.get("signed") else ""
    assert plain(limit_text(0.025, "de", unit=Unit.PERCENT, **options)) == f"{sign}2,5 Punkte"


def test_only_rates_of_cases_are_read_per_cent() -> None:
    assert [kind for kind, unit in UNIT_OF_KIND.items() if unit is Unit.PERCENT] == ["binary"]
