from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.text.tokens import each_word, has_word, unspaced_letters, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das kostet 1.000,50 € (netto).", ["Das", "kostet", "1.000,50", "netto"]),
        ("Don’t e-mail me", ["Don’t", "e-mail", "me"]),
        ("u\u0308ber_alles", ["u\u0308ber", "alles"]),
        ("Цена 5 рублей", ["Цена", "5", "рублей"]),
        ("13:30 Uhr, 3rd floor", ["13:30", "Uhr", "3rd", "floor"]),
        (" … – ", []),
    ],
)
def test_words_are_found_in_any_script_with_numbers_and_compounds_whole(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("返品は無料です。", 7),
        ("退货免费", 4),
        ("ส่งคืนฟรี", 6),
        ("반품은 무료", 0),
        ("Returns are free, 30 days", 0),
        ("三十 days", 2),
    ],
)
def test_letters_are_counted_where_no_space_stands_between_words(text: str, letters: int) -> None:
    assert unspaced_letters(text) == letters


@given(st.text())
def test_the_quick_looks_at_words_see_the_words(text: str) -> None:
    assert has_word(text) is bool(words(text))
    assert list(each_word(text)) == words(text)
