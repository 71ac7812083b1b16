from __future__ import annotations

import pytest

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.answers import exact_match, holds_clauses, token_f1
from unit.metrics.building import case, citation, one


def measured(metric: str, a_case: Case, answer: str | None, **output: object) -> Score:
    return compute([metric], one(a_case, answer=answer, **output))[metric].score_at(0)


@pytest.mark.parametrize(
    ("answer", "reference", "match", "f1"),
    [
        # Worked by hand from the published SQuAD script.
        ("The Eiffel Tower.", "eiffel tower", 1.0, 1.0),
        ("about 14 days", "14 days", 0.0, 2 * 2 / 5),
        ("a a b b", "b b c", 0.0, 2 * 2 / (3 + 4 - 2)),
        ("no", "yes", 0.0, 0.0),
        ("the", "a", 1.0, 1.0),
        ("the", "word", 0.0, 0.0),
    ],
)
def test_short_answers_are_compared_as_squad_does(answer: str, reference: str, match: float, f1: float) -> None:
    assert exact_match(answer, [reference]).value == match
    assert token_f1(answer, [reference]).value == pytest.approx(f1)


def test_the_best_reference_counts() -> None:
    assert token_f1("14 days", ["one month", "14 days", "days"]).value == 1.0
    assert exact_match("x", ["y", "X"]).value == 1.0


def test_without_references_there_is_no_score() -> None:
    assert exact_match("x", []).status is token_f1("x", []).status is ScoreStatus.NOT_APPLICABLE


def test_a_case_is_compared_in_its_language_with_markers_removed() -> None:
    german = case(language="de-AT", accepted_answers=("14 Tage",), reference_answer="Die Frist beträgt 14 Tage.")
    marked = {"citations": (citation("2"),)}
    assert measured("exact_match", german, "Die 14 Tage. [2]", **marked).value == 1.0
    assert measured("token_f1", german, "Frist beträgt 14 Tage [2]", **marked).value == 1.0
    english = case(language="en", accepted_answers=("14 Tage",))
    assert measured("exact_match", english, "Die 14 Tage").value == 0.0


@pytest.mark.parametrize("metric", ["exact_match", "token_f1"])
def test_a_case_that_expects_a_refusal_has_no_reference_to_meet(metric: str) -> None:
    refusal = case(expected_behaviour=ExpectedBehaviour.ABSTAIN, accepted_answers=("x",))
    assert measured(metric, refusal, "x").status is ScoreStatus.NOT_APPLICABLE


@pytest.mark.parametrize("metric", ["exact_match", "token_f1", "required_clauses", "answered_words"])
def test_no_answer_and_an_empty_answer_have_their_own_reasons(metric: str) -> None:
    both = case(accepted_answers=("x",), required_clauses=(("x",),))
    assert measured(metric, both, None) == Score.without(ScoreStatus.MISSING, "no answer was recorded")
    assert measured(metric, both, " \n") == Score.without(ScoreStatus.INVALID, "empty answer")


@pytest.mark.parametrize(
    ("answer", "wordings", "held"),
    [
        ("Rückgabe binnen 14\u00a0Tagen.", ["14 Tagen"], True),
        ("Rückgabe binnen 114 Tagen.", ["14 Tagen"], False),
        ("Nach 1,4 Tagen", ["4 Tagen"], False),
        ("Gebühr 12,90 Euro", ["12"], False),
        ("Gebühr 12, danach frei", ["12"], True),
        ("kostenfrei", ["kosten"], False),
        ("KOSTENLOS – immer", ["kostenlos - immer"], True),
        ("Kosten: 5 €", ["5 €"], True),
        ("nichts", ["5 €", "nichts"], True),
        ("nichts", ["\u00a0"], False),
        ("-30 days", ["30 days"], False),
        ("It is −30 degrees", ["30 degrees"], False),
        ("14–30 days", ["30 days"], True),
        ("a 30-day return - 30 days", ["30 days"], True),
        ("-30 days, then 30 days", ["30 days"], True),
    ],
)
def test_a_clause_stands_in_the_answer_as_whole_words(answer: str, wordings: list[str], held: bool) -> None:
    assert holds_clauses(answer, [wordings]).value == float(held)


def test_every_clause_is_needed_and_the_missing_one_is_named() -> None:
    score = holds_clauses("a b", [["a"], ["c", "d"]])
    assert (score.value, score.detail) == (0.0, "no wording of 'c'")
    assert holds_clauses("a", []).status is ScoreStatus.NOT_APPLICABLE
    assert measured("required_clauses", case(required_clauses=(("a",), ("b",))), "b, a").value == 1.0


def test_length_counts_words_without_markers() -> None:
    assert measured("answered_words", case(), "Das kostet 4,90 € [1].", citations=(citation("1"),)).value == 3


def test_in_german_a_figure_with_another_decimal_mark_is_another_answer() -> None:
    assert exact_match("490 €", ["4,90 €"], language="de").value == 0.0
    assert token_f1("490 €", ["4,90 €"], language="de").value == 0.5
    assert exact_match("4,90 €.", ["4,90 €"], language="de-AT").value == 1.0
    assert exact_match("1.000 Euro", ["1000 Euro"], language="de").value == 1.0
