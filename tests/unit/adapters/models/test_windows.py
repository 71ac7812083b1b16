from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.models.windows import PassageWindows
from beleg.text.tokens import word_spans


def offsets(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    return [word_spans(text) for text in texts]


def cut(text: str, budget: int) -> list[str]:
    return [text[start:end] for start, end in PassageWindows(offsets).cut(text, budget)]


def test_a_text_that_fits_is_one_window() -> None:
    assert cut("One two. Three four.", 4) == ["One two. Three four."]


def test_windows_end_at_sentences_and_share_one_where_there_is_room() -> None:
    assert cut("A bb. C dd. E ff. G hh.", 4) == ["A bb. C dd.", "C dd. E ff.", "E ff. G hh."]


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert cut("One two three four five. Six.", 2) == ["One two ", "three four ", "five. Six."]


def test_an_empty_text_is_one_window() -> None:
    assert cut("", 5) == [""]


@given(st.lists(st.lists(st.sampled_from(["alpha", "b", "c,", "d"]), min_size=1, max_size=9), max_size=9),
       st.integers(1, 12))  # fmt: skip
def test_every_word_is_in_a_window_and_no_window_is_too_long(written: list[list[str]], budget: int) -> None:
    text = " ".join(" ".join(words).capitalize() + "." for words in written)
    spans = PassageWindows(offsets).cut(text, budget)
    assert all(len(word_spans(text[start:end])) <= budget for start, end in spans)
    held = [word for word in word_spans(text) if any(start <= word[0] and word[1] <= end for start, end in spans)]
    assert held == word_spans(text)
