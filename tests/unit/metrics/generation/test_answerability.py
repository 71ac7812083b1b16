from __future__ import annotations

import pytest

from beleg.core.case import ExpectedBehaviour
from beleg.core.errors import DataError
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Row
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.answerability import (
    Answerability,
    Situation,
    answerability_rates,
    read_answerability,
    situation_of,
)
from unit.metrics.building import case, gold, one, passage

YES, NO = "Express kostet 12,90 €.", "Das kann ich nicht beantworten."


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("Yes, answer is present", "present"),
        ("\nYes, answer is present in context [1].\nThe answer is 5.", "present"),
        ("[10] Yes, answer is present. The distance is 32 km.", "present"),
        ("1. Yes, answer is present in [1].\n2. Yes, answer is present in [2].", "present"),
        ("I don’t know. The contexts do not say.", "unknown"),
        ("**I don't know**", "unknown"),
        ("The question is about Norway. I don't know.", "unknown"),
        ("", "invalid"),
        ("Paris", "invalid"),
        ("No, answer is not present.", "invalid"),
        ("Ich weiß es nicht.", "invalid"),
        ('Please respond with "Yes, answer is present" or "I don\'t know".', "invalid"),
        ('Please answer with "Yes, answer is present', "invalid"),
        ("Yes, answer is present.\nI don't know.", "invalid"),
        ("I don't know in [1].\nYes, answer is present in [2].", "invalid"),
    ],
)
def test_a_verdict_is_read_only_where_a_sentence_begins_with_exactly_one_phrase(reply: str, verdict: str) -> None:
    assert read_answerability(reply).value == verdict


def test_other_phrases_may_be_asked_for() -> None:
    assert read_answerability("Ja, steht da.", present=("ja,",), unknown=("nein,",)) is Answerability.PRESENT


def test_rates_count_invalid_replies_apart() -> None:
    said = [Answerability.PRESENT, Answerability.UNKNOWN, Answerability.UNKNOWN, Answerability.INVALID]
    rates = answerability_rates(said * 2, [False] * 4 + [True] * 4)
    assert (rates.hallucination.wrong, rates.hallucination.right, rates.hallucination.invalid) == (1, 2, 1)
    assert (rates.error.wrong, rates.error.right, rates.error.invalid) == (2, 1, 1)
    assert rates.error.of_valid is not None
    assert rates.error.of_valid.estimate == pytest.approx(2 / 3)
    assert rates.error.of_all is not None
    assert rates.error.of_all.estimate == 0.5


def test_without_a_valid_reply_there_is_no_rate() -> None:
    rates = answerability_rates([Answerability.INVALID], [False])
    assert rates.hallucination.of_valid is None
    assert rates.error.of_all is None
    with pytest.raises(DataError, match="one label per verdict"):
        answerability_rates([Answerability.PRESENT], [])


NEEDED = case(gold("fee", "12,90"))
HELD, MISSED, NO_TEXT = (passage("fee", "12,90 €"),), (passage("other", "x"),), (passage("fee"),)
ABSTAIN = case(expected_behaviour=ExpectedBehaviour.ABSTAIN)


@pytest.mark.parametrize(
    ("a_case", "delivered", "situation"),
    [
        (ABSTAIN, HELD, Situation.OUT_OF_SCOPE),
        (NEEDED, HELD, Situation.DELIVERED),
        (NEEDED, MISSED, Situation.MISSED),
        (NEEDED, NO_TEXT, Situation.UNKNOWN),
        (case(), HELD, Situation.UNKNOWN),
    ],
)
def test_what_an_answer_could_rest_on(a_case: object, delivered: object, situation: Situation) -> None:
    batch = one(a_case, answer=YES, delivered=delivered)  # type: ignore[arg-type]
    (row,) = batch.rows
    assert isinstance(row, Row)
    assert situation_of(row, batch.matcher) is situation


def measured(metric: str, a_case: object, answer: str, delivered: object) -> Score:
    return compute([metric], one(a_case, answer=answer, delivered=delivered))[metric].score_at(0)  # type: ignore[arg-type]


def test_an_answer_without_evidence_is_told_by_its_cause() -> None:
    plain = "answered_without_evidence"
    assert measured(plain, ABSTAIN, YES, HELD).value == 1.0
    assert measured(plain, ABSTAIN, NO, HELD).value == 0.0
    assert measured(plain, NEEDED, YES, MISSED).value == 1.0
    assert measured(f"{plain}(cause=missed)", NEEDED, NO, MISSED).value == 0.0
    assert measured(f"{plain}(cause=missed)", ABSTAIN, YES, HELD).status is ScoreStatus.NOT_APPLICABLE
    assert measured(f"{plain}(cause=out_of_scope)", NEEDED, YES, MISSED).status is ScoreStatus.NOT_APPLICABLE
    assert measured(plain, NEEDED, YES, HELD).status is ScoreStatus.NOT_APPLICABLE
    assert measured(plain, NEEDED, YES, NO_TEXT).status is ScoreStatus.MISSING
    assert measured(plain, case(), YES, HELD).status is ScoreStatus.NOT_APPLICABLE
    assert measured(plain, ABSTAIN, "", HELD).status is ScoreStatus.INVALID
