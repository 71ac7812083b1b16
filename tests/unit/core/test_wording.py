from __future__ import annotations

import pytest

from beleg.core.decision import Sentence
from beleg.core.wording import Words

CATALOGUE = """
[case]
count = { en = "{n} cases", de = "{n} Fälle" }
count_one = { en = "{n} case", de = "{n} Fall" }
of = { en = "{what} of {n}", de = "{what} von {n}" }
"""


@pytest.fixture
def words() -> Words:
    return Words.of(CATALOGUE)


@pytest.mark.parametrize(
    ("n", "en", "de"), [(0, "0 cases", "0 Fälle"), (1, "1 case", "1 Fall"), (2, "2 cases", "2 Fälle")]
)
def test_a_number_asks_for_its_form(words: Words, n: int, en: str, de: str) -> None:
    assert words.phrase("case.count", n=n) == Sentence(en=en, de=de)


def test_a_sentence_goes_in_by_language(words: Words) -> None:
    inner = Sentence(en="half", de="Hälfte")
    assert words.phrase("case.of", what=inner, n=1) == Sentence(en="half of 1", de="Hälfte von 1")


def test_braces_in_a_value_are_text(words: Words) -> None:
    assert words.word("case.of", "en", what="{n.__class__}", n=3) == "{n.__class__} of 3"


@pytest.mark.parametrize("text", ["[", '[a]\nb = { en = "x" }'])
def test_a_phrase_in_one_language_only_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        Words.of(text)
