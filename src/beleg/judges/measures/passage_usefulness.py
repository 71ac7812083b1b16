"""Which delivered passages help to arrive at reference or answer: the evidence of context precision (A2)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.context import PASSAGE_USEFULNESS, PassagesToGrade
from beleg.metrics.generation.context_precision import JudgedPassage, PassageUsefulness

BLANK = "the passage is blank"


async def _for_reference(hearing: Hearing) -> PassageUsefulness:
    reference, passages = hearing.reference(), hearing.passages()
    return await _judged(hearing, PassagesToGrade(question=hearing.question, passages=passages, reference=reference))


async def _for_answer(hearing: Hearing) -> PassageUsefulness:
    asked = PassagesToGrade(question=hearing.question, passages=hearing.passages(), answer=hearing.answer)
    return await _judged(hearing, asked)


async def _judged(hearing: Hearing, asked: PassagesToGrade) -> PassageUsefulness:
    verdicts = (await hearing.ask(PASSAGE_USEFULNESS, asked)).verdicts if asked.passages else []
    by_rank = {int(verdict.passage_id): verdict for verdict in verdicts}
    return PassageUsefulness(
        passages=tuple(
            JudgedPassage(
                passage_id=passage.passage_id,
                useful=rank in by_rank and by_rank[rank].useful,
                reason=by_rank[rank].reason if rank in by_rank else BLANK,
            )
            for rank, passage in enumerate(hearing.row.output.final_passages(), start=1)
        )
    )


PASSAGE_USEFULNESS_FOR_REFERENCE = JudgedMeasure(
    name="passage_usefulness",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_for_reference),
    calls=lambda row: 1,
)

PASSAGE_USEFULNESS_FOR_ANSWER = JudgedMeasure(
    name="passage_usefulness_for_answer",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_for_answer),
    calls=lambda row: 1,
)
