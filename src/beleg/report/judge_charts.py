"""Drawings of a judge: its scores against people, its errors at every threshold, and its figures over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from beleg.core.calibration import ErrorRate, OperatingCurve, ReliabilityCurve
from beleg.core.wording import LANGUAGES
from beleg.report.reliability_chart import Diagram, DiagramBin, themed_diagram
from beleg.report.vega import classed, on_page, vega_svg
from beleg.report.words import word
from beleg.text.figures import limit_text

WIDTH, HEIGHT, TIME_HEIGHT = 640, 300, 150
MOST_DATES = 5

_INK, _AXIS, _GRID, _FRONT, _FLOOR = (f"#0{i}0{i}3{i}" for i in range(1, 6))
_CLASS_OF = {_INK: "v-ink", _AXIS: "v-axis", _GRID: "v-grid", _FRONT: "v-front", _FLOOR: "v-floor"}
_SHARE_AXIS = {"labelExpr": "round(datum.value * 100) + ' %'", "tickCount": 6, "grid": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedRates:
    """What a judge showed at one time."""

    at: datetime
    agreement: ErrorRate | None
    false_pass: ErrorRate | None


def reliability_drawing(curve: ReliabilityCurve, language: str) -> str:
    """The reliability curve for a page: mean score against the share that people pass, with intervals and counts."""
    words = {
        name: {
            "x": word("judge_chart.score", name),
            "y": word("judge_chart.passed", name),
            "n": word("judge_chart.items", name),
            "even": "",
        }
        for name in LANGUAGES
    }
    bins = [
        DiagramBin(
            confidence=each.score,
            accuracy=each.passed.value,
            lower=each.passed.lower,
            upper=each.passed.upper,
            n=each.passed.n,
        )
        for each in curve.bins
    ]
    return themed_diagram(Diagram(title="", bins=bins, axes=words), language, word("judge_chart.reliability", language))


def operating_drawing(curve: OperatingCurve, threshold: float, limit: float | None, language: str) -> str:
    """Both kinds of error at every threshold, with the chosen one and the limit of false passes marked."""
    names = word("judge_chart.false_pass", language), word("judge_chart.false_fail", language)
    rows = [
        {"x": point.threshold, "y": rate.value, "lo": rate.lower, "hi": rate.upper, "s": name}
        for point in curve.points
        for name, rate in zip(names, (point.false_pass, point.false_fail), strict=True)
    ]
    x = {"field": "x", "type": "quantitative", "title": word("judge_chart.threshold", language),
         "scale": {"zero": False, "nice": False, "padding": 8}, "axis": {"grid": False, "tickCount": 8}}  # fmt: skip
    y = _share_scale(word("judge_chart.share", language))
    colour = {"field": "s", "type": "nominal", "title": None, "sort": list(names),
              "scale": {"domain": list(names), "range": [_FLOOR, _FRONT]},
              "legend": {"orient": "top", "symbolType": "stroke", "symbolSize": 400, "columnPadding": 20}}  # fmt: skip
    dash = {"field": "s", "type": "nominal", "sort": list(names), "title": None,
            "scale": {"domain": list(names), "range": [[1, 0], [6, 4]]}}  # fmt: skip
    label = word("judge_chart.chosen", language, threshold=limit_text(threshold, language))
    chosen = {"values": [{"x": threshold, "l": label}]}
    is_right = threshold > (curve.points[0].threshold + curve.points[-1].threshold) / 2
    beside = {"align": "right", "dx": -6} if is_right else {"align": "left", "dx": 6}
    text = {"type": "text", "fontSize": 12, "baseline": "top", "color": _INK}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "area", "interpolate": "step-before", "opacity": 0.15},
         "encoding": {"x": x, "y": {**y, "field": "lo"}, "y2": {"field": "hi"}, "color": {**colour, "legend": None}}},
        {"mark": {"type": "line", "interpolate": "step-before", "strokeWidth": 2},
         "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash}},
        {"data": chosen, "mark": {"type": "rule", "color": _INK, "strokeWidth": 1.5}, "encoding": {"x": x}},
        {"data": chosen, "mark": {**text, **beside}, "encoding": {"x": x, "y": {"value": 4}, "text": {"field": "l"}}},
    ]  # fmt: skip
    if limit is not None:
        told = word("judge_chart.limit", language)
        layers += [
            {"data": {"values": [{"y": limit, "l": told}]}, "mark": {"type": "rule", "color": _FLOOR,
             "strokeDash": [2, 3]}, "encoding": {"y": y}},
            {"data": {"values": [{"y": limit, "l": told}]}, "mark": {**text, "align": "right", "baseline": "bottom",
             "dy": -3}, "encoding": {"x": {"value": WIDTH - 4}, "y": y, "text": {"field": "l"}}},
        ]  # fmt: skip
    spec = {"width": WIDTH, "height": HEIGHT, "data": {"values": rows}, "layer": layers}
    return _on_page(spec, language, word("judge_chart.operating", language))


def time_drawing(dated: Sequence[DatedRates], language: str) -> str:
    """Agreement and false passes over time, each with its interval; a rate that is not known is left out."""
    parts, day = [], "%d.%m.%Y" if language == "de" else "%Y-%m-%d"
    # Whole days, so that no two marks of the axis carry the same date.
    days = (max(each.at for each in dated) - min(each.at for each in dated)).days
    ticks = {"interval": "day", "step": max(1, round(days / MOST_DATES))}
    for name, chosen, colour in (
        (word("judge_chart.agreement", language), [(each.at, each.agreement) for each in dated], _FRONT),
        (word("judge_chart.false_pass", language), [(each.at, each.false_pass) for each in dated], _FLOOR),
    ):
        rows = [
            {"x": at.isoformat(), "y": rate.value, "lo": rate.lower, "hi": rate.upper}
            for at, rate in chosen
            if rate is not None
        ]
        x = {"field": "x", "type": "temporal", "title": None, "scale": {"type": "utc", "padding": 16},
             "axis": {"grid": False, "format": day, "tickCount": ticks}}  # fmt: skip
        y = _share_scale(name)
        parts.append(
            {"width": WIDTH, "height": TIME_HEIGHT, "data": {"values": rows}, "layer": [
                {"mark": {"type": "line", "color": colour, "strokeWidth": 1.5}, "encoding": {"x": x, "y": y}},
                {"mark": {"type": "rule", "color": colour, "strokeWidth": 1.5},
                 "encoding": {"x": x, "y": {**y, "field": "lo"}, "y2": {"field": "hi"}}},
                {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": colour},
                 "encoding": {"x": x, "y": y}},
            ]}
        )  # fmt: skip
    return _on_page({"vconcat": parts, "spacing": 16}, language, word("judge_chart.over_time", language))


def _share_scale(title: str) -> dict[str, Any]:
    scale = {"domain": [0, 1], "nice": False}
    return {"field": "y", "type": "quantitative", "scale": scale, "title": title, "axis": _SHARE_AXIS}


def _on_page(spec: dict[str, Any], language: str, name: str) -> str:
    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": None,
        "padding": 6,
        **spec,
        "config": {
            "view": {"stroke": None},
            "legend": {"labelColor": _INK, "labelFontSize": 12},
            "axis": {
                "labelColor": _INK, "titleColor": _INK, "domainColor": _AXIS, "tickColor": _AXIS, "gridColor": _GRID,
                "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 10,
            },
        },
    }  # fmt: skip
    return on_page(classed(vega_svg(whole, language), _CLASS_OF), name)
