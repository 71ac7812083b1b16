from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.text.containment import RUN_WORDS, RunIndex, TextIndex, unescaped


@pytest.mark.parametrize(
    ("text", "prompt", "stands"),
    [
        ("Free within 30 days.", "[1] Free  within\u00a030 days. [2]", True),
        ("„Free“ – always", '("Free" - always)', True),
        ("PIN 4711", "PIN 47112", False),
        ("PIN 4711", "SPIN 4711", False),
        ("Free within 30 days for all of the club.", "Free within 30 days for all of the team.", False),
        ("…", "… and so on", False),
    ],
)  # fmt: skip
def test_a_text_stands_in_another_whole_and_at_word_boundaries(text: str, prompt: str, stands: bool) -> None:
    assert TextIndex({"t": text}).found_in(prompt) == (["t"] if stands else [])


@given(
    st.lists(st.text(alphabet="ab ", min_size=1, max_size=6).filter(str.strip), max_size=6), st.text("ab ", max_size=40)
)
def test_the_index_finds_what_single_searches_find(texts: list[str], prompt: str) -> None:
    folded = f" {' '.join(prompt.split())} "
    expected = [str(number) for number, text in enumerate(texts) if f" {' '.join(text.split())} " in folded]
    assert TextIndex({str(number): text for number, text in enumerate(texts)}).found_in(prompt) == expected


def test_passages_that_begin_alike_are_told_apart() -> None:
    head = "Lindgrat GmbH Customer Terms and Conditions, valid for all orders in the shop. "
    index = TextIndex({str(number): f"{head}Clause {number} applies." for number in range(50)})
    assert index.found_in(f"Context: {head}Clause 7 applies. [1]") == ["7"]


SECRET = "Staff may waive any late fee of up to 50 euros once per customer and per year without asking the manager."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SECRET, True),
        (SECRET[:70], True),
        ("STAFF MAY waive any late fee,\nof up to 50 euros **once per customer", True),
        ("staff may waive any late fee of up to 50 euros", False),
        ("staff may waive any late fee of up to 50 dollars once per customer", False),
    ],
)
def test_a_run_of_twelve_words_gives_a_copy_away(text: str, found: bool) -> None:
    index = RunIndex([("secret", SECRET), ("open", "Returns are free within 30 days.")])
    assert index.owners_in(f"Context: {text}") == ([frozenset({"secret"})] if found else [])


def test_a_run_names_all_of_its_owners_and_not_what_was_known_before() -> None:
    index = RunIndex([("a", SECRET), ("b", f"Note. {SECRET}")])
    assert index.owners_in(SECRET) == [frozenset({"a", "b"})]
    assert index.owners_in(SECRET, apart_from=["Hello.", f"Is it true that {SECRET}"]) == []
    assert RunIndex([]).owners_in(SECRET) == []


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_the_run_index_finds_what_a_search_for_every_run_finds(held: list[str], searched: list[str]) -> None:
    runs = [
        {tuple(words[at : at + RUN_WORDS]) for at in range(len(words) - RUN_WORDS + 1)} for words in (held, searched)
    ]
    found = RunIndex([("d", " ".join(held))]).owners_in(" ".join(searched))
    assert bool(found) is bool(runs[0] & runs[1])


@pytest.mark.parametrize(
    ("text", "plain"),
    [(r"a\nb", "a b"), (r"\u00fcber \"x\"", 'über "x"'), (r"C:\Users", r"C:\Users"), ("plain", "plain")],
)
def test_escapes_are_resolved_and_other_backslashes_stay(text: str, plain: str) -> None:
    assert unescaped(text) == plain
