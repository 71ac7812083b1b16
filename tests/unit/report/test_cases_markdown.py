from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from beleg.core.run_comparison import Aspect, Likeness
from beleg.report.cases_markdown import MAX_CASES, MAX_CLAIMS, cases_markdown
from support.comparisons import compared_case, compared_claim, comparison, hostile


def test_the_answer_comes_first_then_counts_then_cases() -> None:
    text = cases_markdown(comparison(compared_case("a"), compared_case("b", only={Aspect.ANSWER: Likeness.CHANGED})))
    lines = text.splitlines()
    assert lines[0] == "## 1 of 2 cases are not the same in both runs: answer changed in 1"
    assert "| answer | 1 | 1 | 0 |" in lines
    assert "### `b`" in lines
    assert "- ◆ answer changed: en b" in lines
    assert "Cases that are the same in everything: a" in text
    assert "does not say what caused it" in text


def test_german_is_spoken() -> None:
    text = cases_markdown(comparison(compared_case("a")), language="de")
    assert text.startswith("## Alle 1 Fälle sind in beiden Läufen gleich")
    assert "| Quell-Snapshot | 1 | 0 | 0 |" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_of_a_stranger_does_anything(language: str) -> None:
    text = cases_markdown(hostile(), language=language)
    shown = MarkdownIt("commonmark").render(text)
    assert "<img" not in shown
    assert "<a " not in shown
    assert "&lt;img src=x" in shown
    for unseen in ("\u202e", "\x1b"):
        assert unseen not in text


def test_very_many_cases_and_claims_are_counted() -> None:
    claims = tuple(compared_claim(f"claim {i}") for i in range(MAX_CLAIMS + 2))
    text = cases_markdown(comparison(*(compared_case(f"c{i}", claims=claims[:1]) for i in range(MAX_CASES + 4))))
    assert text.count("### ") == MAX_CASES
    assert "\n4 more\n" in text
    assert "- 2 more" in cases_markdown(comparison(compared_case("a", claims=claims)))
