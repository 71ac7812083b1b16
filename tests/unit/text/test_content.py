from __future__ import annotations

import pytest

from beleg.text.content import content_words, stem, stems_of


@pytest.mark.parametrize(
    ("first", "second"),
    [("Rücksendung", "Rücksendungen"), ("Häuser", "Haus"), ("return", "returned"), ("company's", "company"),
     ("kostenlose", "kostenloser"), ("Straße", "strasse")],
)  # fmt: skip
def test_inflections_share_a_stem(first: str, second: str) -> None:
    assert stem(first) == stem(second)


def test_short_words_stay_whole() -> None:
    assert stem("gas") == "gas"
    assert stem("Hase") == "hase"


def test_content_words_keep_their_places() -> None:
    text = "It is the Warranty."
    assert [(word.stem, text[word.start : word.end]) for word in content_words(text)] == [("warranty", "Warranty")]


def test_negations_are_content() -> None:
    assert stems_of("nicht not") == {"nicht", "not"}
