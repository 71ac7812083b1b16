"""Hostile text is shown, never obeyed."""

from __future__ import annotations

import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from beleg.report.safe import json_for_script, markdown_code, markdown_text, one_line, typeset, visible
from support.report_data import HOSTILE

GITHUB = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "⟦U+001B⟧[31mred"),
        ("a\u202eb", "a⟦U+202E⟧b"),
        ("zero\u200bwidth", "zero⟦U+200B⟧width"),
        ("tag\U000e0041", "tag⟦U+E0041⟧"),
        ("line\r\nfeed\tkept", "line\nfeed\tkept"),
        ("\x9b31m", "⟦U+009B⟧31m"),
    ],
)
def test_a_character_that_cannot_be_seen_is_named(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_joiners_that_scripts_and_emoji_need_stay() -> None:
    assert visible("👩‍🔬 می‌خواهم") == "👩‍🔬 می‌خواهم"


def test_a_line_is_one_line_and_cut_with_an_ellipsis() -> None:
    assert one_line("a\n b\t c") == "a b c"
    assert one_line("abcdef", limit=4) == "abc…"


def test_a_number_stays_beside_its_unit() -> None:
    assert typeset("15 % of 3 ms, 4 msec") == "15\u00a0% of 3\u00a0ms, 4 msec"


@given(st.text())
def test_script_json_reads_back_and_cannot_leave_its_element(text: str) -> None:
    written = json_for_script({"k": text})
    assert json.loads(written) == {"k": text}
    assert not set(written) & set("<>&\u2028\u2029")


@pytest.mark.parametrize(
    "text", [*HOSTILE, "![x](http://e/x.png)", "<http://e.example>", "    code", "a\n# b", "~~~\nx"]
)
def test_markdown_text_renders_as_the_same_plain_text(text: str) -> None:
    tree = BeautifulSoup(GITHUB.render(f"Reason: {markdown_text(text)}"), "html.parser")
    assert [tag.name for tag in tree.find_all(True)] == ["p"]
    assert tree.get_text().strip().replace("\u200b", "") == f"Reason: {one_line(text)}"


@pytest.mark.parametrize(
    "active", ["@octocat", "hi @octo-cat", "a@b.example", "#12", "GH-12", "https://e.example", "www.e.example"]
)
def test_what_github_links_by_itself_is_broken_up(active: str) -> None:
    assert "\u200b" in markdown_text(active)
    assert active not in markdown_text(active).replace("\\", "")


def test_a_metric_with_a_cutoff_mentions_nobody_and_stays_readable() -> None:
    assert markdown_text("ndcg@10 fell") == "ndcg@10 fell"


@pytest.mark.parametrize("text", [*HOSTILE, "`", "``a", "a`", "a|b", "\\"])
def test_a_code_span_holds_the_text_whatever_its_backticks(text: str) -> None:
    tree = BeautifulSoup(
        GITHUB.render(f"| a | b |\n| --- | --- |\n| {markdown_code(text, in_table=True)} | z |"), "html.parser"
    )
    assert [cell.get_text() for cell in tree.select("tbody td")] == [one_line(text), "z"]
    assert len(tree.select("tbody td")[0].find_all(True)) == 1
