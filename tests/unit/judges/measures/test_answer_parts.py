from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.judges.measures.answer_parts import BEFORE_CHARS, PART_CHARS, answer_parts

TEXT = st.text(alphabet="ab. !\nÄ", max_size=200)


@given(TEXT, st.integers(1, 30))
def test_the_parts_hold_every_visible_character_once_in_order_and_none_is_too_long(text: str, most: int) -> None:
    parts = answer_parts(text, part_chars=most)
    assert "".join("".join(part.text.split()) for part in parts) == "".join(text.split())
    assert all(0 < len(part.text) <= most for part in parts)


def test_an_ordinary_answer_is_one_part_with_its_layout() -> None:
    answer = "First:\n\n- one.\n- two.\n\nThat is all."
    (part,) = answer_parts(answer)
    assert (part.text, part.before) == (answer, None)


def test_a_part_ends_with_a_sentence_and_shows_the_end_of_what_stands_before_it() -> None:
    answer = " ".join(f"Sentence number {number} ends here." for number in range(400))
    parts = answer_parts(answer)
    assert len(parts) > 1
    assert all(part.text.endswith("here.") for part in parts)
    assert parts[0].before is None
    assert parts[1].before is not None
    assert parts[1].before.endswith("ends here.")
    assert len(parts[1].before) <= BEFORE_CHARS


def test_50000_words_without_a_full_stop_are_cut_at_spaces() -> None:
    parts = answer_parts("word " * 50_000)
    assert sum(part.text.count("word") for part in parts) == 50_000
    assert max(len(part.text) for part in parts) <= PART_CHARS


def test_no_words_are_no_part() -> None:
    assert answer_parts("  \n ") == ()
