"""The paired dot plot, drawn by vl-convert as SVG that follows the page's colours and links to the cases."""

from __future__ import annotations

import re
from typing import Any

from beleg.report.changes import SAME, Changes, case_href
from beleg.report.words import word
from beleg.text.figures import Unit

MAX_DOTS = 400
WIDTH = 760
HEIGHT = 240

_INK, _AXIS, _GRID, _BETTER, _WORSE, _SAME = (f"#0{i}0{i}0{i}" for i in range(1, 7))
_CLASS_OF = {_INK: "v-ink", _AXIS: "v-axis", _GRID: "v-grid", _BETTER: "v-better", _WORSE: "v-worse", _SAME: "v-same"}
_DOT = re.compile(r'<path aria-label="dot (\d+)"([^>]*)/>')
_NOISE = re.compile(r' (?:aria-[a-z]+|role|font-family|pointer-events|xmlns(?::xlink)?|version)="[^"]*"')
_BACKGROUND = re.compile(r'<path class="(?:background|foreground)"[^>]*/>')
GERMAN_LOCALE = {"decimal": ",", "thousands": ".", "grouping": [3], "currency": ["", " USD"]}


def is_available() -> bool:
    """Whether drawings can be made: the extra ``report`` is installed."""
    try:
        import vl_convert  # noqa: F401 - optional, and slow to load
    except ModuleNotFoundError:
        return False
    return True


def drawn_positions(total: int) -> list[int]:
    """Which cases are drawn: all, or evenly spaced ones with both ends where there are too many dots to tell apart.

    Example:
        >>> drawn_positions(3)
        [0, 1, 2]
    """
    if total <= MAX_DOTS:
        return list(range(total))
    return sorted({round(i * (total - 1) / (MAX_DOTS - 1)) for i in range(MAX_DOTS)})


def dot_plot(changes: Changes, language: str) -> str:
    """The SVG of the dot plot in one language.

    Colours become classes, so that light and dark share one drawing; each dot is a link to its case for a pointer.
    Keys and screen readers pass the drawing by: hundreds of unnamed stops say less than the tables, which lead to the
    same cases. All text of the drawing is ours: case ids reach it only percent-encoded in addresses.
    """
    import vl_convert  # optional, and slow to load

    svg = vl_convert.vegalite_to_svg(
        _spec(changes, language),
        allowed_base_urls=[],
        format_locale=GERMAN_LOCALE if language == "de" else None,
    )
    return _themed(svg, changes.case_ids)


def _spec(changes: Changes, language: str) -> dict[str, Any]:
    sign = 1 if changes.metric.higher_is_better else -1
    values = [
        {
            "x": position + 1,
            "y": changes.differences[position],
            "c": _colour(sign * changes.differences[position]),
            "d": f"dot {position}",
        }
        for position in drawn_positions(len(changes.differences))
    ]
    unit = changes.metric.unit
    behind = f" ({unit.symbol})" if unit in {Unit.MILLISECONDS, Unit.USD} else ""
    x = {"field": "x", "type": "quantitative", "title": word("changes.axis_x", language)}
    y = {"field": "y", "type": "quantitative", "title": word("changes.axis_y", language, unit=behind)}
    whole = {"format": ",d", "tickMinStep": 1, "tickCount": 8, "grid": False}
    # the sign of a difference is part of the figure, and no difference has none
    signed = {"format": "+,f", "labelExpr": "datum.value == 0 ? '0' : datum.label", "tickCount": 6}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": WIDTH,
        "height": HEIGHT,
        "background": None,
        "padding": 4,
        "data": {"values": values},
        "layer": [
            {"data": {"values": [{}]}, "mark": {"type": "rule", "color": _AXIS}, "encoding": {"y": {"datum": 0}}},
            {
                "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1},
                "encoding": {
                    "x": {**x, "axis": whole, "scale": {"domain": [0, len(changes.differences) + 1], "nice": False}},
                    "y": {**y, "axis": signed},
                    "color": {"field": "c", "type": "nominal", "scale": None},
                    "description": {"field": "d", "type": "nominal"},
                },
            },
        ],
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": _INK, "titleColor": _INK, "domainColor": _AXIS, "tickColor": _AXIS, "gridColor": _GRID,
                "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titlePadding": 10,
            },
        },
    }  # fmt: skip


def _colour(gain: float) -> str:
    if abs(gain) <= SAME:
        return _SAME
    return _BETTER if gain > 0 else _WORSE


def _themed(svg: str, case_ids: tuple[str, ...]) -> str:
    svg = _BACKGROUND.sub("", svg)
    svg = re.sub(r' class="[^"]*"', "", svg)
    svg = _DOT.sub(
        lambda match: f'<a href="{case_href(case_ids[int(match[1])])}" tabindex="-1"><path{match[2]}/></a>', svg
    )
    svg = _NOISE.sub("", svg)
    svg = re.sub(
        r'(fill|stroke)="(#0\d0\d0\d)"',
        lambda match: f'class="{_CLASS_OF[match[2]]}-{match[1]}"' if match[2] in _CLASS_OF else match[0],
        svg,
    )
    # the picture scales with the page: the view box stays, fixed sizes go
    return re.sub(r'^<svg width="[\d.]+" height="[\d.]+"', '<svg aria-hidden="true" focusable="false"', svg, count=1)
