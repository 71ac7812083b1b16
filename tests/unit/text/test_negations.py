from __future__ import annotations

import pytest

from beleg.text.negations import Polarity, negations_of


@pytest.mark.parametrize(
    "word",
    [
        "not",
        "never",
        "without",
        "isn't",
        "can’t",
        "cannot",
        "nicht",
        "kein",
        "keine",
        "nie",
        "ohne",
        "weder",
        "niemals",
    ],
)
def test_words_that_deny(word: str) -> None:
    (found,) = negations_of(f"They say {word} a thing.")
    assert (found.kind, found.text) == (Polarity.NEGATION, word)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("except", Polarity.EXCEPTION), ("außer", Polarity.EXCEPTION), ("mit Ausnahme", Polarity.EXCEPTION),
     ("only", Polarity.RESTRICTION), ("nur", Polarity.RESTRICTION)],
)  # fmt: skip
def test_words_that_restrict(word: str, kind: Polarity) -> None:
    assert [found.kind for found in negations_of(f"Alle {word} dem Hund")] == [kind]


@pytest.mark.parametrize(
    "text",
    ["No. 7", "not only this", "nicht nur das", "whether or not", "No, it is.", "Nein, so ist es.", "notable Knoten",
     "no more than five", "keinerwegs", "a nose"],
)  # fmt: skip
def test_what_denies_nothing(text: str) -> None:
    assert negations_of(text) == ()


def test_a_negation_before_a_turned_word_is_doubled() -> None:
    assert [found.is_doubled for found in negations_of("not uncommon, not common")] == [True, False]
