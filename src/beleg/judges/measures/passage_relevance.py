"""How relevant each delivered passage is to the question, graded one by one (A2, Q10)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.passage_usefulness import BLANK
from beleg.judges.tasks.context import PASSAGE_RELEVANCE, PassageToGrade
from beleg.metrics.generation.context_relevance import GradedPassage, PassageGrades


async def _find(hearing: Hearing) -> PassageGrades:
    passages = hearing.passages()
    asked = [PassageToGrade(question=hearing.question, passage=text) for _, text in passages]
    replies = await hearing.ask_all(PASSAGE_RELEVANCE, asked) if asked else []
    by_rank = {int(label): reply for (label, _), reply in zip(passages, replies, strict=True)}
    return PassageGrades(
        passages=tuple(
            GradedPassage(
                passage_id=passage.passage_id,
                grade=by_rank[rank].grade if rank in by_rank else 0,
                reason=by_rank[rank].reason if rank in by_rank else BLANK,
            )
            for rank, passage in enumerate(hearing.row.output.final_passages(), start=1)
        )
    )


PASSAGE_RELEVANCE_OF_ROW = JudgedMeasure(
    name="passage_relevance",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=lambda row: len(row.output.final_passages()),
)
