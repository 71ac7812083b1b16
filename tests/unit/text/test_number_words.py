from __future__ import annotations

import pytest

from beleg.text.number_words import cardinal, joined, loosely


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("zero", 0),
        ("twelve", 12),
        ("Ninety", 90),
        ("forty-two", 42),
        ("hundred", 100),
        ("zwölf", 12),
        ("zwoelf", 12),
        ("dreißig", 30),
        ("einundzwanzig", 21),
        ("neunundneunzig", 99),
        ("hundertfünf", 105),
        ("dreihundertfünfundsechzig", 365),
        ("zweitausendvierundzwanzig", 2_024),
        ("fünfhunderttausend", 500_000),
        ("ein", None),
        ("hund", None),
        ("und", None),
        ("twenty-zero", None),
        ("twenty-eleven", None),
        ("tausendschön", None),
        ("zwanzigtausendmal" * 9, None),
    ],
)
def test_a_word_is_the_number_it_means(word: str, value: int | None) -> None:
    assert cardinal(word) == value


def test_every_number_below_a_million_that_german_writes_in_one_word_is_read_back() -> None:
    ones = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
    tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    for high in range(2, 10):
        for at, ten in enumerate(tens, start=2):
            for low in range(1, 10):
                word = f"{ones[high]}hundert{ones[low]}und{ten}"
                assert cardinal(word) == high * 100 + at * 10 + low, word


@pytest.mark.parametrize(
    ("word", "value"),
    [("a", 1), ("eine", 1), ("second", 2), ("zweiten", 2), ("siebte", 7), ("neunzehnten", 19), ("zwanzigste", 20),
     ("Dutzend", 12), ("twice", 2), ("table", None), ("bitte", None), ("Seite", None)],
)  # fmt: skip
def test_evidence_is_read_loosely(word: str, value: int | None) -> None:
    assert loosely(word) == value


def test_a_run_of_english_words_is_one_number() -> None:
    assert joined([("two", 2), ("thousand", 1_000), ("three", 3), ("hundred", 100), ("four", 4)]) == 2_304
    assert joined([("thousand", 1_000)]) == 1_000
