"""How relevant each delivered passage is to the question: the evidence behind the distribution of relevance (Q10)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.weighted import weighted_grade
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.context import PASSAGE_RELEVANCE, PassageToGrade
from beleg.metrics.batch import Row
from beleg.metrics.context.relevance import GradedPassage, PassageRelevance


async def judge_passage_grades(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Grades every delivered passage by itself; one that cannot be graded leaves the row without evidence.

    Passages are asked one after the other, so that nothing more is paid for a row that is lost already.
    """
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    passages = row.output.final_passages()
    if not passages:
        return Outcome(without=Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was delivered"))
    if any(passage.text is None for passage in passages):
        return Outcome(without=Score.without(ScoreStatus.MISSING, "the text of a passage was not recorded"))
    graded = []
    for rank, passage in enumerate(passages, start=1):
        asked = PassageToGrade(question=row.case.question, passage=passage.text or "")
        judged = await panel.judge.ask(PASSAGE_RELEVANCE, asked, language=row.case.language)
        docket.note(judged.call)
        if judged.reply is None:
            return Outcome(without=judged.score_without())
        graded.append(
            GradedPassage(
                passage_id=passage.passage_id,
                rank=rank,
                grade=judged.reply.grade,
                weighted=weighted_grade(judged.call),
                rationale=judged.reply.reason,
            )
        )
    return Outcome(evidence=PassageRelevance(passages=tuple(graded)).to_json_dict())


PASSAGE_GRADES = JudgedMeasure(
    name="passage_grades",
    version="1",
    asks_of_each_passage=True,
    needs=frozenset({"judge"}),
    judge=judge_passage_grades,
    calls=lambda row: len(row.output.final_passages()),
)
