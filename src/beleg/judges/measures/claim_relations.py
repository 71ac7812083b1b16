"""Which relations between facts an answer states, and which the passages carry: what claims alone cannot show (A4)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.verified_claims import claim_findings, verification_calls
from beleg.judges.tasks.checking import numbered
from beleg.judges.tasks.relations import RELATION_EXTRACTION, AnswerToRelate
from beleg.metrics.generation.relations import RelationFinding, RelationSupport


async def _find(hearing: Hearing) -> RelationSupport:
    asked = AnswerToRelate(question=hearing.question, answer=hearing.answer)
    stated = (await hearing.ask(RELATION_EXTRACTION, asked)).relations
    if not stated:
        return RelationSupport(relations=())
    findings = await claim_findings(hearing, numbered(relation.statement for relation in stated))
    return RelationSupport(
        relations=tuple(
            RelationFinding(kind=relation.kind, words=relation.quote, finding=finding)
            for relation, finding in zip(stated, findings, strict=True)
        )
    )


CLAIM_RELATIONS = JudgedMeasure(
    name="claim_relations",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=lambda row: 1 + verification_calls(row.output.answer or ""),
)
