"""The segment × metric table: value, n and difference in each cell, hatched where n is too small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from beleg.core.decision import Bounds, Counts, Sentence, excludes_zero
from beleg.report.figures import both, counts_text
from beleg.report.naming import MetricLabel, metric_label
from beleg.report.words import phrase
from beleg.text.figures import interval_text
from beleg.text.numbers import number

CELLS_NAMED = 8
"""How many cells of a kind the words for the map name one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRow:
    """One figure of the table: a metric over the cases of a segment."""

    segment: str
    """As `beleg.core.policy.Segment.label` prints it, such as ``language=de``."""
    metric: str
    figure: Bounds | None
    n: int
    counts: Counts | None = None
    baseline: float | None = None
    difference: Bounds | None = None
    """Candidate minus baseline, paired by case."""
    minimum_n: int = 30
    protected: bool = False
    higher_is_better: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentCell:
    """One cell as text, with what its shade says."""

    value: Sentence
    rows: Sentence
    difference: Sentence | None
    shade: str
    """``worse``, ``worse-certain``, ``better``, ``better-certain`` or ``none``."""
    small: bool


Cells = dict[tuple[str, str], SegmentCell]
"""The cells by segment and metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentLine:
    """One segment with a cell, or nothing, per metric."""

    segment: str
    href: str
    protected: bool
    cells: tuple[SegmentCell | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTable:
    """All segments by all metrics."""

    finding: Sentence
    description: Sentence
    """The map in words, for who does not see it: what is worse, what is better, where there are too few cases."""
    metrics: tuple[MetricLabel, ...]
    lines: tuple[SegmentLine, ...]


def segment_table(rows: Sequence[SegmentRow]) -> SegmentTable | None:
    """Lays the figures out by segment and metric, in the order in which they were given."""
    if not rows:
        return None
    segments = tuple(dict.fromkeys(row.segment for row in rows))
    names = tuple(dict.fromkeys(row.metric for row in rows))
    by_place = {(row.segment, row.metric): row for row in rows}
    protected = {row.segment for row in rows if row.protected}
    cells = {place: segment_cell(row) for place, row in by_place.items()}
    lines = tuple(
        SegmentLine(
            segment=segment,
            href=f"#segment={quote(segment, safe='')}",
            protected=segment in protected,
            cells=tuple(cells.get((segment, name)) for name in names),
        )
        for segment in segments
    )
    return SegmentTable(
        finding=_finding(rows, cells),
        description=_description(len(segments), len(names), cells),
        metrics=tuple(map(metric_label, names)),
        lines=lines,
    )


def segment_cell(row: SegmentRow) -> SegmentCell:
    """One figure as text; its shade is strong only where the interval of the difference excludes 0."""
    label = metric_label(row.metric, higher_is_better=row.higher_is_better)
    figure, difference, counts = row.figure, row.difference, row.counts
    if figure is None:
        value = phrase("segments.not_evaluated")
    else:
        value = both(lambda lang: interval_text(figure, lang, unit=label.unit))
    if counts is not None:
        rows = both(lambda lang: counts_text(counts, lang))
    else:
        rows = both(lambda lang: f"n\u00a0{number(row.n, lang, decimals=0)}")
    delta = None
    if difference is not None:
        delta = both(lambda lang: interval_text(difference, lang, unit=label.unit, signed=True))
    small = row.n < row.minimum_n
    shade = "none" if small or difference is None else shade_of(difference, higher_is_better=label.higher_is_better)
    return SegmentCell(value=value, rows=rows, difference=delta, shade=shade, small=small)


def shade_of(difference: Bounds, *, higher_is_better: bool | None) -> str:
    """Which way a difference points, and whether its interval excludes 0; ``none`` where no direction is better.

    Example:
        >>> shade_of(Bounds(estimate=-0.1, lower=-0.2, upper=-0.01, confidence=0.95, method="", n=9),
        ...          higher_is_better=True)
        'worse-certain'
    """
    if difference.estimate == 0 or higher_is_better is None:
        return "none"
    direction = "better" if (difference.estimate > 0) == higher_is_better else "worse"
    certain = excludes_zero(difference)
    return f"{direction}-certain" if certain else direction


def _finding(rows: Sequence[SegmentRow], cells: Cells) -> Sentence:
    """What the map shows: the worst cell by name where one is worse for certain, else how many cells say what."""
    shades = [cell.shade for cell in cells.values()]
    small = sum(cell.small for cell in cells.values())
    if all(row.difference is None for row in rows):
        return phrase("segments.finding_alone", cells=len(cells), small=small)
    counts = {"worse": shades.count("worse-certain"), "better": shades.count("better-certain"), "small": small}
    surest = max((row for row in rows if cells[row.segment, row.metric].shade == "worse-certain"), key=_surety,
                 default=None)  # fmt: skip
    if surest is None:
        return phrase("segments.finding_cells", **counts)
    difference = cells[surest.segment, surest.metric].difference
    title = metric_label(surest.metric).title
    return phrase("segments.finding_worst", metric=title, segment=surest.segment, difference=difference, **counts)


def _surety(row: SegmentRow) -> float:
    """How far the difference lies from 0, counted in the width of its interval, so that units do not matter."""
    difference = row.difference
    if difference is None or difference.lower is None or difference.upper is None:
        return 0.0
    width = difference.upper - difference.lower
    return abs(difference.estimate) / width if width > 0 else float("inf")


def _description(segments: int, metrics: int, cells: Cells) -> Sentence:
    told = [phrase("segments.alt_size", segments=segments, metrics=metrics)]
    for key, wanted in (("worse", "worse-certain"), ("better", "better-certain")):
        told += _told(key, [place for place, cell in cells.items() if cell.shade == wanted])
    told += _told("small", [place for place, cell in cells.items() if cell.small])
    return both(lambda lang: " ".join(part.in_language(lang) for part in told))


def _told(key: str, places: list[tuple[str, str]]) -> list[Sentence]:
    if not places:
        return []
    named = [(segment, metric_label(metric).title) for segment, metric in places[:CELLS_NAMED]]
    listed = both(lambda lang: "; ".join(f"{segment}, {title.in_language(lang)}" for segment, title in named))
    left = len(places) - len(named)
    if left:
        more = phrase("why.more", n=left)
        listed = both(lambda lang: f"{listed.in_language(lang)} {more.in_language(lang)}")
    return [phrase(f"segments.alt_{key}", cells=listed)]
