"""The pull request comment: complete, small, and inert."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

from beleg.core.decision import Sentence
from beleg.report.markdown import MAX_CHARACTERS, markdown_report
from support.report_data import HOSTILE, build_report

DECISION = build_report().decision
GITHUB = MarkdownIt("commonmark", {"html": True}).enable("table")


def rendered(text: str) -> BeautifulSoup:
    return BeautifulSoup(GITHUB.render(text), "html.parser")


def test_the_first_line_is_the_answer() -> None:
    first = markdown_report(DECISION).splitlines()[0]
    assert first.startswith("## ■ BLOCK: the locale filter hides the right document in 9 of 60 German cases")


@pytest.mark.parametrize(("language", "words"), [("en", "Where evidence is lost"), ("de", "Wo Belege verloren gehen")])
def test_it_renders_as_headings_lists_and_tables_only(language: str, words: str) -> None:
    tree = rendered(markdown_report(DECISION, language=language))
    assert words in tree.get_text()
    assert {tag.name for tag in tree.find_all(True)} == {
        *("h2", "h3", "p", "ol", "ul", "li", "strong", "code"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert {len(row.find_all(["td", "th"])) for row in tree.find_all("table")[0].find_all("tr")} == {6}
    assert len(tree.find_all("table")[1].find_all("tr")) == 11


@pytest.mark.parametrize("payload", HOSTILE)
def test_hostile_names_and_sentences_add_no_element(payload: str) -> None:
    said = Sentence(en=payload, de=payload)
    checks = tuple(c.model_copy(update={"reason": said, "segment": "a|b`<i>@x"}) for c in DECISION.checks)
    hostile = DECISION.model_copy(update={"headline": said, "checks": checks})
    tree = rendered(markdown_report(hostile))
    plain = rendered(markdown_report(DECISION))
    assert {tag.name for tag in tree.find_all(True)} == {tag.name for tag in plain.find_all(True)}
    assert {len(row.find_all("td")) for row in tree.find_all("table")[0].select("tbody tr")} == {6}
    assert not [tag for tag in tree.find_all(True) if tag.attrs]


def test_it_stays_within_what_github_takes() -> None:
    long = Sentence(en="x@y " * 2_000, de="x@y " * 2_000)
    many = tuple(
        check.model_copy(update={"reason": long, "segment": "s" * 500}) for _ in range(100) for check in DECISION.checks
    )
    text = markdown_report(DECISION.model_copy(update={"checks": many, "headline": long}))
    assert len(text) < MAX_CHARACTERS
    assert "640 more rows are in the full report." in text


def test_missing_parts_are_left_out() -> None:
    bare = DECISION.model_copy(
        update={"checks": (), "candidate": DECISION.candidate.model_copy(update={"waterfall": ()}), "baseline": None}
    )
    text = markdown_report(bare)
    assert "so nothing can pass" in text
    assert "|" not in text


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ("What decides", "Look at first", "Not measured")),
        ("de", ("Was entscheidet", "Zuerst ansehen", "Nicht gemessen")),
    ],
)
def test_the_three_things_to_know_first_stand_right_below_the_answer(language: str, labels: tuple[str, ...]) -> None:
    tree = rendered(markdown_report(DECISION, language=language))
    assert tree.h2 is not None
    following = tree.h2.find_next_sibling()
    assert following is not None
    assert following.name == "ol"
    assert [item.strong.get_text() for item in following.find_all("li") if item.strong] == [f"{it}:" for it in labels]
