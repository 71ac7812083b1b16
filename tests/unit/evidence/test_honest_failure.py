from __future__ import annotations

import pytest

from beleg.core.case import Case, ExpectedBehaviour
from beleg.core.evidence import HonestFailure
from beleg.core.findings import Support
from beleg.core.trace import Output
from beleg.evidence.honest_failure import honest_failure_of, names_a_gap
from support import q017

REFUSAL = "Das kann ich nicht beantworten."


def dealt(
    answer: str | None,
    *found: Support,
    behaviour: ExpectedBehaviour = ExpectedBehaviour.PARTIAL,
    gaps: tuple[str, ...] | None = ("the duration",),
) -> HonestFailure | None:
    case = Case(case_id="c", user_input="?", expected_behaviour=behaviour, known_gaps=gaps)
    return honest_failure_of(case, Output(answer=answer), found)


def test_where_the_collection_answers_no_failure_is_due() -> None:
    assert dealt("Ja.", behaviour=ExpectedBehaviour.ANSWER, gaps=None) is HonestFailure.NOT_DUE


@pytest.mark.parametrize("behaviour", [ExpectedBehaviour.ABSTAIN, ExpectedBehaviour.PARTIAL])
def test_a_refusal_declines(behaviour: ExpectedBehaviour) -> None:
    assert dealt(REFUSAL, behaviour=behaviour) is HonestFailure.DECLINED


def test_the_bounded_answer_of_the_article_is_bounded() -> None:
    assert dealt(q017.BOUNDED_ANSWER, Support.SUPPORTED) is HonestFailure.BOUNDED
    assert dealt(q017.BOUNDED_ANSWER) is HonestFailure.BOUNDED


def test_the_answer_of_the_article_answers_anyway_once_it_is_judged() -> None:
    assert dealt(q017.ANSWER, Support.NOT_IN_CONTEXT) is HonestFailure.ANSWERED_ANYWAY
    assert dealt(q017.ANSWER) is None


def test_naming_a_gap_does_not_excuse_an_invention() -> None:
    assert dealt(q017.BOUNDED_ANSWER, Support.SUPPORTED, Support.NOT_IN_CONTEXT) is HonestFailure.ANSWERED_ANYWAY


def test_an_answer_where_none_is_due_is_an_answer_anyway() -> None:
    assert dealt("Fünf Tage.", behaviour=ExpectedBehaviour.ABSTAIN, gaps=None) is HonestFailure.ANSWERED_ANYWAY


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_without_an_answer_nobody_can_tell(answer: str | None) -> None:
    assert dealt(answer) is None


@pytest.mark.parametrize(
    "text",
    [
        "Die Dokumente enthalten keine Angabe zur Dauer.",
        "Processing starts on arrival; the sources do not state a duration.",
        "The documents mention no deadline.",
        "In den Quellen steht nichts über die Dauer.",
    ],
)
def test_a_gap_is_named_in_many_ways(text: str) -> None:
    assert names_a_gap(text)


@pytest.mark.parametrize(
    "text",
    ["Artikel enthalten keine Schadstoffe.", "We do not include batteries.", "Die Quelle sprudelt.", "", "a" * 200_000],
)
def test_what_things_lack_is_no_gap_of_the_sources(text: str) -> None:
    assert not names_a_gap(text)
