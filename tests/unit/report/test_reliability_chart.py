from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from beleg.report.reliability_chart import Diagram, DiagramBin, alternative_text, diagram_svg

BINS = [
    DiagramBin(confidence=0.6, accuracy=0.5, lower=0.3, upper=0.7, n=20),
    DiagramBin(confidence=1.0, accuracy=0.0, lower=0.0, upper=1.0, n=1),
]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_drawing_is_well_formed_without_script_or_foreign_colours(language: str) -> None:
    svg = diagram_svg(Diagram(title="A finding", bins=BINS), language)
    ET.fromstring(svg)  # noqa: S314 - our own drawing
    assert "<script" not in svg
    assert not re.search(r"#0\d0\d2\d", svg)
    assert "prefers-color-scheme: dark" in svg
    assert ">20</text>" in svg


def test_a_title_of_strangers_is_escaped() -> None:
    svg = diagram_svg(Diagram(title='<script>alert("x")</script> & co', bins=BINS), "en")
    ET.fromstring(svg)  # noqa: S314 - our own drawing
    assert "<script" not in svg


def test_a_long_title_is_broken_into_lines() -> None:
    svg = diagram_svg(Diagram(title="word " * 40, bins=BINS), "en")
    assert svg.count("<tspan") >= 3 or svg.count("word word") >= 3


def test_every_bin_is_told_in_words() -> None:
    assert alternative_text(Diagram(title="t", bins=BINS), "de") == (
        "Zuversicht 60 %: 50 % richtig [30 %, 70 %], n 20; Zuversicht 100 %: 0 % richtig [0 %, 100 %], n 1"
    )
