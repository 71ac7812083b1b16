"""The Pareto curve of recall against latency, drawn by vl-convert."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from beleg.report.vega import classed, vega_svg
from beleg.report.words import word

WIDTH, HEIGHT = 700, 360

_INK, _AXIS, _GRID, _FRONT, _BEATEN, _FLOOR = (f"#0{i}0{i}1{i}" for i in range(1, 7))
_CLASS_OF = {_INK: "v-ink", _AXIS: "v-axis", _GRID: "v-grid", _FRONT: "v-front", _BEATEN: "v-same", _FLOOR: "v-floor"}
_LIGHT = {
    "ink": "#1a1d21",
    "axis": "#565d67",
    "grid": "#d5d9df",
    "front": "#1b56ad",
    "same": "#565d67",
    "floor": "#ad2a1c",
}
_DARK = {
    "ink": "#e8eaed",
    "axis": "#a6adb8",
    "grid": "#3a4049",
    "front": "#8cb8ff",
    "same": "#a6adb8",
    "floor": "#ff9182",
}
_PAPER = {"light": "#ffffff", "dark": "#15181c"}
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One setting in the drawing."""

    kind: str
    latency_ms: float
    recall: float
    lower: float
    upper: float
    on_front: bool
    taken: bool
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """All settings of a sweep, and what they are held against."""

    k: int
    floor: float
    points: Sequence[CurvePoint]


def themed_curve(curve: Curve, language: str) -> str:
    """The drawing for a page that has the colours: classes in place of colours, and a size that follows the page."""
    svg = classed(_drawn(curve, language), _CLASS_OF)
    return re.sub(r'^<svg width="[\d.]+" height="[\d.]+"', "<svg", svg, count=1)


def curve_svg(curve: Curve, language: str) -> str:
    """The drawing as a file of its own, light or dark as its reader prefers."""
    rules = "".join(_rules(_LIGHT, _PAPER["light"]))
    dark = "".join(_rules(_DARK, _PAPER["dark"]))
    style = f"<style>{rules}@media (prefers-color-scheme: dark) {{{dark}}}</style>"
    head, tag, rest = classed(_drawn(curve, language), _CLASS_OF).partition(">")
    return f'{head}{tag}{style}<rect class="v-paper" width="100%" height="100%"/>{rest}\n'


def curve_png(curve: Curve, language: str) -> bytes:
    """The drawing in light colours as PNG, at twice its size."""
    import vl_convert  # optional, and slow to load

    svg = _drawn(curve, language)
    for colour, name in _CLASS_OF.items():
        svg = svg.replace(colour, _LIGHT[name.removeprefix("v-")])
    svg = svg.replace(">", '><rect width="100%" height="100%" fill="#ffffff"/>', 1)
    png: bytes = vl_convert.svg_to_png(svg, scale=2)
    return png


def _drawn(curve: Curve, language: str) -> str:
    return vega_svg(_spec(curve, language), language)


def _rules(colours: dict[str, str], paper: str) -> list[str]:
    rules = [f".v-{name}-{what}{{{what}:{colour}}}" for name, colour in colours.items() for what in ("fill", "stroke")]
    return [*rules, f".v-paper{{fill:{paper}}}"]


def _spec(curve: Curve, language: str) -> dict[str, Any]:
    values = [_row(point) for point in curve.points]
    kinds = list(dict.fromkeys(point.kind for point in curve.points))
    lowest = min([curve.floor, *(point.lower for point in curve.points)])
    axis = {"axis": {"grid": True, "tickCount": 6}}
    x = {
        "field": "x", "type": "quantitative", "title": word("ann.axis_x", language),
        "scale": {"type": "log", "nice": False, "padding": 24}, "axis": {"grid": False, "labelExpr": "datum.label"},
    }  # fmt: skip
    y_title = word("ann.axis_y", language, k=curve.k)
    y = {"field": "y", "type": "quantitative", "title": y_title,
         "scale": {"domain": [max(0.0, lowest - 0.02), 1.0], "nice": False}, **axis}  # fmt: skip
    shape = {"field": "s", "type": "nominal", "title": None, "sort": kinds,
             "scale": {"domain": kinds, "range": [_SHAPES[at % len(_SHAPES)] for at in range(len(kinds))]},
             "legend": {"orient": "top", "symbolFillColor": _INK, "symbolStrokeColor": _INK, "symbolSize": 80,
                        "symbolStrokeWidth": 0, "columnPadding": 20}}  # fmt: skip
    floor_label = word("ann.floor", language, floor=_plain(curve.floor, language))
    text = {"type": "text", "baseline": "top", "fontSize": 12}
    colour = {"field": "c", "type": "nominal", "scale": None}
    front = [row for row in values if row["f"]]
    # Below both its point and the floor, the label of the taken point crosses no line of the other.
    taken = [{**row, "b": min(row["lo"], curve.floor)} for row in values if row["t"]]
    is_right = _is_right([row["x"] for row in taken], [row["x"] for row in values])
    beside = {"align": "right", "dx": -12} if is_right else {"align": "left", "dx": 12}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": WIDTH, "height": HEIGHT, "background": None, "padding": 6,
        "data": {"values": values},
        "layer": [
            {"data": {"values": [{"y": curve.floor, "l": floor_label}]}, "layer": [
                {"mark": {"type": "rule", "color": _FLOOR, "strokeDash": [6, 4]}, "encoding": {"y": y}},
                {"mark": {**text, "align": "left" if is_right else "right", "dy": 5, "color": _FLOOR},
                 "encoding": {"x": {"value": 4 if is_right else WIDTH - 4}, "y": y, "text": {"field": "l"}}},
            ]},
            {"data": {"values": front}, "mark": {"type": "line", "color": _FRONT, "strokeWidth": 1.5},
             "encoding": {"x": x, "y": y, "order": {"field": "x"}}},
            {"mark": {"type": "rule", "strokeWidth": 1.5},
             "encoding": {"x": x, "y": {**y, "field": "lo"}, "y2": {"field": "hi"}, "color": colour}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
             "encoding": {"x": x, "y": y, "shape": shape, "color": colour}},
            {"data": {"values": taken}, "layer": [
                {"mark": {"type": "point", "shape": "circle", "size": 320, "strokeWidth": 2, "color": _INK},
                 "encoding": {"x": x, "y": y}},
                {"mark": {**text, **beside, "dy": 8, "fontWeight": "bold", "color": _INK},
                 "encoding": {"x": x, "y": {**y, "field": "b"}, "text": {"field": "l"}}},
            ]},
        ],
        "config": {
            "view": {"stroke": None},
            "legend": {"labelColor": _INK, "labelFontSize": 12, "titleColor": _INK},
            "axis": {
                "labelColor": _INK, "titleColor": _INK, "domainColor": _AXIS, "tickColor": _AXIS, "gridColor": _GRID,
                "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 10,
            },
        },
    }  # fmt: skip


def _is_right(taken: Sequence[float], latencies: Sequence[float]) -> bool:
    """Whether the taken point stands in the right half of the logarithmic axis."""
    return bool(taken) and taken[0] ** 2 > min(latencies) * max(latencies)


def _row(point: CurvePoint) -> dict[str, Any]:
    return {
        "x": point.latency_ms, "y": point.recall, "lo": point.lower, "hi": point.upper, "s": point.kind,
        "c": _FRONT if point.on_front else _BEATEN, "f": point.on_front, "t": point.taken, "l": point.label,
    }  # fmt: skip


def _plain(value: float, language: str) -> str:
    return f"{value:g}".replace(".", "," if language == "de" else ".")
