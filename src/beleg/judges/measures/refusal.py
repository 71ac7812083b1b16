"""Whether an answer declines, in a judge's verdict: to hold the text detector against (A8)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.refusal import REFUSAL, AnswerToClassify
from beleg.metrics.batch import Row
from beleg.metrics.generation.judged_answers import RefusalVerdict
from beleg.metrics.generation.refusal import bare_answer


async def judge_refusal(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Has the answer classified as answered, refused, or answered in part."""
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    asked = AnswerToClassify(question=row.case.question, answer=bare_answer(row.output))
    judged = await panel.judge.ask(REFUSAL, asked, language=row.case.language)
    docket.note(judged.call)
    if judged.reply is None:
        return Outcome(without=judged.score_without())
    reply = judged.reply
    found = RefusalVerdict(verdict=reply.verdict, quote=reply.quote, rationale=reply.reason)
    return Outcome(evidence=found.to_json_dict())


REFUSAL_OF_ROW = JudgedMeasure(
    name="refusal", version="1", needs=frozenset({"judge"}), judge=judge_refusal, calls=lambda row: 1
)
