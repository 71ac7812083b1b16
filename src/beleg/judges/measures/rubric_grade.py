"""How far an answer meets the rubric of its case (A7)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.weighted import weighted_grade
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.rubric import RUBRIC_GRADE, AnswerToGrade
from beleg.metrics.batch import Row
from beleg.metrics.generation.judged_answers import RubricVerdict
from beleg.metrics.generation.refusal import bare_answer


async def judge_rubric_grade(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Has the answer graded by the rubric; a case without one is outside."""
    if row.case.rubric is None:
        return Outcome(without=Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no rubric"))
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    asked = AnswerToGrade(
        question=row.case.question,
        rubric=row.case.rubric,
        answer=bare_answer(row.output),
        reference=row.case.reference_answer,
    )
    judged = await panel.judge.ask(RUBRIC_GRADE, asked, language=row.case.language)
    docket.note(judged.call)
    if judged.reply is None:
        return Outcome(without=judged.score_without())
    found = RubricVerdict(grade=judged.reply.score, weighted=weighted_grade(judged.call), rationale=judged.reply.reason)
    return Outcome(evidence=found.to_json_dict())


RUBRIC_OF_ROW = JudgedMeasure(
    name="rubric_grade",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_rubric_grade,
    calls=lambda row: 0 if row.case.rubric is None else 1,
)
