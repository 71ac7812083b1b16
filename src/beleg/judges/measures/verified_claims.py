"""The claims of any text of a row, and the verdicts on them, for the measures that rest on claims."""

from __future__ import annotations

import math
from collections.abc import Sequence

from beleg.core.findings import ClaimFinding, Support
from beleg.core.score import Score, ScoreStatus
from beleg.judges.integrity import flags_of
from beleg.judges.measures.answer_parts import answer_parts
from beleg.judges.measures.claim_support import BATCH_CLAIMS, WORDS_OF_A_CLAIM
from beleg.judges.measures.hearing import Hearing, Unanswered
from beleg.judges.tasks.checking import Labelled
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, CLAIM_VERIFICATION, AnswerToSplit, ClaimsToVerify, ClaimVerdict
from beleg.text.tokens import words

NOTHING_DELIVERED = "no passage was delivered"

MatterAtHand = tuple[Labelled, Labelled]
"""Claims, and what may carry them."""


async def claims_in(hearing: Hearing, text: str) -> list[str]:
    """The claims that a text makes, a long one part by part."""
    asked = [
        AnswerToSplit(question=hearing.question, answer=part.text, before=part.before) for part in answer_parts(text)
    ]
    return [claim for reply in await hearing.ask_all(CLAIM_EXTRACTION, asked) for claim in reply.claims]


async def answer_claims(hearing: Hearing) -> list[str]:
    """The claims of the answer.

    Raises:
        Unanswered: if it makes none.
    """
    claims = await claims_in(hearing, hearing.answer)
    if not claims:
        raise Unanswered(Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim"))
    return claims


async def reference_claims(hearing: Hearing) -> list[str]:
    """The claims of the reference answer.

    Raises:
        Unanswered: if there is no reference, or it makes no claim.
    """
    claims = await claims_in(hearing, hearing.reference())
    if not claims:
        raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the reference answer makes no claim"))
    return claims


async def verdicts_on(hearing: Hearing, matters: Sequence[MatterAtHand]) -> list[dict[str, ClaimVerdict]]:
    """The verdict on each claim of each matter, by the label of the claim; many claims are verified in batches."""
    batches = [
        (number, claims[start : start + BATCH_CLAIMS], passages)
        for number, (claims, passages) in enumerate(matters)
        for start in range(0, len(claims), BATCH_CLAIMS)
    ]
    asked = [ClaimsToVerify(claims=claims, passages=passages) for _, claims, passages in batches]
    found: list[dict[str, ClaimVerdict]] = [{} for _ in matters]
    for (number, _, _), reply in zip(batches, await hearing.ask_all(CLAIM_VERIFICATION, asked), strict=True):
        found[number] |= {verdict.claim_id: verdict for verdict in reply.verdicts}
    return found


async def claim_findings(hearing: Hearing, claims: Labelled) -> tuple[ClaimFinding, ...]:
    """The finding on each claim; where nothing was delivered, no claim is in the context, and nobody is asked."""
    passages = hearing.passages()
    if not passages:
        return tuple(
            ClaimFinding(claim_id=name, claim=claim, support=Support.NOT_IN_CONTEXT, rationale=NOTHING_DELIVERED)
            for name, claim in claims
        )
    (by_label,) = await verdicts_on(hearing, [(claims, passages)])
    return tuple(_finding(hearing, claim, by_label[name]) for name, claim in claims)


def _finding(hearing: Hearing, claim: str, verdict: ClaimVerdict) -> ClaimFinding:
    support = Support(verdict.verdict)
    quotes = hearing.quotes(verdict.passage_id, verdict.quote)
    return ClaimFinding(
        claim_id=verdict.claim_id,
        claim=claim,
        support=support,
        quotes=quotes,
        rationale=verdict.reason,
        flags=flags_of(claim, support, [quote.text for quote in quotes], language=hearing.row.case.language),
    )


def extraction_calls(text: str) -> int:
    """How many calls it takes to find the claims of a text."""
    return len(answer_parts(text))


def verification_calls(text: str) -> int:
    """How many calls it takes, for the plan, to verify the claims of a text against one set of passages."""
    return math.ceil(len(words(text)) / (WORDS_OF_A_CLAIM * BATCH_CLAIMS))
