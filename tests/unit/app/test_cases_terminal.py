from __future__ import annotations

import pytest

from beleg.app.cases_terminal import MAX_CASES, MAX_CLAIMS, answer_of, case_lines, count_table
from beleg.core.errors import UsageError
from beleg.core.run_comparison import Aspect, Likeness
from support.comparisons import compared_case, compared_claim, comparison, hostile

CHANGED = {Aspect.ANSWER: Likeness.CHANGED}


def test_the_counts_stand_in_a_table() -> None:
    head, rows = count_table(comparison(compared_case("a", only=CHANGED)), "de")
    assert head == ["Dimension", "gleich", "geändert", "nicht vergleichbar"]
    assert ["Antwort", "0", "1", "0"] in rows


def test_of_many_cases_the_first_are_told_unless_one_is_asked_for() -> None:
    many = comparison(*(compared_case(f"c{i}", only=CHANGED) for i in range(MAX_CASES + 5)))
    lines = list(case_lines(many, "en"))
    assert f"c{MAX_CASES - 1}" in lines
    assert f"c{MAX_CASES}" not in lines
    assert "5 more" in lines
    asked = list(case_lines(many, "en", only=[f"c{MAX_CASES + 1}"]))
    assert asked[:2] == [f"c{MAX_CASES + 1}", f"  ◆ answer changed: en c{MAX_CASES + 1}"]


def test_a_case_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="share no case 'z'"):
        list(case_lines(comparison(compared_case("a")), "en", only=["z"]))


def test_many_claims_are_counted() -> None:
    claims = tuple(compared_claim(f"claim {i}") for i in range(MAX_CLAIMS + 1))
    assert "  1 weitere" in list(case_lines(comparison(compared_case("a", claims=claims)), "de"))


def test_no_text_can_drive_the_terminal_or_break_a_line() -> None:
    lines = [answer_of(hostile(), "en"), *case_lines(hostile(), "en")]
    assert not any(unseen in line for line in lines for unseen in ("\x1b", "\u202e", "\n", "\u200b"))
