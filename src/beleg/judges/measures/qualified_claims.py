"""Which claims count, and which of them the passages carry: the evidence of VeriScore and of core support (A4)."""

from __future__ import annotations

from beleg.judges.measures.hearing import Hearing, heard
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.measures.verified_claims import answer_claims, claim_findings, extraction_calls, verification_calls
from beleg.judges.tasks.checking import numbered
from beleg.judges.tasks.claims import CLAIM_QUALIFICATION, ClaimsToQualify
from beleg.judges.tasks.core_claims import CLAIM_WEIGHING, ClaimsToWeigh
from beleg.metrics.batch import Row
from beleg.metrics.generation.fact_scores import QualifiedClaim, QualifiedClaims


async def _find(hearing: Hearing) -> QualifiedClaims:
    claims = numbered(await answer_claims(hearing))
    qualified = await hearing.ask(CLAIM_QUALIFICATION, ClaimsToQualify(question=hearing.question, claims=claims))
    weighed = await hearing.ask(CLAIM_WEIGHING, ClaimsToWeigh(question=hearing.question, claims=claims))
    findings = await claim_findings(hearing, claims)
    verifiable = {verdict.claim_id: verdict.verifiable for verdict in qualified.verdicts}
    weights = {verdict.claim_id: verdict for verdict in weighed.verdicts}
    return QualifiedClaims(
        claims=tuple(
            QualifiedClaim(
                finding=finding,
                verifiable=verifiable[finding.claim_id],
                informative=weights[finding.claim_id].informative,
                repeats=weights[finding.claim_id].repeats,
            )
            for finding in findings
        )
    )


def _planned_calls(row: Row) -> int:
    answer = row.output.answer or ""
    return extraction_calls(answer) + 2 + verification_calls(answer)


QUALIFIED_CLAIMS = JudgedMeasure(
    name="qualified_claims",
    version="1",
    needs=frozenset({"judge"}),
    judge=heard(_find),
    calls=_planned_calls,
)
