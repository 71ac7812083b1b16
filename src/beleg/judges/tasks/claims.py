"""Claims: taken out of an answer, told from what nobody could check, and verified against passages (A1, A4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from beleg.core.judging import JudgeFault
from beleg.judges.integrity import foreign_claim_flaw
from beleg.judges.task import Flaw, JudgeTask, Reply
from beleg.judges.tasks.checking import (
    Labelled,
    QuoteCheck,
    first_flaw,
    list_flaw,
    partition_flaw,
    parts_given,
    parts_of,
    require_ids,
)
from beleg.text.statements import states_facts

__all__ = [
    "CLAIM_EXTRACTION",
    "CLAIM_QUALIFICATION",
    "CLAIM_VERIFICATION",
    "MAX_CLAIMS",
    "AnswerToSplit",
    "ClaimQualification",
    "ClaimVerdict",
    "ClaimsReply",
    "ClaimsToQualify",
    "ClaimsToVerify",
    "QualificationsReply",
    "VerdictsReply",
    "partition_flaw",
]

MAX_CLAIMS = 1_000
"""More claims than this of one answer, or part of one, are not meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToSplit:
    """An answer whose claims are wanted, or a part of a long one."""

    question: str
    answer: str
    before: str | None = None
    """What stands before this part, for pronouns; its claims are not wanted."""


class ClaimsReply(Reply):
    """The claims of an answer, each a sentence that stands by itself."""

    claims: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsToVerify:
    """Claims with the passages that may carry them; ids are those that the reply must use."""

    claims: Labelled
    passages: Labelled

    def __post_init__(self) -> None:
        require_ids(self.claims)
        require_ids(self.passages)


class ClaimVerdict(Reply):
    """The verdict on one claim. The quote comes before the verdict, so that the verdict rests on it."""

    claim_id: str
    passage_id: str | None
    quote: str | None
    reason: str
    verdict: Literal["supported", "partially_supported", "contradicted", "not_in_context"]


class VerdictsReply(Reply):
    """One verdict for each claim."""

    verdicts: list[ClaimVerdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsToQualify:
    """Claims of an answer, some of which may state nothing that can be checked."""

    question: str
    claims: Labelled

    def __post_init__(self) -> None:
        require_ids(self.claims)


class ClaimQualification(Reply):
    """Whether one claim is an objective statement that a source could confirm or refute (VeriScore)."""

    claim_id: str
    reason: str
    verifiable: bool


class QualificationsReply(Reply):
    """One qualification for each claim."""

    verdicts: list[ClaimQualification]


def _check_claims(question: AnswerToSplit, reply: ClaimsReply) -> Flaw | None:
    if not reply.claims:
        return _no_claims_flaw(question)
    return list_flaw(reply.claims, what="claim", most=MAX_CLAIMS) or foreign_claim_flaw(
        reply.claims, (question.answer, question.question, question.before or "")
    )


def _no_claims_flaw(question: AnswerToSplit) -> Flaw | None:
    """An answer without claims leaves the denominator, so a judge may not wave one through that plainly states facts.

    Refusals, greetings and questions back stay without claims; so does all of which the surface leaves a doubt.
    """
    if not states_facts(question.answer):
        return None
    return Flaw(JudgeFault.EMPTY_CLAIM, f"no claim is listed, and the answer states facts: {question.answer[:200]}")


def _check_verdicts(question: ClaimsToVerify, reply: VerdictsReply) -> Flaw | None:
    quotes = QuoteCheck(dict(question.passages))
    return partition_flaw(
        [name for name, _ in question.claims], [verdict.claim_id for verdict in reply.verdicts]
    ) or first_flaw(
        quotes.flaw(
            f"claim {verdict.claim_id}",
            verdict.passage_id,
            verdict.quote,
            is_needed=verdict.verdict != "not_in_context",
        )
        for verdict in reply.verdicts
    )


def _check_qualifications(question: ClaimsToQualify, reply: QualificationsReply) -> Flaw | None:
    return partition_flaw([name for name, _ in question.claims], [verdict.claim_id for verdict in reply.verdicts])


CLAIM_EXTRACTION: JudgeTask[AnswerToSplit, ClaimsReply] = JudgeTask(
    name="claim_extraction",
    version="1",
    reply=ClaimsReply,
    parts=lambda asked: parts_given(question=asked.question, before=asked.before, answer=asked.answer),
    check=_check_claims,
)

CLAIM_VERIFICATION: JudgeTask[ClaimsToVerify, VerdictsReply] = JudgeTask(
    name="claim_verification",
    version="1",
    reply=VerdictsReply,
    parts=lambda asked: (*parts_of("passage", asked.passages), *parts_of("claim", asked.claims)),
    check=_check_verdicts,
)

CLAIM_QUALIFICATION: JudgeTask[ClaimsToQualify, QualificationsReply] = JudgeTask(
    name="claim_qualification",
    version="1",
    reply=QualificationsReply,
    parts=lambda asked: (*parts_given(question=asked.question), *parts_of("claim", asked.claims)),
    check=_check_qualifications,
)
