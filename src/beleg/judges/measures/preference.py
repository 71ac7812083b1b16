"""Which of two answers a judge prefers, asked in both orders (J5)."""

from __future__ import annotations

import asyncio

from beleg.core.score import Score, ScoreStatus
from beleg.judges.engine import Asker
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.preference import PREFERENCE, AnswersToCompare
from beleg.metrics.batch import Row
from beleg.metrics.generation.preference import PREFERENCE_MEASURE, BothOrders, Preferred
from beleg.metrics.generation.refusal import answer_gap

_OWN_FIRST = {"A": Preferred.OWN, "B": Preferred.OTHER, "tie": Preferred.TIE}
_OWN_SECOND = {"A": Preferred.OTHER, "B": Preferred.OWN, "tie": Preferred.TIE}


async def judge_both_orders(
    judge: Asker, docket: Docket, pair: AnswersToCompare, *, language: str | None
) -> BothOrders | Score:
    """The verdicts on a pair in both orders, or the reason why one of them is not there.

    Args:
        judge: who is asked.
        docket: notes the calls.
        pair: the two answers, the evaluated one as ``answer_a``.
        language: the language of the row.
    """
    first, second = await asyncio.gather(
        judge.ask(PREFERENCE, pair, language=language), judge.ask(PREFERENCE, pair.swapped(), language=language)
    )
    for judged in (first, second):
        docket.note(judged.call)
    if first.reply is None:
        return first.score_without()
    if second.reply is None:
        return second.score_without()
    return BothOrders(
        own_first=_OWN_FIRST[first.reply.preferred],
        own_second=_OWN_SECOND[second.reply.preferred],
        reason_own_first=first.reply.reason,
        reason_own_second=second.reply.reason,
    )


async def judge_reference_preference(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Compares the answer with the case's reference answer in both orders."""
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    gap = answer_gap(row.output)
    if gap is not None:
        return Outcome(without=gap)
    if row.case.reference_answer is None:
        return Outcome(without=Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no reference answer"))
    pair = AnswersToCompare(
        question=row.case.question,
        answer_a=row.output.answer or "",
        answer_b=row.case.reference_answer,
        rubric=row.case.rubric,
    )
    found = await judge_both_orders(panel.judge, docket, pair, language=row.case.language)
    return Outcome(without=found) if isinstance(found, Score) else Outcome(evidence=found.to_json_dict())


REFERENCE_PREFERENCE = JudgedMeasure(
    name=PREFERENCE_MEASURE,
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_reference_preference,
    calls=lambda row: 0 if row.case.reference_answer is None else 2,
)
