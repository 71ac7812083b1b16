"""Which passage carries which claim of answer and reference: the evidence of noise sensitivity (A2)."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.hearing import Hearing, Unanswered, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.verified_claims import (
    MatterAtHand,
    answer_claims,
    extraction_calls,
    reference_claims,
    verdicts_on,
    verification_calls,
)
from beleg.judges.tasks.checking import Labelled
from beleg.judges.tasks.claims import ClaimVerdict
from beleg.metrics.batch import Row
from beleg.metrics.generation.noise import TracedClaim, TracedClaims


async def _find(hearing: Hearing) -> TracedClaims:
    reference, passages = hearing.reference(), hearing.passages()
    if not passages:
        raise Unanswered(Score.without(ScoreStatus.NOT_APPLICABLE, "no passage was delivered"))
    claims = _labelled("a", await answer_claims(hearing))
    wanted = _labelled("r", await reference_claims(hearing))
    matters: list[MatterAtHand] = [((*claims, *wanted), (passage,)) for passage in passages]
    matters.append((claims, (("reference", reference),)))
    *by_passage, by_reference = map(_supported, await verdicts_on(hearing, matters))
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


def _supported(verdicts: dict[str, ClaimVerdict]) -> set[str]:
    return {label for label, verdict in verdicts.items() if verdict.verdict == "supported"}


def _planned_calls(row: Row) -> int:
    answer, reference = row.output.answer or "", row.case.reference_answer or ""
    passages = len(row.output.final_passages())
    by_passage = verification_calls(f"{answer} {reference}") * passages
    return extraction_calls(answer) + extraction_calls(reference) + by_passage + verification_calls(answer)


CLAIMS_BY_PASSAGE = JudgedMeasure(
    name="claims_by_passage",
    version="1",
    asks_of_each_passage=True,
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=_planned_calls,
)
