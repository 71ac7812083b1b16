"""Drawings of a judge: well formed, in the page's colours, marking what was chosen."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from beleg.judges.curves import operating_curve, reliability_curve
from beleg.report.judge_charts import DatedRates, operating_drawing, reliability_drawing, time_drawing
from support.calibrations import record
from unit.judges.test_calibration import graded

GIVEN = graded(200)
CURVE = reliability_curve(GIVEN.human, GIVEN.scores, GIVEN.groups, 0.95)
OPERATING = operating_curve(GIVEN.human, GIVEN.scores, GIVEN.groups, 0.5, 0.95)
FIGURES = record().overall
START = datetime(2026, 9, 1, tzinfo=UTC)
DATED = [
    DatedRates(at=START + timedelta(days=30 * at), agreement=FIGURES.accuracy, false_pass=FIGURES.false_pass)
    for at in range(3)
]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("drawing", ["reliability", "operating", "time"])
def test_it_is_well_formed_and_takes_its_colours_from_the_page(drawing: str, language: str) -> None:
    svg = {
        "reliability": lambda: reliability_drawing(CURVE, language),
        "operating": lambda: operating_drawing(OPERATING, 0.5, 0.1, language),
        "time": lambda: time_drawing(DATED, language),
    }[drawing]()
    ET.fromstring(svg)  # noqa: S314 - our own drawing
    assert svg.startswith('<svg role="img" aria-label="')
    assert not re.search(r"#0\d0\d[23]\d", svg)
    assert "style=" not in svg
    assert "v-front-" in svg


def test_the_chosen_threshold_and_the_limit_are_named() -> None:
    svg = operating_drawing(OPERATING, 0.5, 0.1, "de")
    assert "Schwelle 0,5" in svg
    assert "Grenze der falsch bestandenen" in svg
    assert "Grenze der falsch bestandenen" not in operating_drawing(OPERATING, 0.5, None, "de")


def test_a_rate_that_nobody_knows_is_left_out_of_the_line() -> None:
    unknown = [DatedRates(at=START, agreement=FIGURES.accuracy, false_pass=None), *DATED[1:]]
    assert time_drawing(unknown, "en").count("<path") < time_drawing(DATED, "en").count("<path")


def test_no_two_marks_of_the_time_axis_carry_the_same_date() -> None:
    for hours in (24, 24 * 3, 24 * 400):
        first, last = DATED[0], replace(DATED[0], at=START + timedelta(hours=hours))
        dates = re.findall(r">(2026-\d\d-\d\d|2027-\d\d-\d\d)<", time_drawing([first, last], "en"))
        # The same axis stands below either of the two drawings.
        assert dates
        assert len(set(dates)) == len(dates) // 2, dates
