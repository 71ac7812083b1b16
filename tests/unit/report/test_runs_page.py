"""The page of a comparison: one file, no script, hostile ids as text, both languages."""

from __future__ import annotations

import base64
import hashlib

import pytest
from bs4 import BeautifulSoup

from beleg.metrics.ranking_runs.comparison import RunComparison
from beleg.report.runs_page import RunsPage, runs_page
from support.report_data import HOSTILE, HOSTILE_ID
from support.run_data import compared

COUNTS = {"queries": 60, "missing": 2, "without_relevant": 0, "extra": 7}


def page(found: RunComparison, names: tuple[str, ...] = ("old", "new"), language: str = "en") -> BeautifulSoup:
    shown = RunsPage(compared=found, names=names, counts=tuple(COUNTS for _ in names), seed=5, version="0.0.1", top=3)
    return BeautifulSoup(runs_page(shown, language=language), "html.parser")


def text_of(tree: BeautifulSoup) -> str:
    return " ".join(tree.get_text(" ").split())


def test_the_first_heading_is_the_answer() -> None:
    tree = page(compared(0.08))
    assert tree.h1 is not None
    assert "▲ new is better than old in AP" in " ".join(tree.h1.get_text(" ").split())


def test_every_figure_stands_in_a_real_table() -> None:
    tree = page(compared(0.08, 0.0, measures="AP RR"), ("old", "new", "same"))
    rows = tree.select("table.compared tbody tr")
    assert len(rows) == 4
    assert all(len(row.find_all(["td", "th"])) == len(tree.select("table.compared thead th")) for row in rows)
    assert len(tree.select("article svg[role=img]")) == 2
    assert "No query differs." in text_of(tree)
    assert "60 queries, independent" in text_of(tree)


def test_the_page_runs_no_script_and_asks_for_nothing() -> None:
    tree = page(compared(0.08))
    meta = tree.find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert meta is not None
    policy = dict(part.strip().split(" ", 1) for part in str(meta["content"]).split(";"))
    assert policy["default-src"] == policy["script-src"] == "'none'"
    digest = base64.b64encode(hashlib.sha256(str(tree.style.string).encode()).digest()).decode()  # type: ignore[union-attr]
    assert policy["style-src"] == f"'sha256-{digest}'"
    for tag in tree.find_all(True):
        assert tag.name not in {"script", "img", "link", "iframe", "object", "embed", "base", "form"}
        assert not [name for name in tag.attrs if name.startswith("on") or name in ("src", "style")]
        assert str(tag.get("href", "#")).startswith("#")


def test_every_link_leads_somewhere_and_no_id_stands_twice() -> None:
    tree = page(compared(0.08, -0.08, measures="AP RR"), ("old", "new", "bad"))
    ids = [str(tag["id"]) for tag in tree.find_all(id=True)]
    assert len(ids) == len(set(ids))
    assert {str(link["href"])[1:] for link in tree.find_all("a")} <= set(ids)
    assert {str(tag["aria-labelledby"]) for tag in tree.find_all(attrs={"aria-labelledby": True})} <= set(ids)


def test_hostile_names_and_queries_stay_text() -> None:
    queries = (*HOSTILE, HOSTILE_ID, *(f"q{i}" for i in range(49)))
    tree = page(compared(0.02, n=60, queries=queries), (HOSTILE[0], HOSTILE[7]))
    shown = tree.get_text()
    assert "<script>window.__x=1</script>" in shown
    assert "⟦U+202E⟧" in shown
    assert "\u202e" not in str(tree)
    assert "\x1b" not in str(tree)
    assert not tree.find_all(["script", "img"])


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_opens_in_the_language_asked_for(language: str) -> None:
    tree = page(compared(0.08), language=language)
    assert tree.html is not None
    assert tree.html["lang"] == language
    assert tree.find(id=f"lang-{language}").has_attr("checked")  # type: ignore[union-attr]
    assert "Wie verglichen wurde" in text_of(tree)


def test_a_thinned_drawing_and_undrawn_comparisons_are_said() -> None:
    assert "400 of 900 queries are drawn" in text_of(page(compared(0.02, n=900)))
    many = page(compared(*[0.01] * 26, n=12), tuple(f"r{i}" for i in range(27)))
    assert "Only the first 24 comparisons are drawn" in text_of(many)
