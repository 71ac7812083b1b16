"""Which claims of an answer the delivered passages carry: the evidence behind faithfulness (A1)."""

from __future__ import annotations

from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.claims import (
    CLAIM_EXTRACTION,
    CLAIM_VERIFICATION,
    AnswerToSplit,
    ClaimsToVerify,
    ClaimVerdict,
)
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport
from beleg.text.quotes import match_quote


async def judge_claim_support(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Splits the answer into claims, then has each verified against the delivered passages."""
    judge = panel.judge
    if judge is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no judge is configured"))
    asked = AnswerToSplit(question=row.case.question, answer=row.output.answer or "")
    split = await judge.ask(CLAIM_EXTRACTION, asked, language=row.case.language)
    docket.note(split.call)
    if split.reply is None:
        return Outcome(without=split.score_without())
    if not split.reply.claims:
        return Outcome(without=Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim"))
    claims = tuple((str(number), claim) for number, claim in enumerate(split.reply.claims, start=1))
    passages = tuple(
        (str(number), passage.text or "") for number, passage in enumerate(row.output.final_passages(), start=1)
    )
    verified = await judge.ask(
        CLAIM_VERIFICATION, ClaimsToVerify(claims=claims, passages=passages), language=row.case.language
    )
    docket.note(verified.call)
    if verified.reply is None:
        return Outcome(without=verified.score_without())
    by_id = {verdict.claim_id: verdict for verdict in verified.reply.verdicts}
    found = ClaimSupport(claims=tuple(_finding(name, claim, by_id[name], row) for name, claim in claims))
    return Outcome(evidence=found.to_json_dict())


def _finding(name: str, claim: str, verdict: ClaimVerdict, row: Row) -> ClaimFinding:
    quotes: tuple[Quote, ...] = ()
    if verdict.quote is not None and verdict.passage_id is not None:
        passage = row.output.final_passages()[int(verdict.passage_id) - 1]
        match = match_quote(passage.text or "", verdict.quote)
        quotes = (Quote(passage_id=passage.passage_id, text=verdict.quote, match=match.value),)
    return ClaimFinding(
        claim_id=name, claim=claim, support=Support(verdict.verdict), quotes=quotes, rationale=verdict.reason
    )


CLAIM_SUPPORT = JudgedMeasure(
    name="claim_support",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_claim_support,
    calls=lambda row: 2,
)
