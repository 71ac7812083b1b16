"""Which claims of an answer the delivered passages carry: the evidence behind faithfulness (A1)."""

from __future__ import annotations

from beleg.core.findings import ClaimFinding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.checking import Labelled, numbered
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, CLAIM_VERIFICATION, AnswerToSplit, ClaimsToVerify
from beleg.metrics.generation.claims import ClaimSupport

NOTHING_DELIVERED = "no passage was delivered"


async def split_claims(hearing: Hearing, text: str) -> list[str]:
    """The claims that a text makes."""
    return (await hearing.ask(CLAIM_EXTRACTION, AnswerToSplit(question=hearing.question, answer=text))).claims


async def answer_claims(hearing: Hearing) -> list[str]:
    """The claims of the answer.

    Raises:
        Unanswered: if it makes none.
    """
    claims = await split_claims(hearing, hearing.answer)
    if not claims:
        raise Unanswered(Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim"))
    return claims


async def verify_claims(hearing: Hearing, claims: Labelled) -> tuple[ClaimFinding, ...]:
    """The verdict on each claim; where nothing was delivered, no claim is in the context, and nobody is asked."""
    passages = hearing.passages()
    if not passages:
        return tuple(
            ClaimFinding(claim_id=name, claim=claim, support=Support.NOT_IN_CONTEXT, rationale=NOTHING_DELIVERED)
            for name, claim in claims
        )
    reply = await hearing.ask(CLAIM_VERIFICATION, ClaimsToVerify(claims=claims, passages=passages))
    by_id = {verdict.claim_id: verdict for verdict in reply.verdicts}
    return tuple(
        ClaimFinding(
            claim_id=name,
            claim=claim,
            support=Support(by_id[name].verdict),
            quotes=hearing.quotes(by_id[name].passage_id, by_id[name].quote),
            rationale=by_id[name].reason,
        )
        for name, claim in claims
    )


async def _find(hearing: Hearing) -> ClaimSupport:
    claims = await answer_claims(hearing)
    return ClaimSupport(claims=await verify_claims(hearing, numbered(claims)))


judge_claim_support = heard(_find)
"""Splits the answer into claims, then has each verified against the delivered passages."""

CLAIM_SUPPORT = JudgedMeasure(
    name="claim_support",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_claim_support,
    calls=lambda row: 2,
)
