"""Evidence sheets as people and programs want them: filtered, with what reviewers decided, in four formats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from beleg.adapters.formats.atomic import replacing
from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.app.sheets import read_sheet
from beleg.core.errors import UsageError
from beleg.core.evidence import SheetHeader
from beleg.core.review import ClaimReview, ReviewEvent
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.evidence.review_fold import claim_reviews
from beleg.evidence.sheet_filter import taken
from beleg.report.sheet_csv import csv_lines
from beleg.report.sheet_json import json_parts, jsonl_lines
from beleg.report.sheet_markdown import filtered_sentence, markdown_parts, sheet_headline
from beleg.report.sheet_terminal import terminal_lines
from beleg.report.words import word
from beleg.run.folder import RunFolder

FORMATS = ("md", "html", "csv", "json", "jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetView:
    """What a filter takes of a sheet."""

    header: SheetHeader
    wanted: SheetFilter
    cases: Iterator[ExportedCase]


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
    header, cases = read_sheet(run)
    decided: Mapping[str, ClaimReview] = {} if reviews is None else read_reviews(header.run_id, reviews)
    segments = _segments(run) if asked.segments else {}
    shown = (
        taken(case, asked, decided, run_id=header.run_id, segments=segments.get(case.case_id, ())) for case in cases
    )
    return SheetView(header=header, wanted=asked, cases=(each for each in shown if each is not None))


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


@dataclass(slots=True)
class WrittenSheet:
    """What was written, and where."""

    paths: list[Path] = field(default_factory=list)
    cases: int = 0
    claims: int = 0

    def counting(self, cases: Iterator[ExportedCase]) -> Iterator[ExportedCase]:
        """The same cases, counted as they go by."""
        for each in cases:
            self.cases += 1
            self.claims += len(each.case.claims)
            yield each

    def to_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {"cases": self.cases, "claims": self.claims, "files": [str(path) for path in self.paths]}


def shown_page(view: SheetView, *, limit: int) -> SheetPage:
    """The first cases of a view.

    Raises:
        EvidenceError: if a line is damaged.
    """
    found = tuple(islice(view.cases, limit + 1))
    return SheetPage(
        header=view.header, wanted=view.wanted, cases=found[:limit], limit=limit, has_more=len(found) > limit
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
    written = WrittenSheet()
    parts = _parts(replace(view, cases=written.counting(view.cases)), kind, language)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
    written.paths.append(path)
    return written


def _parts(view: SheetView, kind: str, language: str) -> Iterator[str]:
    if kind == "md":
        return markdown_parts(view.header, view.wanted, view.cases, language=language)
    if kind == "csv":
        return csv_lines(view.cases, language=language)
    if kind == "json":
        return json_parts(view.header, view.wanted, view.cases)
    if kind == "jsonl":
        return jsonl_lines(view.cases)
    raise UsageError(f"there is no format {kind!r}", hint=f"There are: {', '.join(FORMATS)}")


def _segments(run: Path) -> dict[str, tuple[str, ...]]:
    cases = RunFolder(run).suite().cases
    return {case.case_id: tuple(f"{key}={value}" for key, value in case.segment_labels().items()) for case in cases}
