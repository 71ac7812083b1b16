"""Which entities reference and delivered passages name: the evidence of entity recall (A2)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.entities import ENTITY_EXTRACTION, TextWithEntities
from beleg.metrics.generation.entities import ContextEntities


async def _find(hearing: Hearing) -> ContextEntities:
    reference, passages = hearing.reference(), hearing.passages()
    wanted = (await hearing.ask(ENTITY_EXTRACTION, TextWithEntities(text=reference))).entities
    context = "\n".join(text for _, text in passages)
    if not wanted or not context.strip():
        return ContextEntities(reference=tuple(wanted), context=())
    held = (await hearing.ask(ENTITY_EXTRACTION, TextWithEntities(text=context))).entities
    return ContextEntities(reference=tuple(wanted), context=tuple(held))


CONTEXT_ENTITIES = JudgedMeasure(
    name="context_entities",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=lambda row: 2,
)
