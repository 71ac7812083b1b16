"""Which nuggets of a case its answer holds: the evidence behind the nugget scores (A7)."""

from __future__ import annotations

from beleg.core.case import Nugget
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.nuggets import NUGGET_ASSIGNMENT, NuggetsToAssign, NuggetVerdict
from beleg.judges.together import asked_together
from beleg.metrics.batch import Row
from beleg.metrics.generation.nuggets import Assignment, NuggetAssignment, NuggetFinding
from beleg.metrics.generation.refusal import answer_gap

NUGGETS_PER_CALL = 10
"""How many nuggets are put into one call, as in the AutoNuggetizer of TREC RAG 2024."""


async def judge_nugget_assignment(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Has every nugget of the case looked for in the answer. A case without nuggets costs no call."""
    if panel.judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    gap = answer_gap(row.output)
    if gap is not None:
        return Outcome(without=gap)
    if not row.case.nuggets:
        return Outcome(without=Score.without(ScoreStatus.NOT_APPLICABLE, "the case has no nuggets"))
    nuggets = row.case.nuggets
    batches = [nuggets[start : start + NUGGETS_PER_CALL] for start in range(0, len(nuggets), NUGGETS_PER_CALL)]
    replies = await asked_together(
        panel.judge.ask(NUGGET_ASSIGNMENT, _question(row, batch), language=row.case.language) for batch in batches
    )
    for judged in replies:
        docket.note(judged.call)
    found: list[NuggetFinding] = []
    for batch, judged in zip(batches, replies, strict=True):
        if judged.reply is None:
            return Outcome(without=judged.score_without())
        by_id = {verdict.nugget_id: verdict for verdict in judged.reply.verdicts}
        found.extend(_finding(nugget, by_id[str(place)]) for place, nugget in enumerate(batch, start=1))
    return Outcome(evidence=NuggetAssignment(nuggets=tuple(found)).to_json_dict())


def _question(row: Row, batch: tuple[Nugget, ...]) -> NuggetsToAssign:
    return NuggetsToAssign(
        question=row.case.question,
        nuggets=tuple((str(place), _wording(nugget)) for place, nugget in enumerate(batch, start=1)),
        answer=row.output.answer or "",
    )


def _wording(nugget: Nugget) -> str:
    return "\n".join((nugget.text, *(f"= {alias}" for alias in nugget.aliases)))


def _finding(nugget: Nugget, verdict: NuggetVerdict) -> NuggetFinding:
    return NuggetFinding(
        nugget_id=nugget.nugget_id,
        text=nugget.text,
        vital=nugget.vital,
        assignment=Assignment(verdict.support),
        quote=verdict.quote,
        rationale=verdict.reason,
    )


NUGGET_ASSIGNMENT_MEASURE = JudgedMeasure(
    name="nugget_assignment",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_nugget_assignment,
    calls=lambda row: -(-len(row.case.nuggets) // NUGGETS_PER_CALL),
)
