"""How a judge grades an answer by the rubric of its case (J1)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.rubric import RUBRIC_GRADE, AnswerToGrade
from beleg.metrics.batch import Row
from beleg.metrics.generation.refusal import answer_gap
from beleg.metrics.generation.rubric import RUBRIC_MEASURE, RubricFound


async def judge_rubric(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Has the answer graded by the case's rubric, and keeps the probabilities of the grades where they are told."""
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    gap = answer_gap(row.output)
    if gap is not None:
        return Outcome(without=gap)
    if row.case.rubric is None:
        return Outcome(without=Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no rubric"))
    asked = AnswerToGrade(
        question=row.case.question,
        rubric=row.case.rubric,
        answer=row.output.answer or "",
        reference=row.case.reference_answer,
    )
    judged = await panel.judge.ask(RUBRIC_GRADE, asked, language=row.case.language)
    docket.note(judged.call)
    if judged.reply is None:
        return Outcome(without=judged.score_without())
    found = RubricFound(
        grade=judged.reply.score, reason=judged.reply.reason, distribution=judged.call.distribution or None
    )
    return Outcome(evidence=found.to_json_dict())


RUBRIC = JudgedMeasure(
    name=RUBRIC_MEASURE,
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_rubric,
    calls=lambda row: 0 if row.case.rubric is None else 1,
)
