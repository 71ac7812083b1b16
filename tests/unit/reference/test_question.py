from __future__ import annotations

import pytest

from beleg.reference.language import Language, detect_language
from beleg.reference.question import AnswerKind, answer_kind, holds_kind, informative_words, question_parts


def test_a_question_with_two_askings_has_two_parts_in_both_languages() -> None:
    german = "Kann ich einen Final-Sale-Artikel nach 30 Tagen zurückgeben, und wann beginnt die Erstattungsbearbeitung?"
    assert [part.text for part in question_parts(german, "de")] == [
        "Kann ich einen Final-Sale-Artikel nach 30 Tagen zurückgeben",
        "wann beginnt die Erstattungsbearbeitung?",
    ]
    english = "What is the rental price and what deposit do I need?"
    assert [part.kind for part in question_parts(english, "en")] == [AnswerKind.MONEY, AnswerKind.MONEY]


def test_joined_nouns_are_one_part() -> None:
    assert len(question_parts("Wie pflege ich Daune und Membran?", "de")) == 1


def test_the_story_around_a_question_lends_its_words_with_less_weight() -> None:
    (part,) = question_parts("My tent arrived torn. Who repairs it?", "en")
    assert part.text == "Who repairs it?"
    assert part.words == {"tent": 0.4, "arrived": 0.4, "torn": 0.4, "repairs": 1.0}


def test_a_request_without_a_question_mark_is_one_part() -> None:
    (part,) = question_parts("stromkern 2000 kaution", "de")
    assert part.words == {"stromkern": 1.0, "2000": 1.0, "kaution": 1.0}


def test_a_question_of_function_words_keeps_them_all() -> None:
    assert informative_words("Was ist das?", "de") == ["was", "ist", "das"]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wie viele Tage dauert es?", AnswerKind.TIME),
        ("How long is it valid?", AnswerKind.TIME),
        ("Was kostet der Versand?", AnswerKind.MONEY),
        ("How much is the fee?", AnswerKind.MONEY),
        ("Wie schwer ist es?", AnswerKind.NUMBER),
        ("How many can I combine?", AnswerKind.NUMBER),
        ("Darf ich das?", AnswerKind.RULING),
        ("Can I swap it?", AnswerKind.RULING),
        ("Wo ist der Laden?", AnswerKind.ANY),
    ],
)
def test_the_kind_of_answer_is_read_off_the_question(question: str, kind: AnswerKind) -> None:
    assert answer_kind(question) is kind


@pytest.mark.parametrize(
    ("text", "kind", "holds"),
    [
        ("Innerhalb von 14 Tagen.", AnswerKind.TIME, True),
        ("Nach Eingang im Lager.", AnswerKind.TIME, False),
        ("Das kostet 4,90 €.", AnswerKind.MONEY, True),
        ("It is free.", AnswerKind.MONEY, True),
        ("It weighs little.", AnswerKind.NUMBER, False),
        ("Das ist ausgeschlossen.", AnswerKind.RULING, True),
        ("Ein schönes Zelt.", AnswerKind.RULING, False),
        ("Anything.", AnswerKind.ANY, True),
    ],
)
def test_a_sentence_holds_an_answer_of_a_kind_or_not(text: str, kind: AnswerKind, holds: bool) -> None:
    assert holds_kind(text, kind) is holds


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie lange habe ich Zeit für die Rückgabe?", "de"),
        ("Sägart T2 kaution", "de"),
        ("How do I wash the Firnhaut?", "en"),
        ("T2-114 price", "en"),
        ("", "en"),
        ("Was kostet express delivery", "de"),
    ],
)
def test_german_and_english_are_told_apart(text: str, language: Language) -> None:
    assert detect_language(text) == language
