from __future__ import annotations

import pytest

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Output
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.refusal import refused
from beleg.reference.frames import ABSTENTION
from unit.metrics.building import case, citation, gold, one, passage, trace

ABSTAIN = case(expected_behaviour=ExpectedBehaviour.ABSTAIN)
PARTIAL = case(expected_behaviour=ExpectedBehaviour.PARTIAL)
NO, YES = "Das kann ich nicht beantworten.", "Express kostet 12,90 €."


def measured(metric: str, a_case: Case, answer: str, **output: object) -> Score:
    return compute([metric], one(a_case, answer=answer, **output))[metric].score_at(0)


@pytest.mark.parametrize(
    ("a_case", "answer", "correct"),
    [
        (ABSTAIN, NO, 1.0),
        (ABSTAIN, YES, 0.0),
        (case(), NO, 0.0),
        (case(), YES, 1.0),
        (PARTIAL, YES, 1.0),
        (PARTIAL, NO, 0.0),
    ],
)
def test_abstention_is_correct_exactly_where_it_is_expected(a_case: Case, answer: str, correct: float) -> None:
    assert measured("abstention_correct", a_case, answer).value == correct


CONTRADICTS = Score.without(ScoreStatus.INVALID, "abstained contradicts the answer")


def test_the_candidates_own_word_counts_where_there_is_no_text() -> None:
    assert refused(Output(answer="", abstained=True)) is True
    assert refused(Output(abstained=True)) is True


@pytest.mark.parametrize(("answer", "abstained"), [(YES, True), (NO, False)])
def test_a_word_that_contradicts_the_text_of_the_answer_is_invalid(answer: str, abstained: bool) -> None:
    assert refused(Output(answer=answer, abstained=abstained)) == CONTRADICTS
    assert measured("abstention_correct", ABSTAIN, answer, abstained=abstained) == CONTRADICTS
    assert measured("missing_citations", case(), answer, abstained=abstained) == CONTRADICTS


@pytest.mark.parametrize(("answer", "abstained"), [(NO, True), (YES, False)])
def test_a_word_that_agrees_with_the_text_stands(answer: str, abstained: bool) -> None:
    assert refused(Output(answer=answer, abstained=abstained)) is abstained


@pytest.mark.parametrize("answer", ABSTENTION.values())
def test_the_fixed_refusals_of_the_reference_are_no_contradiction(answer: str) -> None:
    assert refused(Output(answer=answer, abstained=True)) is True


def test_in_a_language_that_nobody_here_reads_the_candidates_word_stands() -> None:
    french = Output(answer="Je ne sais pas.", abstained=True)
    assert refused(french, language="fr") is True
    assert refused(french, language="en-GB") == CONTRADICTS


def test_in_a_language_that_nobody_here_reads_silence_is_no_answer() -> None:
    """Else a French refusal counts as an answer, and over-refusal is 0 however often it declines."""
    for text in ("Je ne sais pas.", "答えられません。"):
        found = refused(Output(answer=text), language="fr")
        assert isinstance(found, Score)
        assert found.status is ScoreStatus.MISSING
    assert refused(Output(answer="I don't know."), language="fr") is True
    assert refused(Output(answer="Returns are free."), language=None) is False


def test_no_answer_is_missing_and_an_empty_one_invalid() -> None:
    assert refused(Output()) == Score.without(ScoreStatus.MISSING, "no answer was recorded")
    assert refused(Output(answer=" ")) == Score.without(ScoreStatus.INVALID, "empty answer")
    assert refused(Output(answer="", abstained=False)) == Score.without(ScoreStatus.INVALID, "empty answer")


def test_markers_do_not_hide_a_refusal() -> None:
    assert refused(Output(answer="I don't know [7].", citations=(citation("7"),))) is True


def run() -> Batch:
    # Three refusals, two of them right; three cases to refuse, two of them refused; one answerable case refused.
    plan = [(True, NO), (True, NO), (True, YES), (False, NO), (False, YES), (False, YES), (False, YES)]
    cases = [
        case(
            case_id=f"c{number}", expected_behaviour=ExpectedBehaviour.ABSTAIN if abstain else ExpectedBehaviour.ANSWER
        )
        for number, (abstain, _) in enumerate(plan)
    ]
    return Batch.of(cases, [trace(f"c{number}", answer=answer) for number, (_, answer) in enumerate(plan)])


@pytest.mark.parametrize(
    ("metric", "ratio", "denominator"),
    [("abstention_precision", 2 / 3, 3), ("abstention_recall", 2 / 3, 3), ("over_refusal", 1 / 4, 4)],
)
def test_the_mean_over_scored_rows_is_the_ratio(metric: str, ratio: float, denominator: int) -> None:
    column = compute([metric], run())[metric]
    assert float(column.values.mean()) == pytest.approx(ratio)
    assert len(column.values) == denominator
    assert column.counts()[ScoreStatus.NOT_APPLICABLE] == 7 - denominator


def test_a_refusal_after_a_retrieval_miss_is_told_from_one_with_the_evidence_at_hand() -> None:
    needed = case(gold("fee", "12,90"))
    held, missed = (passage("fee", "12,90 €"),), (passage("other", "x"),)
    assert measured("over_refusal(evidence=delivered)", needed, NO, delivered=held).value == 1.0
    assert measured("over_refusal(evidence=missed)", needed, NO, delivered=held).status is ScoreStatus.NOT_APPLICABLE
    assert measured("over_refusal(evidence=missed)", needed, NO, delivered=missed).value == 1.0
    assert measured("over_refusal(evidence=delivered)", case(), NO).status is ScoreStatus.NOT_APPLICABLE
    assert measured("over_refusal(evidence=missed)", case(), NO).status is ScoreStatus.NOT_APPLICABLE
    unknown = measured("over_refusal(evidence=missed)", needed, NO, delivered=(passage("fee"),))
    assert unknown.status is ScoreStatus.MISSING
