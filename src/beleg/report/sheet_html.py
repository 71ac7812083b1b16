"""An evidence sheet as HTML files that ask nothing of any network and run no script (E2, E3, E10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from beleg.core.decision import Sentence
from beleg.core.evidence import EvidencePassage, ExpectedEvidence, SheetHeader
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.report.figures import both
from beleg.report.pages import asset, content_security_policy, environment
from beleg.report.sheet_markdown import filtered_sentence, sheet_headline
from beleg.report.sheet_view import CaseView, case_view
from beleg.report.sheet_words import counted, honest_failure_word
from beleg.report.words import phrase
from beleg.text.numbers import number

PAGE_CLAIMS = 200
"""A page ends with the case that brings it to so many claims or cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """Where a page stands among those of its sheet."""

    number: int
    total: int
    names: Sequence[str]
    """The file names of all pages."""

    @property
    def previous(self) -> str | None:
        """The page before."""
        return self.names[self.number - 2] if self.number > 1 else None

    @property
    def following(self) -> str | None:
        """The page after."""
        return self.names[self.number] if self.number < self.total else None


def page_bounds(claims: Sequence[int], *, size: int = PAGE_CLAIMS) -> list[tuple[int, int]]:
    """From which case to before which each page goes; a case is never cut, and there is always one page.

    Args:
        claims: how many claims each case shows.
        size: a page ends with the case that brings it to so many claims; a case without claims counts as one.

    Example:
        >>> page_bounds([2, 2, 0, 5], size=4)
        [(0, 2), (2, 4)]
    """
    bounds, start, weight = [], 0, 0
    for place, number_of_claims in enumerate(claims, start=1):
        weight += max(1, number_of_claims)
        if weight >= size:
            bounds.append((start, place))
            start, weight = place, 0
    if start < len(claims) or not bounds:
        bounds.append((start, len(claims)))
    return bounds


def sheet_page(
    header: SheetHeader, wanted: SheetFilter, cases: Sequence[ExportedCase], links: PageLinks, *, language: str = "en"
) -> str:
    """One page of a sheet, whole in itself: one case per section, one claim per row.

    Args:
        header: what all cases share.
        wanted: what was asked for.
        cases: the cases of this page.
        links: the other pages.
        language: the language it opens in; the page holds both.
    """
    style = asset("page.css") + "\n" + asset("sheet.css")
    return (
        environment()
        .get_template("sheet.html")
        .render(
            language=language,
            style=Markup(style),  # noqa: S704 - our own package file
            policy=content_security_policy(style, None),
            header=header,
            headline=sheet_headline(header),
            filtered=None if wanted.is_empty else filtered_sentence(header, wanted),
            facts=_facts(header),
            views=[case_view(each) for each in cases],
            links=links,
            paging=_paging(links),
            honest=honest_failure_word,
            left_out=_left_out,
            delivered=_delivered,
            returned=_returned,
        )
    )


def page_names(stem: str, suffix: str, total: int) -> list[str]:
    """The file names of the pages of one sheet.

    Example:
        >>> page_names("sheet", ".html", 2)
        ['sheet.html', 'sheet-2.html']
    """
    return [f"{stem}{suffix}" if place == 1 else f"{stem}-{place}{suffix}" for place in range(1, total + 1)]


def _facts(header: SheetHeader) -> list[tuple[Sentence, Sentence]]:
    told: list[tuple[str, str]] = [
        ("run", header.run_id),
        ("suite", f"{header.suite_name} {header.suite_version}"),
        ("manifest", f"{header.manifest.name} {header.manifest_digest}"),
        ("built", f"{header.created_at:%Y-%m-%d %H:%M %Z}".strip()),
    ]
    if header.cases_digest is not None:
        told.append(("cases_digest", header.cases_digest))
    return [(phrase(f"sheet.{key}"), Sentence(en=text, de=text)) for key, text in told]


def _paging(links: PageLinks) -> Sentence:
    return phrase("sheet.page_of", page=_grouped(links.number), pages=_grouped(links.total))


def _grouped(value: int) -> Sentence:
    return both(lambda lang: number(value, lang, decimals=0))


def _left_out(view: CaseView) -> Sentence:
    return counted("left_out", view.left_out)


def _delivered(passage: EvidencePassage) -> Sentence:
    words = {True: "sheet.delivered_yes", False: "sheet.delivered_no", None: "sheet.delivered_unknown"}
    return phrase(words[passage.delivered])


def _returned(piece: ExpectedEvidence) -> Sentence:
    if piece.returned is None:
        return phrase("sheet.returned_unknown")
    return phrase("sheet.returned_yes", rank=piece.returned_rank) if piece.returned else phrase("sheet.returned_no")
