"""Which passage carries which claim of answer and reference: the evidence of noise sensitivity (A2)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.claim_support import answer_claims, split_claims
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.tasks.checking import Labelled
from beleg.judges.tasks.claims import CLAIM_VERIFICATION, ClaimsToVerify, VerdictsReply
from beleg.metrics.generation.noise import TracedClaim, TracedClaims


async def _find(hearing: Hearing) -> TracedClaims:
    reference, passages = hearing.reference(), hearing.passages()
    if not passages:
        raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "no passage was delivered"))
    claims = _labelled("a", await answer_claims(hearing))
    wanted = _labelled("r", await split_claims(hearing, reference))
    if not wanted:
        raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "the reference answer makes no claim"))
    asked = [
        *(ClaimsToVerify(claims=(*claims, *wanted), passages=(passage,)) for passage in passages),
        ClaimsToVerify(claims=claims, passages=(("reference", reference),)),
    ]
    *by_passage, by_reference = map(_supported, await hearing.ask_all(CLAIM_VERIFICATION, asked))
    names = [hearing.passage_id(label) for label, _ in passages]
    return TracedClaims(
        claims=tuple(
            TracedClaim(
                claim_id=label,
                claim=text,
                in_reference=label in by_reference,
                passages=tuple(name for name, held in zip(names, by_passage, strict=True) if label in held),
            )
            for label, text in claims
        ),
        relevant=tuple(
            name for name, held in zip(names, by_passage, strict=True) if any(label in held for label, _ in wanted)
        ),
    )


def _labelled(side: str, claims: Sequence[str]) -> Labelled:
    return tuple((f"{side}{number}", claim) for number, claim in enumerate(claims, start=1))


def _supported(reply: VerdictsReply) -> set[str]:
    return {verdict.claim_id for verdict in reply.verdicts if verdict.verdict == "supported"}


CLAIMS_BY_PASSAGE = JudgedMeasure(
    name="claims_by_passage",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=lambda row: 3 + len(row.output.final_passages()),
)
