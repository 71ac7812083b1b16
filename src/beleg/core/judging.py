"""What is known of a judge's call: who was asked what, every attempt, and how it ended (J1 to J3, J6)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.digest import digest_of
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus
from beleg.core.trace import Milliseconds, Usage

MAX_REPLY_CHARS = 1_000_000

ReplyMode = Literal["json_schema", "tools", "json_object", "prompt"]
"""How a server is made to answer with JSON: constrained output, a tool call, JSON mode, or only asking for it."""


class JudgeFault(StrEnum):
    """Why a judge's call gave no verdict. Each is counted under its own name."""

    NOT_JSON = "not_json"
    """Prose, or JSON with something around it."""
    SCHEMA = "schema"
    """JSON of another shape, or a value out of range."""
    TRUNCATED = "truncated"
    """The reply was cut off at the token limit."""
    MISSING_VERDICTS = "missing_verdicts"
    """Fewer verdicts than were asked for."""
    EXTRA_VERDICTS = "extra_verdicts"
    """A verdict on something that was not asked."""
    REPEATED_VERDICTS = "repeated_verdicts"
    """Two verdicts on one thing."""
    EMPTY_CLAIM = "empty_claim"
    """A claim without words, or no claim at all of an answer that plainly states facts."""
    FOREIGN_CLAIM = "foreign_claim"
    """A claim that the answer does not make."""
    QUOTE_ABSENT = "quote_absent"
    """A quote that does not stand in the passage it names."""
    REFUSED = "refused"
    """The judge declined to judge."""
    EMPTY_REPLY = "empty_reply"
    """Nothing came back."""
    RATE_LIMITED = "rate_limited"
    QUOTA_EXHAUSTED = "quota_exhausted"
    """The account may ask no more; waiting does not help."""
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    SERVER_ERROR = "server_error"
    REJECTED = "rejected"
    """The server refused the request itself, such as for a wrong key or an unknown model."""
    BAD_RESPONSE = "bad_response"
    """The server's response is no chat completion."""
    TOO_LARGE = "too_large"
    """The row is larger than the judge may be sent."""
    BUDGET = "budget"
    """Money, tokens or time that the run may use were used up first."""
    NOT_RECORDED = "not_recorded"
    """A replay holds no record of this call, and the network is forbidden."""


FAULT_STATUS: dict[JudgeFault, ScoreStatus] = {
    **dict.fromkeys(JudgeFault, ScoreStatus.INVALID),
    **dict.fromkeys(
        (
            JudgeFault.REFUSED,
            JudgeFault.EMPTY_REPLY,
            JudgeFault.RATE_LIMITED,
            JudgeFault.QUOTA_EXHAUSTED,
            JudgeFault.UNREACHABLE,
            JudgeFault.SERVER_ERROR,
            JudgeFault.REJECTED,
            JudgeFault.BAD_RESPONSE,
            JudgeFault.TOO_LARGE,
        ),
        ScoreStatus.JUDGE_ERROR,
    ),
    JudgeFault.TIMEOUT: ScoreStatus.TIMEOUT,
    JudgeFault.BUDGET: ScoreStatus.MISSING,
    JudgeFault.NOT_RECORDED: ScoreStatus.MISSING,
}
"""Which reason a score gets for each fault: a reply that cannot be used is invalid, a judge that did not answer is an
error of the judge, and what was not asked is missing."""


class JudgeSpec(StoredModel):
    """A judge with everything that can change its verdicts; it travels with every score."""

    provider: Identifier
    """The kind of connection, such as ``openai``."""
    base_url: str | None = None
    """Where it is asked; ``None`` for one that runs in process."""
    model: Identifier
    """The model that is asked for."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """The sampling temperature."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    """The share of probability that is sampled from; ``None`` leaves it to the server."""
    seed: int | None = None
    """The seed of sampling; ``None`` leaves it to the server."""
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 2_000
    """The longest reply."""
    mode: ReplyMode = "json_schema"
    """How JSON is had from it."""
    extra: dict[Identifier, str | int | float | bool] = Field(default_factory=dict)
    """Further parameters that are sent, such as ``reasoning_effort``."""

    @property
    def digest(self) -> str:
        """The content address of the judge."""
        return digest_of(self.to_json_dict())


class TaskReference(StoredModel):
    """The question that a judge was asked, down to the wording of its prompt and the schema of its reply."""

    task: Identifier
    """The name of the task, such as ``claim_verification``."""
    version: Identifier
    """The version of the task's own rules."""
    language: Literal["en", "de"]
    """The language of the prompt."""
    prompt_digest: str
    """The digest of the prompt's fixed part."""
    schema_digest: str
    """The digest of the reply's schema."""


class Attempt(StoredModel):
    """One time that the judge was asked, kept raw."""

    number: Annotated[int, Field(ge=1)]
    """Which attempt it was, counted from 1."""
    fault: JudgeFault | None = None
    """``None`` where the attempt gave the verdict."""
    message: Annotated[str, Field(max_length=4_000)] | None = None
    """What was wrong."""
    reply: Annotated[str, Field(max_length=MAX_REPLY_CHARS)] | None = None
    """What came back, word for word."""
    finish_reason: Identifier | None = None
    """Why the reply ended, as the server names it."""
    model_answered: Identifier | None = None
    """The model that answered, as the server names it."""
    usage: Usage = Usage()
    """What the attempt used up."""
    latency_ms: Milliseconds | None = None
    """Milliseconds until the reply was there; ``None`` where nothing was sent."""


class Call(StoredModel):
    """One question to a judge, with all attempts and the reply that was taken."""

    key: str
    """The content address of everything that can change the reply."""
    judge: JudgeSpec
    """Who was asked."""
    task: TaskReference
    """What was asked."""
    messages: tuple[tuple[str, str], ...]
    """What was sent: role and text."""
    attempts: tuple[Attempt, ...] = ()
    """Every time that the judge was asked, in order."""
    reply: dict[str, Any] | None = None
    """The reply as checked data; ``None`` where no attempt gave one."""
    distribution: dict[str, float] | None = None
    """For a graded reply with log probabilities: the probability of each grade."""

    @property
    def fault(self) -> JudgeFault | None:
        """Why there is no reply: the fault of the last attempt."""
        if self.reply is not None:
            return None
        return self.attempts[-1].fault if self.attempts else JudgeFault.NOT_RECORDED

    @property
    def usage(self) -> Usage:
        """What all attempts used together; unknown where any attempt did not tell."""
        return Usage(
            prompt_tokens=_sum([attempt.usage.prompt_tokens for attempt in self.attempts]),
            completion_tokens=_sum([attempt.usage.completion_tokens for attempt in self.attempts]),
            cost_usd=_sum_of_money([attempt.usage.cost_usd for attempt in self.attempts]),
        )


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None


def _sum_of_money(amounts: list[float | None]) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None
