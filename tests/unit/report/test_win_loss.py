"""Where the bars stand, and that nobody's text becomes markup."""

from __future__ import annotations

import builtins
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from beleg.core.decision import Sentence
from beleg.core.errors import MissingExtra
from beleg.report.chart import MAX_DOTS
from beleg.report.win_loss import HEIGHT, LEFT, RIGHT, WIDTH, Panel, panel, win_loss_png, win_loss_svg
from support.report_data import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*differences: float, title: str = "title") -> Panel:
    text = Sentence(en=title, de=title)
    queries = [f"q{i}" for i in range(len(differences))]
    return panel(text, (text, text), queries, np.array(differences))


def test_bars_stand_in_order_and_reach_from_the_zero_line() -> None:
    found = drawn(0.5, -0.25, 0.0, 0.1)
    assert [bar.query for bar in found.bars] == ["q1", "q3", "q0"]
    assert [bar.direction for bar in found.bars] == ["worse", "better", "better"]
    assert [bar.x for bar in found.bars] == sorted(bar.x for bar in found.bars)
    loss, _, gain = found.bars
    assert loss.y == found.zero
    assert gain.y + gain.height == pytest.approx(found.zero)
    assert gain.height == pytest.approx(2 * loss.height, abs=0.02)
    assert all(LEFT <= bar.x <= WIDTH - RIGHT and 0 <= bar.y <= HEIGHT for bar in found.bars)


@pytest.mark.parametrize("scale", [1e-6, 0.003, 0.7, 1.0, 42.0])
def test_the_axis_has_round_marks_around_every_bar(scale: float) -> None:
    found = drawn(scale, -0.3 * scale)
    labels = [tick.label.en for tick in found.ticks]
    assert 3 <= len(labels) <= 9
    assert "0" in labels
    assert len(set(labels)) == len(labels)
    heights = [tick.y for tick in found.ticks]
    assert all(min(heights) <= bar.y and bar.y + bar.height <= max(heights) + 0.7 for bar in found.bars)


def test_german_marks_have_a_comma() -> None:
    assert "+0,5" in [tick.label.de for tick in drawn(0.9, -0.2).ticks]


def test_no_difference_draws_no_bar_and_does_not_fail() -> None:
    found = drawn(0.0, 0.0)
    assert found.bars == ()
    assert len(found.ticks) >= 2


def test_many_queries_are_thinned_with_both_ends() -> None:
    values = np.random.default_rng(1).normal(size=5000)
    found = drawn(*values.tolist())
    assert (found.drawn, found.total) == (MAX_DOTS, 5000)
    assert found.bars[0].difference == values.min()
    assert found.bars[-1].difference == values.max()


def test_the_file_is_well_formed_and_hostile_text_stays_text() -> None:
    svg = win_loss_svg([drawn(0.2, -0.1, title=text) for text in HOSTILE], "de")
    tree = ET.fromstring(svg)  # noqa: S314 - our own text
    names = {element.tag.removeprefix(SVG) for element in tree.iter()}
    assert names == {"svg", "title", "rect", "g", "line", "text"}
    assert not [name for element in tree.iter() for name in element.attrib if name.startswith("on") or "href" in name]
    assert "\x1b" not in svg
    assert "\u202e" not in svg
    assert len(tree.findall(f"{SVG}g")) == len(HOSTILE)


def test_a_png_is_a_png() -> None:
    assert win_loss_png([drawn(0.2, -0.1)], "en", scale=1.0).startswith(b"\x89PNG")


def test_without_the_extra_a_png_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "vl_convert":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="PNG"):
        win_loss_png([drawn(0.2)], "en")
