"""Entities: the names, numbers and dates that a text speaks of (A2)."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.judges.task import Flaw, JudgeTask, Part, Reply
from beleg.judges.tasks.checking import QuoteCheck, first_flaw, list_flaw

MAX_ENTITIES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWithEntities:
    """A text whose entities are wanted."""

    text: str


class EntitiesReply(Reply):
    """The entities, each in the words of the text."""

    entities: list[str]


def _check(question: TextWithEntities, reply: EntitiesReply) -> Flaw | None:
    quotes = QuoteCheck({"text": question.text})
    return list_flaw(reply.entities, what="entity", most=MAX_ENTITIES) or first_flaw(
        quotes.flaw(f"entity {number}", "text", entity, is_needed=True)
        for number, entity in enumerate(reply.entities, start=1)
    )


ENTITY_EXTRACTION: JudgeTask[TextWithEntities, EntitiesReply] = JudgeTask(
    name="entity_extraction",
    version="1",
    reply=EntitiesReply,
    parts=lambda asked: (Part("text", asked.text),),
    check=_check,
)
