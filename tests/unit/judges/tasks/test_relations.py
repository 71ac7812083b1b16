from __future__ import annotations

import pytest

from beleg.judges.tasks.relations import RELATION_EXTRACTION, AnswerToRelate, RelationsReply, StatedRelation

ASKED = AnswerToRelate(question="?", answer="A rang, then B fled.")


@pytest.mark.parametrize(
    ("quote", "statement", "fault"),
    [
        ("A rang, then B fled", "A rang before B fled.", None),
        ("B fled, then A rang", "B fled before A rang.", "quote_absent"),
        ("A rang, then B fled", " - ", "empty_claim"),
        ("", "A rang before B fled.", "quote_absent"),
    ],
)
def test_a_relation_has_words_and_stands_in_the_answer(quote: str, statement: str, fault: str | None) -> None:
    reply = RelationsReply(relations=[StatedRelation(quote=quote, kind="order", statement=statement)])
    flaw = RELATION_EXTRACTION.check(ASKED, reply)
    assert (None if flaw is None else flaw.fault.value) == fault


def test_an_answer_may_relate_nothing() -> None:
    assert RELATION_EXTRACTION.check(ASKED, RelationsReply(relations=[])) is None
