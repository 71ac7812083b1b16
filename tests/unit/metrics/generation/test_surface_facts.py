from __future__ import annotations

import time

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.surface_facts import reference_facts, unseen_facts
from unit.metrics.building import case, one, passage

CONTEXT = (passage("d1", "Express nach Wien kostet 12,90 € und dauert 2 Tage."),)


def counted(answer: str, metric: str = "unseen_facts", **fields: object) -> Score:
    return compute([metric], one(case(language="de", **fields), answer=answer, delivered=CONTEXT))[metric].score_at(0)


def test_names_and_numbers_that_stand_in_no_passage_are_counted_and_named() -> None:
    assert counted("Express kostet 12,90 € und dauert 2 Tage.").value == 0.0
    found = counted("Express kostet 14,90 € und dauert 3 Tage.")
    assert found.value == 2.0
    assert found.detail is not None
    assert "14,90 €" in found.detail


def test_what_the_question_says_may_count_as_seen() -> None:
    a_case = {"user_input": "Was kostet Express am 4. März 2024?"}
    run = one(
        case().model_copy(update={**a_case, "language": "de"}), answer="Am 4. März 2024 12,90 €.", delivered=CONTEXT
    )
    found = compute(["unseen_facts", "unseen_facts(also=question)"], run)
    assert [column.values.tolist() for column in found.values()] == [[1.0], [0.0]]


@pytest.mark.parametrize(
    ("answer", "context"),
    [
        # Denied, attached to the wrong thing, and roles changed: every string stands in the context.
        ("Paris was founded in 1994.", "Paris was not founded in 1994."),
        ("Standard costs 12.90 euros.", "Express costs 12.90 euros. Standard costs 4.90 euros."),
        ("Anna Berg sued Carl Roth in 2019.", "Carl Roth sued Anna Berg in 2019."),
        ("Berlin was the seat until 1990, Bonn from then on.", "Bonn was the seat until 1990, Berlin from then on."),
    ],
)
def test_the_flag_is_blind_to_what_is_in_the_context_and_wrongly_attached(answer: str, context: str) -> None:
    assert unseen_facts(answer, context, language="en") == ()


def test_a_text_that_was_not_recorded_is_missing_and_no_pass() -> None:
    run = one(case(), answer="12,90 €", delivered=(passage("d1"),))
    assert compute(["unseen_facts"], run)["unseen_facts"].score_at(0).status is ScoreStatus.MISSING
    assert counted(" ").status is ScoreStatus.INVALID


def test_with_nothing_delivered_every_number_is_unseen() -> None:
    run = one(case(), answer="It costs 5 euros.", delivered=())
    assert compute(["unseen_facts"], run)["unseen_facts"].values.tolist() == [1.0]


def test_one_reference_whose_facts_are_all_there_suffices() -> None:
    fields = {"accepted_answers": ("30 Tage", "14 Tage")}
    assert counted("Die Frist beträgt 14 Tage.", "reference_facts", **fields).value == 1.0
    found = counted("Die Frist beträgt 60 Tage.", "reference_facts", **fields)
    assert found.value == 0.0
    assert found.detail
    assert counted("14 Tage", "reference_facts").status is ScoreStatus.NOT_APPLICABLE


def test_a_denial_against_the_reference_is_seen_in_both_languages() -> None:
    assert reference_facts("Opened items cannot be returned for free.", "Opened items can be returned for free.")
    assert reference_facts(
        "Die Rückgabe geöffneter Ware ist möglich.", "Die Rückgabe geöffneter Ware ist nicht möglich."
    )


def test_the_longest_answer_is_checked_in_little_time() -> None:
    answer, context = "It cost 5 euros in 1994. " * 2_000, "Berlin 1994 5 euros. " * 50_000
    before = time.process_time()
    unseen_facts(answer, context, language="en")
    assert time.process_time() - before < 20
