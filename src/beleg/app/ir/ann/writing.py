"""Writes a sweep as an HTML page and as a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from beleg.adapters.formats.atomic import write_bytes, write_text
from beleg.adapters.indexes.catalogue import kind_named
from beleg.app.drawings import require_plot
from beleg.app.ir.ann.figures import PointFigures, SearchFigures, SweepFigures
from beleg.app.ir.ann.words import answer, bucket_name, filter_warnings, milliseconds, notes, recall_text, size
from beleg.core.decision import Sentence
from beleg.report.figures import both
from beleg.report.index_chart import Curve, CurvePoint, curve_png, curve_svg
from beleg.report.index_page import IndexPage, IndexRow, index_page
from beleg.report.words import phrase
from beleg.text.numbers import number

HEADS = ("bound", "by_id", "low", "p50", "p95", "p99", "rate", "build", "memory")
SHOWN = ("low", "p50", "p95", "p99", "build", "memory")
NARROW = ("p95",)
"""Which figures a terminal has room for; the page and ``--json`` have all."""
FILTERED_HEADS = ("queries", "low", "p50", "p95", "missing")


def write_page(found: SweepFigures, path: Path, *, language: str = "en") -> None:
    """Writes the page; without the extra ``report`` it has tables and no drawing."""
    write_text(path, index_page(page_of(found), language=language))


def write_plot(found: SweepFigures, path: Path, *, language: str = "en") -> None:
    """Writes the Pareto curve as ``.svg`` or ``.png``.

    Raises:
        UsageError: if the file is neither.
        MissingExtra: if the extra ``report`` is not installed.
    """
    require_plot(path)
    if path.suffix.lower() == ".svg":
        write_text(path, curve_svg(curve_of(found), language))
    else:
        write_bytes(path, curve_png(curve_of(found), language))


def curve_of(found: SweepFigures) -> Curve:
    """The points as they are drawn."""
    points = [
        CurvePoint(
            kind=each.point.kind, latency_ms=max(each.figures.p95.estimate, 1e-4), recall=each.figures.recall.estimate,
            lower=each.figures.recall.lower, upper=each.figures.recall.upper, on_front=each.on_front,
            taken=each is found.taken, label=each.point.settings or each.point.kind,
        )
        for each in found.points
    ]  # fmt: skip
    return Curve(k=found.swept.setting.k, floor=found.floor, points=points)


def page_of(found: SweepFigures) -> IndexPage:
    """Everything that the page shows."""
    above = sum(each.bound > found.floor for each in found.points)
    front = sum(each.on_front for each in found.points)
    kinds = list(dict.fromkeys(each.point.kind for each in found.points))
    by_latency = sorted(found.points, key=lambda each: each.figures.p95.estimate)
    return IndexPage(
        answer=answer(found),
        reached=found.taken is not None,
        facts=_facts(found),
        warnings=filter_warnings(found),
        finding=phrase("ann.curve_finding", front=front, points=len(found.points), above=above),
        curve=curve_of(found),
        rows=[_row(found, each) for each in by_latency],
        filtered=[row for each in found.points for row in _filtered_rows(each)],
        notes=notes(found),
        kind_notes=[f"{name}: {note}" for name in kinds if (note := kind_named(name).note)],
    )


def _facts(found: SweepFigures) -> list[tuple[Sentence, Sentence]]:
    setting, exact_s = found.swept.setting, found.swept.exact_s
    exact = (
        phrase("ann.kept")
        if exact_s is None
        else phrase("ann.seconds", n=both(lambda lang: number(exact_s, lang, decimals=1)))
    )
    rows = both(lambda lang: number(setting.rows, lang, decimals=0))
    return [
        (phrase("ann.corpus"), phrase("ann.vectors", rows=rows, width=setting.width)),
        (phrase("ann.queries"), both(lambda lang: number(setting.query_count, lang, decimals=0))),
        (phrase("ann.similarity"), _same(setting.similarity)),
        (phrase("ann.exact"), exact),
        (phrase("ann.threads"), _same(str(setting.threads))),
        (phrase("ann.machine"), _same(setting.machine)),
    ]


def _row(found: SweepFigures, each: PointFigures) -> IndexRow:
    figures, point = each.figures, each.point
    memory = point.memory
    taken = each is found.taken
    return IndexRow(
        kind=point.kind,
        settings=point.settings,
        state=phrase("ann.taken" if taken else "ann.front" if each.on_front else "ann.beaten"),
        shape="●" if taken else "◐" if each.on_front else "○",
        taken=taken,
        cells=[
            both(lambda lang: recall_text(figures, lang)),
            both(lambda lang: number(each.bound, lang, decimals=3)),
            both(lambda lang: number(figures.recall_by_id, lang, decimals=3)),
            both(lambda lang: number(figures.low_recall, lang, decimals=2)),
            both(lambda lang: milliseconds(figures.p50.estimate, lang)),
            both(lambda lang: milliseconds(figures.p95.estimate, lang)),
            both(lambda lang: milliseconds(figures.p99.estimate, lang)),
            both(lambda lang: number(point.queries_per_s, lang, decimals=0)),
            both(lambda lang: number(point.build_s, lang, decimals=1)),
            phrase("ann.unknown") if memory is None else both(lambda lang: size(memory.bytes, lang)),
        ],
    )


def _filtered_rows(each: PointFigures) -> list[IndexRow]:
    return [_filtered_row(each, end, figures) for end, figures in each.filtered.items()]


def _filtered_row(each: PointFigures, end: float, figures: SearchFigures) -> IndexRow:
    return IndexRow(
        kind=each.point.kind,
        settings=each.point.settings,
        state=bucket_name(end),
        cells=[
            both(lambda lang: recall_text(figures, lang)),
            both(lambda lang: number(figures.recall.n, lang, decimals=0)),
            both(lambda lang: number(figures.low_recall, lang, decimals=2)),
            both(lambda lang: milliseconds(figures.p50.estimate, lang)),
            both(lambda lang: milliseconds(figures.p95.estimate, lang)),
            both(lambda lang: number(figures.missing, lang, decimals=0)),
        ],
    )


def _same(text: str) -> Sentence:
    return Sentence(en=text, de=text)


def points_table(found: SweepFigures, language: str, *, narrow: bool = False) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the points, for a terminal: the quickest first; a narrow one gets fewer figures."""
    shown = [HEADS.index(name) for name in (NARROW if narrow else SHOWN)]
    rows = page_of(found).rows
    names = ("index", "state", "recall", *(HEADS[at] for at in shown))
    kept = [replace(row, cells=[row.cells[0], *(row.cells[1 + at] for at in shown)]) for row in rows]
    return _in_language(names, kept, found.swept.setting.k, language)


def filtered_table(found: SweepFigures, language: str, *, narrow: bool = False) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the filtered queries, for a terminal; a narrow one gets fewer figures."""
    rows = page_of(found).filtered
    names = ("index", "admits", "recall", *(() if narrow else FILTERED_HEADS))
    kept = [replace(row, cells=row.cells[:1]) for row in rows] if narrow else rows
    return _in_language(names, kept, found.swept.setting.k, language)


def _in_language(
    names: Sequence[str], rows: Sequence[IndexRow], k: int, language: str
) -> tuple[list[str], list[list[str]]]:
    head = [phrase(f"ann.{name}", k=k).in_language(language) for name in names]
    return head, [
        [
            f"{row.kind} {row.settings}".strip(),
            f"{row.shape} {row.state.in_language(language)}".strip(),
            *(cell.in_language(language) for cell in row.cells),
        ]
        for row in rows
    ]
