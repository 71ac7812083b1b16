"""The reliability diagram: share right against stated confidence, with bin counts, drawn by vl-convert."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from beleg.report.chart import GERMAN_LOCALE
from beleg.report.vega import classed, on_page, vega_svg

WIDTH, HEIGHT, COUNTS_HEIGHT = 420, 420, 80

_INK, _AXIS, _GRID, _POINT, _EVEN = (f"#0{i}0{i}2{i}" for i in range(1, 6))
_NAMES = {_INK: "ink", _AXIS: "axis", _GRID: "grid", _POINT: "point", _EVEN: "even"}
_CLASS_OF = {_INK: "v-ink", _AXIS: "v-axis", _GRID: "v-grid", _POINT: "v-front", _EVEN: "v-same"}
_LIGHT = {"ink": "#1a1d21", "axis": "#565d67", "grid": "#d5d9df", "point": "#1b56ad", "even": "#565d67"}
_DARK = {"ink": "#e8eaed", "axis": "#a6adb8", "grid": "#3a4049", "point": "#8cb8ff", "even": "#a6adb8"}
_PAPER = {"light": "#ffffff", "dark": "#15181c"}
_NOISE = re.compile(r' (?:aria-[a-z]+|role|pointer-events|xmlns:xlink|version|class)="[^"]*"')
_BACKGROUND = re.compile(r'<path class="(?:background|foreground)"[^>]*/>')
_TAG = re.compile(r"<[a-z]+ [^>]*>")
_COLOUR = re.compile(r'(fill|stroke)="(#0\d0\d2\d)" ?')
_FONT = 'font-family="system-ui, sans-serif"'
_WORDS = {
    "en": {
        "x": "stated confidence",
        "y": "share right, with 95 % interval",
        "n": "answers",
        "even": "as right as sure",
    },
    "de": {
        "x": "genannte Zuversicht",
        "y": "Anteil richtig, mit 95-%-Intervall",
        "n": "Antworten",
        "even": "so richtig wie sicher",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramBin:
    """One bin: mean confidence, share right with its interval, and how many answers it holds."""

    confidence: float
    accuracy: float
    lower: float
    upper: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """A reliability diagram with its title, which says the finding."""

    title: str
    """Drawn above; a page that says the finding itself leaves it empty."""
    bins: Sequence[DiagramBin]
    axes: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: _WORDS)
    """What stands at the axes, by language: ``x``, ``y``, ``n`` and ``even``, the diagonal."""


def themed_diagram(diagram: Diagram, language: str, name: str) -> str:
    """The drawing for a page that has the colours, at the size that the page gives it.

    Args:
        diagram: what is drawn.
        language: ``en`` or ``de``.
        name: what a screen reader says of it; the table beside it has the figures.
    """
    return on_page(classed(vega_svg(_spec(diagram, language), language), _CLASS_OF), name)


def diagram_svg(diagram: Diagram, language: str) -> str:
    """The drawing as a file of its own, light or dark as its reader prefers, with a text beside it."""
    style = f"<style>{_rules(_LIGHT, 'light')}@media (prefers-color-scheme: dark) {{{_rules(_DARK, 'dark')}}}</style>"
    told = f"<title>{escape(diagram.title)}</title><desc>{escape(alternative_text(diagram, language))}</desc>"
    head, tag, rest = _TAG.sub(lambda found: _classed(found[0]), _drawn(diagram, language)).partition(">")
    paper = '<rect class="v-paper" width="100%" height="100%"/>'
    return f'{head} role="img"{tag}{told}{style}{paper}{rest}\n'


def diagram_png(diagram: Diagram, language: str) -> bytes:
    """The drawing in light colours as PNG, at twice its size."""
    import vl_convert  # optional, and slow to load

    svg = _drawn(diagram, language)
    for colour, name in _NAMES.items():
        svg = svg.replace(colour, _LIGHT[name])
    svg = svg.replace(">", '><rect width="100%" height="100%" fill="#ffffff"/>', 1)
    png: bytes = vl_convert.svg_to_png(svg, scale=2)
    return png


def alternative_text(diagram: Diagram, language: str) -> str:
    """Every bin in words.

    Example:
        >>> one = DiagramBin(confidence=0.9, accuracy=0.5, lower=0.3, upper=0.7, n=20)
        >>> alternative_text(Diagram(title="t", bins=[one]), "en")
        'confidence 90 %: 50 % right [30 %, 70 %], n 20'
    """
    name, right = ("Zuversicht", "richtig") if language == "de" else ("confidence", "right")
    return "; ".join(
        f"{name} {each.confidence:.0%}: {each.accuracy:.0%} {right} [{each.lower:.0%}, {each.upper:.0%}], n {each.n}"
        for each in diagram.bins
    ).replace("%", " %")


def _drawn(diagram: Diagram, language: str) -> str:
    import vl_convert  # optional, and slow to load

    svg: str = vl_convert.vegalite_to_svg(
        _spec(diagram, language), allowed_base_urls=[], format_locale=GERMAN_LOCALE if language == "de" else None
    )
    return _NOISE.sub("", re.sub(r'font-family="[^"]*"', _FONT, _BACKGROUND.sub("", svg)))


def _spec(diagram: Diagram, language: str) -> dict[str, Any]:
    words = diagram.axes["de" if language == "de" else "en"]
    values = [
        {"x": each.confidence, "y": each.accuracy, "lo": each.lower, "hi": each.upper, "n": each.n, "t": str(each.n)}
        for each in diagram.bins
    ]
    scale = {"domain": [0, 1], "nice": False, "padding": 0}
    axis = {"labelExpr": "round(datum.value * 100) + ' %'", "tickCount": 6, "grid": True}
    x = {"field": "x", "type": "quantitative", "scale": scale, "title": None, "axis": axis}
    y = {"field": "y", "type": "quantitative", "scale": scale, "title": words["y"], "axis": axis}
    even = {"values": [{"x": 0, "y": 0, "l": ""}, {"x": 1, "y": 1, "l": words["even"]}]}
    text = {"type": "text", "fontSize": 12, "color": _INK}
    most = max((each.n for each in diagram.bins), default=1)
    count = {
        "field": "n", "type": "quantitative", "title": words["n"], "scale": {"domain": [0, 1.3 * most], "nice": False},
        "axis": {"tickCount": 2, "grid": False, "tickMinStep": 1, "format": ",d"},
    }  # fmt: skip
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": None, "padding": 8, "spacing": 8,
        **({"title": {"text": _wrapped(diagram.title), "anchor": "start", "fontSize": 14, "color": _INK, "offset": 12}}
           if diagram.title else {}),
        "data": {"values": values},
        "vconcat": [
            {"width": WIDTH, "height": HEIGHT, "layer": [
                {"data": even, "mark": {"type": "line", "color": _EVEN, "strokeDash": [6, 4]},
                 "encoding": {"x": x, "y": y}},
                {"data": even, "mark": {**text, "align": "right", "dx": -18, "dy": 4, "color": _EVEN},
                 "encoding": {"x": x, "y": y, "text": {"field": "l"}}},
                {"mark": {"type": "rule", "strokeWidth": 1.5, "color": _POINT},
                 "encoding": {"x": x, "y": {**y, "field": "lo"}, "y2": {"field": "hi"}}},
                {"mark": {"type": "point", "filled": True, "size": 90, "opacity": 1, "color": _POINT},
                 "encoding": {"x": x, "y": y}},
            ]},
            {"width": WIDTH, "height": COUNTS_HEIGHT, "layer": [
                {"mark": {"type": "bar", "orient": "vertical", "width": 12, "color": _AXIS},
                 "encoding": {"x": {**x, "title": words["x"]}, "y": count}},
                {"mark": {**text, "dy": -8},
                 "encoding": {"x": {**x, "title": words["x"]}, "y": count, "text": {"field": "t"}}},
            ]},
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": _INK, "titleColor": _INK, "domainColor": _AXIS, "tickColor": _AXIS, "gridColor": _GRID,
                "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 10,
            },
        },
    }  # fmt: skip


def _wrapped(title: str, width: int = 62) -> list[str]:
    """The title in lines that the drawing is wide enough for."""
    lines = [""]
    for piece in title.split(" "):
        if lines[-1] and len(lines[-1]) + len(piece) + 1 > width:
            lines.append(piece)
        else:
            lines[-1] = f"{lines[-1]} {piece}".strip()
    return lines


def _classed(tag: str) -> str:
    classes = [f"v-{_NAMES[colour]}-{what}" for what, colour in _COLOUR.findall(tag) if colour in _NAMES]
    if not classes:
        return tag
    name, _, rest = _COLOUR.sub("", tag).partition(" ")
    return f'{name} class="{" ".join(classes)}" {rest}'


def _rules(colours: dict[str, str], paper: str) -> str:
    rules = [f".v-{name}-{what}{{{what}:{colour}}}" for name, colour in colours.items() for what in ("fill", "stroke")]
    return "".join([*rules, f".v-paper{{fill:{_PAPER[paper]}}}"])
