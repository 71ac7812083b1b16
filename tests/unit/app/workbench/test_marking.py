from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.app.workbench.marking import Part, cited, marked

TEXT = st.text("ab [1] 5€\n", max_size=60)


@given(TEXT, st.lists(TEXT, max_size=3))
def test_no_character_is_lost_or_added(text: str, quotes: list[str]) -> None:
    assert "".join(part.text for part in marked(text, quotes)) == text
    assert "".join(part.text for part in cited(text, {"1": "x", "a": ""}, quotes)) == text


def test_quotes_that_overlap_are_one_mark() -> None:
    parts = marked("one two three four", ["one two", "two three"])
    assert [part.text for part in parts if part.is_quoted] == ["one two three"]


def test_a_long_stretch_says_how_much_is_left_out_and_keeps_the_quote() -> None:
    parts = marked("x" * 500 + " the words " + "y" * 500, ["the words"], limit=100)
    assert [part.text for part in parts if part.is_quoted] == ["the words"]
    assert sum(len(part.text) + part.left_out for part in parts) == 1_011
    assert [part.left_out for part in parts if part.left_out] == [401, 401]


def test_a_citation_leads_to_its_passage_or_nowhere() -> None:
    parts = cited("Free [1], late [2], (3).", {"1": "passage-1", "[2]": "", "(3)": "passage-3"})
    assert [part for part in parts if part.target is not None] == [
        Part("[1]", target="passage-1"), Part("[2]", target=""), Part("(3)", target="passage-3"),
    ]  # fmt: skip
