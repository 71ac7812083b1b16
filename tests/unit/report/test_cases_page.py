from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from beleg.core.run_comparison import Aspect, Likeness
from beleg.report.cases_page import cases_page
from support.comparisons import compared_case, compared_claim, comparison, hostile


class Tags(HTMLParser):
    """Every element and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


SOME = comparison(
    compared_case("a"),
    compared_case("b", only={Aspect.ANSWER: Likeness.CHANGED}, claims=(compared_claim("Returns are free."),)),
)


def test_the_page_says_both_languages_and_opens_in_one() -> None:
    page = cases_page(SOME, language="de")
    assert '<html lang="de">' in page
    assert "answer changed in 1" in page
    assert "Antwort geändert in 1" in page
    assert "Returns are free." in page


def test_the_page_asks_nothing_of_any_network_and_runs_no_script() -> None:
    page = cases_page(SOME)
    tags = parsed(page)
    assert not tags.tags & {"script", "img", "iframe", "link", "object"}
    assert not [name for name, _ in tags.attributes if name.startswith("on") or name in ("src", "srcset")]
    assert re.search(r"script-src &#39;none&#39;|script-src 'none'", page)


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_of_a_stranger_does_anything(language: str) -> None:
    page = cases_page(hostile(), language=language)
    tags = parsed(page)
    assert not tags.tags & {"script", "img"}
    assert not [name for name, _ in tags.attributes if name.startswith("on")]
    for unseen in ("\u202e", "\x1b", "\u200b"):
        assert unseen not in page


def test_nothing_that_differs_is_said_where_all_is_the_same() -> None:
    page = cases_page(comparison(compared_case("a")))
    assert "All 1 cases are the same" in page
