from __future__ import annotations

import pytest

from beleg.text.tokens import words


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
