"""Which claims of an answer the delivered passages carry: the evidence behind faithfulness (A1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from beleg.core.findings import ClaimFinding, Quote, Support
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Passage
from beleg.judges.engine import Asker, Judged
from beleg.judges.integrity import flags_of
from beleg.judges.measures.answer_parts import answer_parts
from beleg.judges.measures.measure import JudgedMeasure
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.judges.tasks.checking import Labelled, numbered, partition_flaw
from beleg.judges.tasks.claims import (
    CLAIM_EXTRACTION,
    CLAIM_VERIFICATION,
    AnswerToSplit,
    ClaimsToVerify,
    ClaimVerdict,
)
from beleg.judges.together import asked_together
from beleg.metrics.batch import Row
from beleg.metrics.generation.claims import ClaimSupport
from beleg.metrics.generation.refusal import answer_gap
from beleg.text.quotes import QuoteFinder
from beleg.text.tokens import words

BATCH_CLAIMS = 20
"""How many claims are verified by one call, so that its verdicts fit into a reply of ordinary length."""

WORDS_OF_A_CLAIM = 4
"""The least that a claim takes of an answer, for the plan; answers of shorter claims take more calls."""


async def judge_claim_support(panel: Panel, docket: Docket, row: Row) -> Outcome:
    """Splits the answer into claims, has each verified against the delivered passages, and flags what looks wrong.

    A long answer is split part by part, and many claims are verified in batches; the verdicts of all batches together
    are one for each claim.
    """
    judge = panel.judge
    without = _reason_not_to_ask(panel, row)
    if without is not None or judge is None:
        return Outcome(without=without)
    claims = await extract_claims(judge, docket, row)
    if isinstance(claims, Score):
        return Outcome(without=claims)
    if not claims:
        return Outcome(without=Score.without(ScoreStatus.NO_CLAIMS, "the answer makes no claim"))
    passages = row.output.final_passages()
    labelled = numbered(claims)
    if not passages:
        return Outcome(evidence=ClaimSupport(claims=tuple(_uncarried(*claim) for claim in labelled)).to_json_dict())
    texts = numbered(passage.text or "" for passage in passages)
    verdicts = await verify_claims(judge, docket, labelled, texts, language=row.case.language)
    if isinstance(verdicts, Score):
        return Outcome(without=verdicts)
    finder = QuoteFinder()
    found = (
        _finding(claim, verdict, passages, row.case.language, finder)
        for (_, claim), verdict in zip(labelled, verdicts, strict=True)
    )
    return Outcome(evidence=ClaimSupport(claims=tuple(found)).to_json_dict())


async def extract_claims(judge: Asker, docket: Docket, row: Row) -> tuple[str, ...] | Score:
    """The claims of a row's answer in order, or the reason why they are not known."""
    asked = [
        AnswerToSplit(question=row.case.question, answer=part.text, before=part.before)
        for part in answer_parts(row.output.answer or "")
    ]
    split = await asked_together(
        judge.ask(CLAIM_EXTRACTION, question, language=row.case.language) for question in asked
    )
    _note(docket, split)
    claims: list[str] = []
    for part in split:
        if part.reply is None:
            return part.score_without()
        claims.extend(part.reply.claims)
    return tuple(claims)


async def verify_claims(
    judge: Asker, docket: Docket, claims: Labelled, passages: Labelled, *, language: str | None
) -> tuple[ClaimVerdict, ...] | Score:
    """One verdict for each claim in the order of the claims, or the reason why there are none.

    Args:
        judge: who is asked.
        docket: notes the calls.
        claims: the claims; each batch keeps their ids.
        passages: what may carry them; every batch is shown all of it.
        language: the language of the row.
    """
    batches = [claims[start : start + BATCH_CLAIMS] for start in range(0, len(claims), BATCH_CLAIMS)]
    verified = await asked_together(
        judge.ask(CLAIM_VERIFICATION, ClaimsToVerify(claims=batch, passages=passages), language=language)
        for batch in batches
    )
    _note(docket, verified)
    verdicts: list[ClaimVerdict] = []
    for batch in verified:
        if batch.reply is None:
            return batch.score_without()
        verdicts.extend(batch.reply.verdicts)
    names = [name for name, _ in claims]
    flaw = partition_flaw(names, [verdict.claim_id for verdict in verdicts])
    if flaw is not None:
        return Score.without(ScoreStatus.INVALID, f"claim_verification: {flaw.fault.value}: {flaw.message}")
    by_id = {verdict.claim_id: verdict for verdict in verdicts}
    return tuple(by_id[name] for name in names)


def _reason_not_to_ask(panel: Panel, row: Row) -> Score | None:
    if panel.judge is None:
        return Score.without(ScoreStatus.MISSING, "no judge is configured")
    untold = next((passage for passage in row.output.final_passages() if passage.text is None), None)
    if untold is not None:
        return Score.without(ScoreStatus.MISSING, f"the text of the passage {untold.passage_id} was not recorded")
    return answer_gap(row.output)


def _note(docket: Docket, asked: Sequence[Judged]) -> None:  # type: ignore[type-arg]  # of any task
    for judged in asked:
        docket.note(judged.call)


def _uncarried(name: str, claim: str) -> ClaimFinding:
    return ClaimFinding(
        claim_id=name, claim=claim, support=Support.NOT_IN_CONTEXT, rationale="no passage was delivered"
    )


def _finding(
    claim: str, verdict: ClaimVerdict, passages: Sequence[Passage], language: str | None, finder: QuoteFinder
) -> ClaimFinding:
    quotes = _quotes(verdict, passages, finder)
    support = Support(verdict.verdict)
    return ClaimFinding(
        claim_id=verdict.claim_id,
        claim=claim,
        support=support,
        quotes=quotes,
        rationale=verdict.reason,
        flags=flags_of(claim, support, [quote.text for quote in quotes], language=language),
    )


def _quotes(verdict: ClaimVerdict, passages: Sequence[Passage], finder: QuoteFinder) -> tuple[Quote, ...]:
    if verdict.quote is None or verdict.passage_id is None or not verdict.quote.strip():
        return ()
    passage = passages[int(verdict.passage_id) - 1]
    match = finder.match(passage.text or "", verdict.quote)
    return (Quote(passage_id=passage.passage_id, text=verdict.quote, match=match.value),)


def _planned_calls(row: Row) -> int:
    answer = row.output.answer or ""
    parts = len(answer_parts(answer))
    if not row.output.final_passages():
        return parts
    return parts + math.ceil(len(words(answer)) / (WORDS_OF_A_CLAIM * BATCH_CLAIMS))


CLAIM_SUPPORT = JudgedMeasure(
    name="claim_support",
    version="1",
    needs=frozenset({"judge"}),
    judge=judge_claim_support,
    calls=_planned_calls,
)
