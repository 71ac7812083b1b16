"""Evidence sheets as people and programs want them: filtered, with what reviewers decided, in four formats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import replacing, write_text
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.app.sheet_index import Selected, SheetIndex, open_index
from beleg.core.errors import UsageError
from beleg.core.evidence import SheetHeader
from beleg.core.review import ClaimReview, ReviewEvent
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.evidence.review_fold import claim_reviews
from beleg.report.sheet_csv import csv_lines
from beleg.report.sheet_html import PageLinks, page_bounds, page_names, sheet_page
from beleg.report.sheet_json import json_parts, jsonl_lines
from beleg.report.sheet_markdown import filtered_sentence, markdown_parts, sheet_headline
from beleg.report.sheet_terminal import terminal_lines
from beleg.report.words import word

FORMATS = ("md", "html", "csv", "json", "jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """What a filter takes of a sheet; the cases are read when they are asked for, as often as they are."""

    index: SheetIndex
    wanted: SheetFilter
    reviews: Mapping[str, ClaimReview]
    selected: Sequence[Selected]

    @property
    def header(self) -> SheetHeader:
        """What all cases of the sheet share."""
        return self.index.header

    @property
    def claims(self) -> int:
        """How many claims are taken."""
        return sum(len(each.claims) for each in self.selected)

    def cases(self, start: int = 0, end: int | None = None) -> Iterator[ExportedCase]:
        """Some of the cases, or all, in order.

        Raises:
            EvidenceError: if a line is damaged.
        """
        return self.index.read(self.selected[start:end], self.wanted, self.reviews)


def read_reviews(run_id: str, path: Path) -> dict[str, ClaimReview]:
    """What people decided about the claims of a run, from a file of review events.

    Raises:
        UsageError: if there is no such file.
        DataError: naming every line that is no event.
        EvidenceError: if a stream has a gap.
    """
    return claim_reviews(run_id, build_all(ReviewEvent, read_rows(path), key="sequence"))


def sheet_view(run: Path, wanted: SheetFilter | None = None, *, reviews: Path | None = None) -> SheetView:
    """The cases and claims of a run's sheet that a filter takes.

    Args:
        run: the folder of the run.
        wanted: the filter; ``None`` takes everything.
        reviews: review events, exported from a ledger.

    Raises:
        UsageError: if no sheet was built, or the filter asks for what people decided and no reviews are given.
        EvidenceError: while reading, if a line is damaged or the cases are not those of the header.
    """
    asked = wanted or SheetFilter()
    if reviews is None and (asked.human or asked.reviewers):
        raise UsageError(
            "the filter asks for what people decided, and no reviews are given",
            hint="Give the file of review events with --reviews",
        )
    index = open_index(run)
    decided = {} if reviews is None else read_reviews(index.header.run_id, reviews)
    return SheetView(index=index, wanted=asked, reviews=decided, selected=index.select(asked, decided))


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """The first cases that a filter takes."""

    header: SheetHeader
    wanted: SheetFilter
    cases: tuple[ExportedCase, ...]
    limit: int
    has_more: bool

    def to_json(self) -> dict[str, Any]:
        """The form of the JSON export, and whether more cases fit."""
        made = json.loads("".join(json_parts(self.header, self.wanted, self.cases)))
        return {**made, "has_more": self.has_more}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSheet:
    """What was written, and where."""

    paths: tuple[Path, ...]
    cases: int
    claims: int

    def to_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {"cases": self.cases, "claims": self.claims, "files": [str(path) for path in self.paths]}


def shown_page(view: SheetView, *, limit: int) -> SheetPage:
    """The first cases of a view.

    Raises:
        EvidenceError: if a line is damaged.
    """
    return SheetPage(
        header=view.header,
        wanted=view.wanted,
        cases=tuple(view.cases(0, limit)),
        limit=limit,
        has_more=len(view.selected) > limit,
    )


def shown_lines(page: SheetPage, language: str) -> Iterator[str]:
    """A page for the command line: the answer first."""
    yield sheet_headline(page.header).in_language(language)
    if not page.wanted.is_empty:
        yield filtered_sentence(page.header, page.wanted).in_language(language)
    if not page.cases:
        yield word("sheet.none_found", language)
    for exported in page.cases:
        yield ""
        yield from terminal_lines(exported, language=language)
    if page.has_more:
        yield ""
        yield word("sheet.more_answers", language, n=2 * page.limit)


def export_sheet(view: SheetView, path: Path, *, kind: str, language: str = "en") -> WrittenSheet:
    """Writes what a filter takes of a sheet, at once or not at all.

    Args:
        view: what is written.
        path: the file.
        kind: one of `FORMATS`.
        language: the language of heads and verdicts, ``en`` or ``de``.

    Raises:
        UsageError: if the format is unknown or the file cannot be written.
    """
    paths = _write_pages(view, path, language) if kind == "html" else _write_parts(view, path, kind, language)
    return WrittenSheet(paths=paths, cases=len(view.selected), claims=view.claims)


def _write_parts(view: SheetView, path: Path, kind: str, language: str) -> tuple[Path, ...]:
    parts = sheet_parts(view, kind, language)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
    return (path,)


def sheet_parts(view: SheetView, kind: str, language: str) -> Iterator[str]:
    """What a filter takes of a sheet as text, piece by piece.

    Args:
        view: what is written.
        kind: ``md``, ``csv``, ``json`` or ``jsonl``.
        language: the language of heads and verdicts, ``en`` or ``de``.

    Raises:
        UsageError: if there is no such format.
        EvidenceError: while reading, if a line is damaged.
    """
    if kind == "md":
        return markdown_parts(view.header, view.wanted, view.cases(), language=language)
    if kind == "csv":
        return csv_lines(view.cases(), language=language)
    if kind == "json":
        return json_parts(view.header, view.wanted, view.cases())
    if kind == "jsonl":
        return jsonl_lines(view.cases())
    raise UsageError(f"there is no format {kind!r}", hint=f"There are: {', '.join(FORMATS)}")


def _write_pages(view: SheetView, path: Path, language: str) -> tuple[Path, ...]:
    """Long sheets become several files side by side, each whole in itself; the first one is written last."""
    bounds = page_bounds([len(each.claims) for each in view.selected])
    names = page_names(path.stem, path.suffix, len(bounds))
    paths = tuple(path.with_name(name) for name in names)
    for place in reversed(range(len(bounds))):
        cases = list(view.cases(*bounds[place]))
        links = PageLinks(number=place + 1, total=len(bounds), names=names)
        write_text(paths[place], sheet_page(view.header, view.wanted, cases, links, language=language))
    return paths
