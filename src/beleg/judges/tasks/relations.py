"""Relations: how an answer joins its facts, by order, cause, condition or comparison (A4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import QuoteCheck, first_flaw, list_flaw, parts_given

MAX_RELATIONS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToRelate:
    """An answer whose relations between facts are wanted."""

    question: str
    answer: str


class StatedRelation(Reply):
    """One relation, with the words of the answer that state it, and as a sentence that stands by itself."""

    quote: str
    kind: Literal["order", "cause", "condition", "comparison", "other"]
    statement: str


class RelationsReply(Reply):
    """The relations that the answer states between facts."""

    relations: list[StatedRelation]


def _check(question: AnswerToRelate, reply: RelationsReply) -> Flaw | None:
    quotes = QuoteCheck({"answer": question.answer})
    statements = [relation.statement for relation in reply.relations]
    return list_flaw(statements, what="relation", most=MAX_RELATIONS) or first_flaw(
        quotes.flaw(f"relation {number}", "answer", relation.quote, is_needed=True)
        for number, relation in enumerate(reply.relations, start=1)
    )


RELATION_EXTRACTION: JudgeTask[AnswerToRelate, RelationsReply] = JudgeTask(
    name="relation_extraction",
    version="1",
    reply=RelationsReply,
    parts=lambda asked: parts_given(question=asked.question, answer=asked.answer),
    check=_check,
)
