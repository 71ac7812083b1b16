"""A comparison of runs case by case as one HTML file that asks nothing of any network and runs no script."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from beleg.core.run_comparison import Likeness, RunComparison
from beleg.evidence.comparison_words import FOOTNOTE
from beleg.report.cases_compared import (
    SHAPES,
    aspect_counts,
    case_blocks,
    comparison_headline,
    likeness_word,
    listed_cases,
    origin,
    same_cases,
    shared_lines,
)
from beleg.report.pages import asset, content_security_policy, environment

MAX_CASES = 2_000


def cases_page(comparison: RunComparison, *, language: str = "en") -> str:
    """The comparison as one HTML page.

    Args:
        comparison: what was compared.
        language: the language it opens in, ``en`` or ``de``; the page can switch.

    Returns:
        The page. It works from a file, without a network and without scripts.
    """
    style = f"{asset('page.css')}\n{asset('compare.css')}"
    return (
        environment()
        .get_template("cases.html")
        .render(
            language=language,
            style=Markup(style),  # noqa: S704 - our own package files
            policy=content_security_policy(style, None),
            **_values(comparison),
        )
    )


def cases_body(comparison: RunComparison) -> str:
    """What stands on that page, in both languages, for a page that shows one of them: HTML in which all is escaped."""
    return environment().get_template("cases_body.html").render(**_values(comparison))


def _values(comparison: RunComparison) -> dict[str, Any]:
    blocks = case_blocks(comparison)
    lists = (
        same_cases(comparison),
        listed_cases("cases.cases_only_old", comparison.only_old),
        listed_cases("cases.cases_only_new", comparison.only_new),
    )
    return {
        "comparison": comparison,
        "headline": comparison_headline(comparison),
        "origin": origin(comparison),
        "counts": aspect_counts(comparison),
        "likenesses": [(each, likeness_word(each)) for each in Likeness],
        "word_of": likeness_word,
        "shapes": SHAPES,
        "shared": shared_lines(comparison),
        "blocks": blocks[:MAX_CASES],
        "more": max(0, len(blocks) - MAX_CASES),
        "lists": [each for each in lists if each is not None],
        "footnote": FOOTNOTE,
    }
