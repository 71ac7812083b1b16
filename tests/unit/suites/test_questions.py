from __future__ import annotations

import pytest

from beleg.core.case import Principal, Role, Turn
from beleg.suites.questions import normalised_text, question_fingerprint
from unit.suites.builders import make_case


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Wie lange gilt die Garantie?", "  wie  lange gilt die „Garantie“ "),
        ("Ist das Maß verbindlich?", "Ist das MASS verbindlich"),
        ("Was kostet das, und wann kommt es?", "Was kostet das und wann kommt es"),
        ("U\u0308bersicht", "Übersicht"),
        ("The “return” policy", 'the "return" policy'),
    ],
)
def test_case_spacing_typography_and_sentence_marks_do_not_make_a_new_question(left: str, right: str) -> None:
    assert normalised_text(left) == normalised_text(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [("What is C?", "What is C++?"), ("Version 3.5?", "Version 35?"), ("Is it -5?", "Is it 5?"), ("???", "!!!")],
)
def test_marks_that_carry_meaning_stay(left: str, right: str) -> None:
    assert normalised_text(left) != normalised_text(right)


def test_the_same_question_for_another_tenant_is_another_question() -> None:
    one = make_case("1", user_input="My price?", principal=Principal(tenant="acme"))
    two = make_case("2", user_input="My price?", principal=Principal(tenant="globex"))
    assert question_fingerprint(one) != question_fingerprint(two)


def test_the_conversation_before_the_question_counts() -> None:
    turns = (Turn(role=Role.USER, content="Laptops"), Turn(role=Role.ASSISTANT, content="Yes?"))
    ask = Turn(role=Role.USER, content="How long is the warranty?")
    alone = make_case("1", user_input="How long is the warranty?")
    after = make_case("2", turns=(*turns, ask))
    assert question_fingerprint(alone) != question_fingerprint(after)
    assert question_fingerprint(alone) == question_fingerprint(make_case("3", turns=(ask,)))


def test_what_is_expected_does_not_enter() -> None:
    one = make_case("1", user_input="Why?", reference_answer="Because")
    assert question_fingerprint(one) == question_fingerprint(make_case("2", user_input="why"))
