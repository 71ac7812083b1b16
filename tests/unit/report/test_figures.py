"""Numbers are printed with the digits their interval justifies, in the language of the reader."""

from __future__ import annotations

import pytest

from beleg.core.decision import Counts
from beleg.core.score import ScoreStatus
from beleg.report.figures import counts_text, figure_text
from beleg.text.figures import Unit, decimals_for, interval_text, limit_text, quantity
from beleg.text.numbers import number, percent
from support.report_data import bounds

COUNTS = Counts(
    expected=200,
    scored=198,
    reasons={ScoreStatus.SCORED: 198, ScoreStatus.TIMEOUT: 1, ScoreStatus.NO_CLAIMS: 1},
)


def test_a_whole_figure_reads_as_the_guide_shows_it() -> None:
    assert (
        figure_text(bounds(0.8731, 0.8412, 0.9017), COUNTS, "en")
        == "0.873 [0.841, 0.902] · n 198 of 200 · 1 timeout, 1 no claims"
    )
    assert (
        figure_text(bounds(0.8731, 0.8412, 0.9017), COUNTS, "de")
        == "0,873 [0,841; 0,902] · n 198 von 200 · 1 Zeitüberschreitung, 1 keine Aussagen"
    )


@pytest.mark.parametrize(
    ("half_width", "decimals"),
    # Particle Data Group, Review of Particle Physics, introduction 5.3: 0.119 keeps two digits, 0.367 one
    [(0.119, 2), (0.354, 2), (0.367, 1), (0.943, 1), (0.9513, 1), (0.0305, 3), (9.0, 0), (0.000_01, 4)],
)
def test_decimals_follow_the_particle_data_group_rule(half_width: float, decimals: int) -> None:
    assert decimals_for(bounds(0.5, 0.5 - half_width, 0.5 + half_width)) == decimals


def test_an_interval_without_width_gets_the_default_of_its_unit() -> None:
    assert interval_text(bounds(1, 1, 1), "en") == "1.000 [1.000, 1.000]"
    assert decimals_for(bounds(7, 7, 7), Unit.MILLISECONDS) == 0


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [(-0.0004, "en", "0.00"), (1234.5, "en", "1,234.50"), (1234.5, "de", "1.234,50"), (-2, "de", "−2,00")],
)
def test_numbers_are_written_as_the_language_does(value: float, language: str, shown: str) -> None:
    assert number(value, language, decimals=2) == shown


def test_a_delta_carries_its_sign_and_its_interval() -> None:
    assert interval_text(bounds(-0.101, -0.142, -0.061), "en", signed=True) == "−0.10 [−0.14, −0.06]"
    assert number(0.0, "en", decimals=1, signed=True) == "±0.0"
    assert number(0.2, "en", decimals=1, signed=True) == "+0.2"


def test_units_and_limits() -> None:
    assert quantity(412.4, "en", unit=Unit.MILLISECONDS) == "412\u00a0ms"
    assert quantity(0.00123, "de", unit=Unit.USD) == "0,0012\u00a0USD"
    assert limit_text(0.8, "en") == "0.8"
    assert limit_text(0.02, "de", unit=Unit.PERCENT) == "2\u00a0%"
    assert interval_text(bounds(0.15, 0.08, 0.26), "en", unit=Unit.PERCENT) == "15 [8, 26]\u00a0%"
    assert limit_text(1_200, "de", unit=Unit.MILLISECONDS) == "1.200\u00a0ms"
    assert percent(0.95, "en") == "95\u00a0%"


def test_a_missing_score_is_a_word() -> None:
    assert figure_text(None, None, "de") == "nicht gemessen"
    nothing = Counts(expected=3, scored=0, reasons={ScoreStatus.JUDGE_ERROR: 3})
    assert figure_text(None, nothing, "en") == "not measured · n 0 of 3 · 3 judge error"
    assert counts_text(Counts(expected=2, scored=2), "en") == "n 2 of 2"
    assert figure_text(bounds(0.5, 0.4, 0.6, 30), None, "en").endswith("· n 30")
