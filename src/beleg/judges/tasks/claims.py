"""Claims: taken out of an answer, then each verified against the delivered passages (A1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.judging import JudgeFault
from beleg.judges.task import Flaw, JudgeTask, Part, Reply
from beleg.text.quotes import QuoteMatch, match_quote

MAX_CLAIMS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToSplit:
    """An answer whose claims are wanted."""

    question: str
    answer: str


class ClaimsReply(Reply):
    """The claims of an answer, each a sentence that stands by itself."""

    claims: Annotated[list[str], Field(max_length=MAX_CLAIMS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsToVerify:
    """Claims with the passages that may carry them; ids are those that the reply must use."""

    claims: tuple[tuple[str, str], ...]
    passages: tuple[tuple[str, str], ...]


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


def partition_flaw(asked: Sequence[str], answered: Sequence[str]) -> Flaw | None:
    """What keeps verdicts from being one per thing asked, complete and disjoint; ``None`` where nothing does.

    Example:
        >>> partition_flaw(["1", "2"], ["2", "1"]) is None
        True
        >>> partition_flaw(["1", "2"], ["1"]).fault.value
        'missing_verdicts'
    """
    counts = Counter(answered)
    if extra := sorted(set(counts) - set(asked)):
        return Flaw(JudgeFault.EXTRA_VERDICTS, f"verdicts on {', '.join(extra)[:200]}, which nobody asked for")
    if repeated := sorted(name for name, count in counts.items() if count > 1):
        return Flaw(JudgeFault.REPEATED_VERDICTS, f"several verdicts on {', '.join(repeated)[:200]}")
    if missing := sorted(set(asked) - set(counts)):
        return Flaw(JudgeFault.MISSING_VERDICTS, f"no verdict on {', '.join(missing)[:200]}")
    return None


def _check_claims(_question: AnswerToSplit, reply: ClaimsReply) -> Flaw | None:
    empty = next((place for place, claim in enumerate(reply.claims) if not claim.strip()), None)
    return None if empty is None else Flaw(JudgeFault.EMPTY_CLAIM, f"claim {empty + 1} has no words")


def _check_verdicts(question: ClaimsToVerify, reply: VerdictsReply) -> Flaw | None:
    flaw = partition_flaw([name for name, _ in question.claims], [verdict.claim_id for verdict in reply.verdicts])
    if flaw is not None:
        return flaw
    texts = dict(question.passages)
    for verdict in reply.verdicts:
        needs_quote = verdict.verdict != "not_in_context"
        stands = (
            verdict.quote is not None
            and verdict.passage_id in texts
            and match_quote(texts[verdict.passage_id], verdict.quote) is not QuoteMatch.ABSENT
        )
        if needs_quote and not stands:
            return Flaw(JudgeFault.QUOTE_ABSENT, f"the quote for claim {verdict.claim_id} is not in the passage named")
    return None


CLAIM_EXTRACTION: JudgeTask[AnswerToSplit, ClaimsReply] = JudgeTask(
    name="claim_extraction",
    version="1",
    reply=ClaimsReply,
    parts=lambda asked: (Part("question", asked.question), Part("answer", asked.answer)),
    check=_check_claims,
)

CLAIM_VERIFICATION: JudgeTask[ClaimsToVerify, VerdictsReply] = JudgeTask(
    name="claim_verification",
    version="1",
    reply=VerdictsReply,
    parts=lambda asked: (
        *(Part("passage", text, name) for name, text in asked.passages),
        *(Part("claim", text, name) for name, text in asked.claims),
    ),
    check=_check_verdicts,
)
