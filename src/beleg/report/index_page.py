"""The page of an index sweep as one HTML file that asks nothing of any network and runs no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from beleg.core.decision import Sentence
from beleg.core.wording import LANGUAGES
from beleg.report.chart import is_available
from beleg.report.index_chart import Curve, themed_curve
from beleg.report.pages import asset, content_security_policy, environment


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    """One line of a table: what was measured, how it stands, and its figures."""

    kind: str
    settings: str
    state: Sentence
    cells: Sequence[Sentence]
    shape: str = ""
    taken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """Everything that the page shows."""

    answer: Sentence
    reached: bool
    facts: Sequence[tuple[Sentence, Sentence]]
    warnings: Sequence[Sentence]
    finding: Sentence
    curve: Curve
    rows: Sequence[IndexRow]
    filtered: Sequence[IndexRow]
    notes: Sequence[Sentence]
    kind_notes: Sequence[str]


def index_page(page: IndexPage, *, language: str = "en") -> str:
    """The whole page, in both languages, light and dark; without the extra ``report`` it has no drawing.

    Args:
        page: what it shows.
        language: the language it opens in.

    Returns:
        HTML that works from a file.
    """
    drawings = {lang: Markup(themed_curve(page.curve, lang)) for lang in LANGUAGES} if is_available() else {}  # noqa: S704 - drawn here
    style = asset("page.css")
    return (
        environment()
        .get_template("ann.html")
        .render(
            page=page,
            language=language,
            drawings=drawings,
            style=Markup(style),  # noqa: S704 - our own package file
            policy=content_security_policy(style, None),
        )
    )
