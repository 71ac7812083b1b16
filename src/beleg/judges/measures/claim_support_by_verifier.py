"""Which claims of an answer a dedicated verifier finds carried by the delivered passages (A3)."""

from __future__ import annotations

import asyncio

from beleg.core.errors import CandidateError
from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.inference import SupportModel
from beleg.core.judging import JudgeFault
from beleg.core.score import Score, ScoreStatus
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.claims import CLAIM_EXTRACTION, AnswerToSplit
from beleg.judges.verifying import Verified, verify
from beleg.metrics.batch import Row
from beleg.metrics.generation.verified import VerifiedClaims
from beleg.metrics.verification.alignment import AlignedPassages, Alignment
from beleg.metrics.verification.verifier import sentence_claims

UNCALIBRATED_THRESHOLD = 0.5
"""Used where no calibration set one; the gate knows that it did not come from one."""


async def judge_claim_support_by_verifier(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Splits the answer into claims, by the judge where there is one, else by sentences, and has each verified."""
    verifier = panel.verifier
    if verifier is None:
        return Outcome(without=Score.without(ScoreStatus.MISSING, "no verifier is configured"))
    passages = row.output.final_passages()
    if any(passage.text is None for passage in passages):
        return Outcome(without=Score.without(ScoreStatus.MISSING, "the text of a delivered passage was not recorded"))
    claims = await _claims(panel, docket, row)
    if isinstance(claims, Score):
        return Outcome(without=claims)
    if not claims:
        return Outcome(without=Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim"))
    texts = [passage.text or "" for passage in passages]
    try:
        verified = await asyncio.to_thread(verify, verifier, claims, texts)
    except CandidateError as error:
        status = ScoreStatus.JUDGE_ERROR if error.kind == JudgeFault.TOO_LARGE else ScoreStatus.INVALID
        return Outcome(without=Score.without(status, error.message))
    return Outcome(evidence=_evidence(panel, verifier, row, claims, verified).to_json_dict())


async def _claims(panel: Panel, docket: Docket, row: Row) -> tuple[str, ...] | Score:
    if panel.judge is None:
        markers = [citation.marker for citation in row.output.citations or ()]
        return sentence_claims(row.output.answer or "", markers)
    asked = AnswerToSplit(question=row.case.question, answer=row.output.answer or "")
    split = await panel.judge.ask(CLAIM_EXTRACTION, asked, language=row.case.language)
    docket.note(split.call)
    return split.score_without() if split.reply is None else tuple(split.reply.claims)


def _evidence(
    panel: Panel, verifier: SupportModel, row: Row, claims: tuple[str, ...], verified: tuple[Verified, ...]
) -> VerifiedClaims:
    threshold = panel.verifier_threshold or UNCALIBRATED_THRESHOLD
    passages = [(passage.passage_id, passage.text or "") for passage in row.output.final_passages()]
    aligned = AlignedPassages(passages, question=row.case.question, language=row.case.language)
    findings = tuple(
        _finding(str(number), claim, passages, aligned.align(claim), carried=result.support >= threshold)
        for number, (claim, result) in enumerate(zip(claims, verified, strict=True), start=1)
    )
    return VerifiedClaims(
        claims=findings,
        supports=tuple(result.support for result in verified),
        threshold=threshold,
        verifier=verifier.spec.digest,
        claims_from="sentences" if panel.judge is None else "judge",
    )


def _finding(
    name: str, claim: str, passages: list[tuple[str, str]], found: Alignment, *, carried: bool
) -> ClaimFinding:
    quotes: tuple[Quote, ...] = ()
    if carried and found.passage_id is not None:
        text = dict(passages)[found.passage_id]
        quotes = (Quote(passage_id=found.passage_id, text=text[found.start : found.end], match="exact"),)
    return ClaimFinding(
        claim_id=name,
        claim=claim,
        support=Support.SUPPORTED if carried else Support.NOT_IN_CONTEXT,
        quotes=quotes,
        rationale=None,
        flags=found.mismatches,
    )


CLAIM_SUPPORT_BY_VERIFIER = JudgedMeasure(
    name="claim_support_by_verifier",
    version="1",
    needs=frozenset({"verifier"}),
    judge=judge_claim_support_by_verifier,
    calls=lambda row: 1,
    splits_by_judge=True,
)
