from __future__ import annotations

from typing import Any

import pytest

from beleg.core.judging import JudgeFault
from beleg.judges.tasks.context import (
    PASSAGE_RELEVANCE,
    PASSAGE_USEFULNESS,
    REFERENCE_ATTRIBUTION,
    PassagesToGrade,
    PassageToGrade,
    ReferenceToAttribute,
)
from unit.judges.tasks.replying import fault_of

PASSAGES = (("1", "Returns are free within 30 days."), ("2", "Shipping costs 4,90 €."))
TO_GRADE = PassagesToGrade(question="?", passages=PASSAGES, reference="30 days")
TO_ATTRIBUTE = ReferenceToAttribute(
    question="?", sentences=(("1", "Free for 30 days."), ("2", "No.")), passages=PASSAGES
)


def useful(name: str) -> Any:
    return {"passage_id": name, "reason": "so", "useful": True}


def attributed(name: str, passage: str | None, quote: str | None, *, verdict: bool = True) -> Any:
    return {"sentence_id": name, "passage_id": passage, "quote": quote, "reason": "so", "attributed": verdict}


def test_each_passage_gets_one_verdict() -> None:
    assert fault_of(PASSAGE_USEFULNESS, TO_GRADE, {"verdicts": [useful("2"), useful("1")]}) is None
    assert fault_of(PASSAGE_USEFULNESS, TO_GRADE, {"verdicts": [useful("1")]}) is JudgeFault.MISSING_VERDICTS
    assert fault_of(PASSAGE_USEFULNESS, TO_GRADE, {"verdicts": [useful("1"), useful("0")]}) is JudgeFault.EXTRA_VERDICTS


def test_the_reference_or_the_answer_is_shown_where_there_is_one() -> None:
    names = [part.name for part in PASSAGE_USEFULNESS.parts(TO_GRADE)]
    assert names == ["question", "reference", "passage", "passage"]
    bare = PassagesToGrade(question="?", passages=PASSAGES, answer="a")
    assert [part.name for part in PASSAGE_USEFULNESS.parts(bare)] == ["question", "answer", "passage", "passage"]


@pytest.mark.parametrize(
    ("verdicts", "fault"),
    [
        ([attributed("1", "1", "within 30 days"), attributed("2", None, None, verdict=False)], None),
        ([attributed("1", "2", "within 30 days"), attributed("2", None, None, verdict=False)], JudgeFault.QUOTE_ABSENT),
        ([attributed("1", None, None), attributed("2", None, None, verdict=False)], JudgeFault.QUOTE_ABSENT),
        ([attributed("1", "1", "within 30 days")], JudgeFault.MISSING_VERDICTS),
    ],
)
def test_an_attributed_sentence_rests_on_a_quote(verdicts: Any, fault: JudgeFault | None) -> None:
    assert fault_of(REFERENCE_ATTRIBUTION, TO_ATTRIBUTE, {"verdicts": verdicts}) is fault


@pytest.mark.parametrize(("grade", "fault"), [(0, None), (3, None), (4, JudgeFault.SCHEMA), (-1, JudgeFault.SCHEMA)])
def test_relevance_is_graded_from_0_to_3(grade: int, fault: JudgeFault | None) -> None:
    asked = PassageToGrade(question="?", passage="p")
    assert fault_of(PASSAGE_RELEVANCE, asked, {"reason": "so", "grade": grade}) is fault
