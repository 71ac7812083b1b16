from __future__ import annotations

import re

import pytest

from beleg.core.decision import Sentence
from beleg.evidence import comparison_words as words

CAUSES = re.compile(r"\b(because|caused by|due to|weil|wegen|verursacht durch|aufgrund)\b", re.IGNORECASE)

SENTENCES = {name: each for name, each in vars(words).items() if isinstance(each, Sentence)}


@pytest.mark.parametrize("name", SENTENCES)
def test_every_sentence_stands_in_both_languages_and_names_no_cause(name: str) -> None:
    said = SENTENCES[name]
    assert said.en
    assert said.de
    assert said.en != said.de
    assert not CAUSES.search(said.en)
    assert not CAUSES.search(said.de)
    assert "!" not in said.en + said.de


def test_names_are_listed_in_both_languages() -> None:
    said = words.passages_differ(["p1"], ["p2", "p3"], [], reordered=True)
    assert said.en == "gone: p1; new: p2 and p3; another order"
    assert said.de == "nicht mehr dabei: p1; neu: p2 und p3; andere Reihenfolge"
    assert words.fields_differ(["prompt"]).en == "differs in: prompt"
    assert words.passages_differ([], [], [], reordered=False).en == ""


def test_what_a_failed_attempt_said_is_cut_to_a_sentence() -> None:
    said = words.failed(words.NO_ANSWER_NEW, "timeout: " + "x" * 10_000 + "\n\n")
    assert said.en.startswith("the new run holds no answer: timeout: xxx")
    assert len(said.en) < 500
