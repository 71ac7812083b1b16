"""The win and loss plot: one bar for each query, sorted by difference; placed once, drawn in a page or as a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from beleg.core.decision import Sentence
from beleg.core.errors import MissingExtra
from beleg.report.chart import drawn_positions, is_available
from beleg.report.figures import both
from beleg.report.safe import one_line
from beleg.text.numbers import number

WIDTH = 760
HEIGHT = 260
LEFT, RIGHT, TOP, BOTTOM = 68, 8, 10, 46
TITLE_HEIGHT = 34
TITLE_CHARACTERS = 110
MOST_TICKS = 6

_INK, _QUIET, _LINE = "#1a1d21", "#565d67", "#d5d9df"
_COLOURS = {"better": "#00694f", "worse": "#ad2a1c"}
_FONT = "system-ui, 'Liberation Sans', Arial, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One query as a bar from the zero line."""

    query: str
    difference: float
    direction: str
    """``better`` or ``worse``."""
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One mark of the vertical axis."""

    y: float
    label: Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All bars of one comparison, placed in a box of `WIDTH` by `HEIGHT`."""

    title: Sentence
    axis_x: Sentence
    axis_y: Sentence
    bars: tuple[Bar, ...]
    ticks: tuple[Tick, ...]
    zero: float
    drawn: int
    total: int


def panel(
    title: Sentence, axes: tuple[Sentence, Sentence], queries: Sequence[str], differences: npt.NDArray[np.float64]
) -> Panel:
    """Places the bars of one comparison; queries without a difference keep their place and have no bar.

    Args:
        title: what the plot shows.
        axes: the names of the horizontal and the vertical axis.
        queries: the ids of the queries.
        differences: one per query.

    Returns:
        The panel. Of more than 400 queries evenly spaced ones are drawn, with both ends.
    """
    order = np.argsort(differences, kind="stable")
    positions = drawn_positions(len(order))
    values = differences[order][positions]
    ticks = _ticks(min(0.0, float(values.min())), max(0.0, float(values.max())))
    low, high = ticks[0], ticks[-1]
    inner = HEIGHT - TOP - BOTTOM

    def placed(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * inner, 2)

    step = (WIDTH - LEFT - RIGHT) / len(positions)
    bars = tuple(
        Bar(
            query=queries[int(order[position])],
            difference=value,
            direction="better" if value > 0.0 else "worse",
            x=round(LEFT + place * step, 2),
            y=min(placed(value), placed(0.0)),
            width=round(max(step * 0.9, 0.6), 2),
            height=round(max(abs(placed(value) - placed(0.0)), 0.6), 2),
        )
        for place, (position, value) in enumerate(zip(positions, values.tolist(), strict=True))
        if value != 0.0
    )
    return Panel(
        title=title,
        axis_x=axes[0],
        axis_y=axes[1],
        bars=bars,
        ticks=tuple(Tick(y=placed(value), label=_tick_label(value, ticks[1] - ticks[0])) for value in ticks),
        zero=placed(0.0),
        drawn=len(positions),
        total=len(order),
    )


def _ticks(low: float, high: float) -> list[float]:
    """Round values from the first at or below the lowest to the first at or above the highest."""
    span = (high - low) or 1.0
    rough = span / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * (1.0 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [count * step for count in range(first, max(last, first + 1) + 1)]


def _tick_label(value: float, step: float) -> Sentence:
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return both(lambda lang: "0" if value == 0.0 else number(value, lang, decimals=decimals, signed=True))


def win_loss_svg(panels: Sequence[Panel], language: str) -> str:
    """All panels below each other as one SVG file that needs nothing else; every text in it is escaped.

    Args:
        panels: the comparisons.
        language: ``en`` or ``de``.

    Returns:
        The SVG.
    """
    whole = HEIGHT + TITLE_HEIGHT
    height = whole * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{_FONT}" font-size="12" role="img">',
        f"<title>{_safe('; '.join(each.title.in_language(language) for each in panels), None)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for at, each in enumerate(panels):
        title = _safe(each.title.in_language(language), TITLE_CHARACTERS)
        parts.append(f'<text x="8" y="{at * whole + 22}" font-size="14" fill="{_INK}">{title}</text>')
        parts.append(f'<g transform="translate(0 {at * whole + TITLE_HEIGHT})">{_drawn(each, language)}</g>')
    return "\n".join([*parts, "</svg>\n"])


def _drawn(each: Panel, language: str) -> str:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for tick in each.ticks:
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{tick.y}" y2="{tick.y}" stroke="{_LINE}"/>')
        label = escape(tick.label.in_language(language))
        parts.append(f'<text x="{LEFT - 8}" y="{tick.y + 4}" text-anchor="end" fill="{_INK}">{label}</text>')
    parts += [
        f'<rect x="{bar.x}" y="{bar.y}" width="{bar.width}" height="{bar.height}" fill="{_COLOURS[bar.direction]}"/>'
        for bar in each.bars
    ]
    parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{each.zero}" y2="{each.zero}" stroke="{_QUIET}"/>')
    middle = (LEFT + right) / 2
    x, y = (_safe(axis.in_language(language), 60) for axis in (each.axis_x, each.axis_y))
    parts.append(f'<text x="{middle}" y="{bottom + 34}" text-anchor="middle" fill="{_INK}">{x}</text>')
    half = (TOP + bottom) / 2
    parts.append(f'<text transform="translate(14 {half}) rotate(-90)" text-anchor="middle" fill="{_INK}">{y}</text>')
    return "\n".join(parts)


def _safe(text: str, limit: int | None) -> str:
    return escape(one_line(text, limit=limit))


def win_loss_png(panels: Sequence[Panel], language: str, *, scale: float = 2.0) -> bytes:
    """The same picture as PNG.

    Raises:
        MissingExtra: if the extra ``report`` is not installed.
    """
    if not is_available():
        raise MissingExtra("a picture as PNG", "report")
    import vl_convert  # optional, and slow to load

    return bytes(vl_convert.svg_to_png(win_loss_svg(panels, language), scale=scale))
