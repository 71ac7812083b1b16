from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.text.containment import TextIndex


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
