from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.reference.analysis import Analyser, plain_words
from beleg.reference.lexical import LexicalIndex
from beleg.reference.settings import Bm25Settings

PLAIN = Bm25Settings(stemming=False, stopwords=False)


def test_scores_follow_the_formula_of_lucene() -> None:
    texts = ["red red tent", "blue tent", "green boat house here"]
    found = LexicalIndex(texts, ["en"] * 3, PLAIN).scores("red tent", "en")
    mean = (3 + 2 + 4) / 3

    def part(frequency: int, documents: int, length: int) -> float:
        idf = math.log(1 + (3 - documents + 0.5) / (documents + 0.5))
        return idf * frequency / (frequency + 1.2 * (1 - 0.75 + 0.75 * length / mean))

    expected = [part(2, 1, 3) + part(1, 2, 3), part(1, 2, 2), 0.0]
    assert found == pytest.approx(expected, rel=1e-6)


def test_forms_of_a_word_meet_in_both_languages() -> None:
    index = LexicalIndex(["Die Rückgaben der Häuser", "washing the boots"], ["de", "en"], Bm25Settings())
    assert index.scores("Rückgabe", "de").argmax() == 0
    assert index.scores("washed boot", "en").argmax() == 1


def test_a_word_of_the_other_language_in_a_question_is_found() -> None:
    index = LexicalIndex(["Der Hüttenzuschlag beträgt 7,50 €", "other words"], ["de", "en"], Bm25Settings())
    assert index.scores("What is the Hüttenzuschlag?", "en")[0] > 0


@pytest.mark.parametrize("question", ["", "the of and", "unseen", "?!"])
def test_a_question_without_a_known_term_scores_nothing(question: str) -> None:
    index = LexicalIndex(["red tent", "blue boat"], ["en", "en"], Bm25Settings())
    assert not np.any(index.scores(question, "en"))


def test_passages_without_a_term_are_no_fault() -> None:
    assert not np.any(LexicalIndex(["the of", "…"], ["en", "en"], Bm25Settings()).scores("tent", "en"))
    assert LexicalIndex(["the of", "tent"], ["en", "en"], Bm25Settings()).scores("tent", "en")[1] > 0


def test_negations_and_numbers_are_no_stop_words() -> None:
    kept = Analyser(stemming=False, stopwords=True)
    assert kept.terms("not for 30 days", "en") == ["not", "30", "days"]
    assert kept.terms("nicht für 30 Tage", "de") == ["nicht", "30", "tage"]


def test_decomposed_umlauts_are_the_same_word() -> None:
    assert plain_words("Ru\u0308ckgabe") == ["rückgabe"]
