"""Sending one request to a judge: within limits and budget, with a deadline, and every ending as a value (J1, J6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from beleg.core.errors import CandidateError
from beleg.core.inference import JudgeModel, JudgeReply, JudgeRequest
from beleg.core.judge_settings import JudgeBudget, JudgeLimits, JudgePrice
from beleg.core.judging import MAX_REPLY_CHARS, Attempt, JudgeFault
from beleg.core.trace import Usage
from beleg.judges.budget import Budget, Need, TokenEstimate
from beleg.judges.limits import Clock, Limiter, Permit, Sleep
from beleg.judges.outage import OUTAGE_S, Outage

FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 30.0
MAX_MESSAGE_CHARS = 4_000
MAX_NAME_CHARS = 512

AnswerT = TypeVar("AnswerT")

FAULTS = {fault.value: fault for fault in JudgeFault}
UNPAID = frozenset({JudgeFault.RATE_LIMITED, JudgeFault.QUOTA_EXHAUSTED, JudgeFault.REJECTED, JudgeFault.TOO_LARGE})
"""The faults of requests that a server turned away: no token was used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """How a judge is asked: limits, budget, and the clock, pauses and chance that a test replaces."""

    limits: JudgeLimits = field(default_factory=JudgeLimits)
    budget: JudgeBudget = field(default_factory=JudgeBudget)
    price: JudgePrice | None = None
    jitter: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    """Spreads repeats, so that those who failed together do not come back together."""
    clock: Clock = time.monotonic
    sleep: Sleep = asyncio.sleep
    outage_s: float = OUTAGE_S
    """How long a judge must have served nothing before it counts as gone."""
    is_replay: bool = False
    """Whether only recorded replies are given, and nothing is ever sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """How one request ended."""

    attempt: Attempt
    reply: JudgeReply | None = None
    may_help: bool = False
    """Whether asking again may help."""

    @property
    def was_sent(self) -> bool:
        """Whether the judge was asked at all."""
        return self.attempt.latency_ms is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Generic[AnswerT]):
    """One request to a server, whatever it asks for."""

    ask: Callable[[], Awaitable[AnswerT]]
    """Sends it once; a fault of the server is a `CandidateError`."""
    usage_of: Callable[[AnswerT], Usage]
    need: Need


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(Generic[AnswerT]):
    """How one errand ended."""

    attempt: Attempt
    answer: AnswerT | None = None
    may_help: bool = False
    """Whether asking again may help."""


class Gateway:
    """Lets requests to one server through: limits and budget hold for all servers that share them.

    Args:
        controls: limits, budget, clock and chance.
        beside: another server's gateway, whose limits and budget hold here too.
    """

    def __init__(self, controls: Controls, *, beside: Gateway | None = None) -> None:
        self._controls = controls
        # That one server is gone says nothing of another.
        self._outage = Outage(outage_s=controls.outage_s)
        self.limiter: Limiter = _limiter(controls) if beside is None else beside.limiter
        self.budget: Budget = _budget(controls) if beside is None else beside.budget

    def beside(self) -> Gateway:
        """A gateway to another server within the same limits and budget."""
        return Gateway(self._controls, beside=self)

    @property
    def attempts(self) -> int:
        """How often one request is sent in all."""
        return self._controls.limits.attempts

    @property
    def is_replay(self) -> bool:
        """Whether nothing is ever sent."""
        return self._controls.is_replay

    @property
    def stopped(self) -> tuple[JudgeFault, str] | None:
        """Why nothing more is sent: the server is gone, its account is used up, or the budget is."""
        if self._outage.stopped is not None:
            return self._outage.stopped
        reason = self.budget.stopped
        return None if reason is None else (JudgeFault.BUDGET, f"not asked: {reason}")

    async def carry(self, errand: Errand[AnswerT], number: int) -> Ended[AnswerT]:
        """Sends one request once, when limits and budget allow it; whatever goes wrong is part of the result.

        Args:
            errand: what is asked.
            number: which attempt this is.
        """
        if (refused := self._refused()) is not None:
            return _unsent(number, *refused)
        need = errand.need
        permit = await self.limiter.acquire(need.tokens, until=self.budget.deadline())
        if permit is None:
            return _unsent(number, JudgeFault.BUDGET, f"not asked: {self.budget.stop_late()}")
        try:
            reason = await self.budget.reserve(need)
        except asyncio.CancelledError:
            self.limiter.give_back(permit)
            raise
        # While this question waited its turn, another one may have found out that the server is gone.
        if (refused := self._refused()) is not None:
            if reason is None:
                self.budget.release(need)
            self.limiter.give_back(permit)
            return _unsent(number, *refused)
        return await self._carry_reserved(errand, number, permit)

    def backoff_s(self, number: int) -> float:
        """How long to wait before a question is put again: longer each time, and never the same for two."""
        longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2 ** (number - 1))
        return float(longest * self._controls.jitter.uniform(0.5, 1.0))

    async def pause(self, number: int) -> None:
        """Waits before a question is put again."""
        await self._controls.sleep(self.backoff_s(number))

    def _refused(self) -> tuple[JudgeFault, str] | None:
        if self.is_replay:
            return JudgeFault.NOT_RECORDED, "not asked: a replay asks nobody, and no record holds this"
        return self.stopped

    async def _carry_reserved(self, errand: Errand[AnswerT], number: int, permit: Permit) -> Ended[AnswerT]:
        need = errand.need
        started = self._controls.clock()
        usage = Usage()
        fault: CandidateError | None = None
        reply: AnswerT | None = None
        is_over = False
        try:
            answered = await self._asked(errand, started)
            reply, fault = (None, answered) if isinstance(answered, CandidateError) else (answered, None)
            usage = self._priced(_usage_of(fault) if reply is None else errand.usage_of(reply))
            is_over = True
        finally:
            self.budget.settle(need, usage)
            if not is_over:
                # Cancelled or a fault of our own: nothing is learnt of the server.
                self.limiter.give_back(permit, used_tokens=need.tokens)
        now = self._controls.clock()
        kind = None if fault is None else FAULTS.get(fault.kind, JudgeFault.BAD_RESPONSE)
        message = None if fault is None else fault.message[:MAX_MESSAGE_CHARS]
        self.limiter.release(
            permit,
            used_tokens=_tokens_of(usage),
            fault=kind,
            retry_after_s=None if fault is None else fault.retry_after_s,
        )
        self._outage.note(kind, message, now=now)
        latency_ms = max(0.0, (now - started) * 1_000)
        attempt = Attempt(number=number, fault=kind, message=message, usage=usage, latency_ms=latency_ms)
        if reply is None:
            return Ended(attempt=attempt, may_help=fault is not None and fault.retryable)
        return Ended(attempt=attempt, answer=reply, may_help=True)

    async def _asked(self, errand: Errand[AnswerT], started: float) -> AnswerT | CandidateError:
        allowed_s = self._controls.limits.call_timeout_s
        deadline = self.budget.deadline()
        left_s = allowed_s if deadline is None else min(allowed_s, deadline - started)
        try:
            async with asyncio.timeout(left_s):
                return await errand.ask()
        except CandidateError as error:
            return error
        except TimeoutError:
            if left_s < allowed_s:
                return CandidateError(self.budget.stop_late(), kind=JudgeFault.BUDGET.value)
            message = f"no reply within {allowed_s:g} s"
            return CandidateError(message, kind=JudgeFault.TIMEOUT.value, retryable=True)

    def _priced(self, usage: Usage) -> Usage:
        cost = self.budget.cost_usd(usage)
        return usage if cost is None else usage.model_copy(update={"cost_usd": cost})


class Sender(Gateway):
    """Sends requests to one judge; limits, budget and outage hold for all of them together."""

    def __init__(self, model: JudgeModel, controls: Controls) -> None:
        super().__init__(controls)
        self._model = model
        self._estimate = TokenEstimate()

    async def send(self, request: JudgeRequest, number: int) -> Sent:
        """Sends one request once; whatever goes wrong is part of the result.

        Args:
            request: what is asked.
            number: which attempt this is.
        """
        chars = sum(len(message.content) for message in request.messages)
        most = self._controls.limits.max_prompt_chars
        if chars > most and not self.is_replay:
            large = f"not asked: {chars:,} characters, {most:,} are allowed"
            return Sent(attempt=_unsent(number, JudgeFault.TOO_LARGE, large).attempt)
        size = sum(len(message.content.encode("utf-8", "backslashreplace")) for message in request.messages)
        need = Need(self._estimate.of(size, len(request.messages)), request.max_tokens)
        errand = Errand(ask=lambda: self._model.ask(request), usage_of=lambda reply: reply.usage, need=need)
        ended = await self.carry(errand, number)
        reply = ended.answer
        if reply is None:
            return Sent(attempt=ended.attempt, may_help=ended.may_help)
        self._estimate.learn(size, reply.usage)
        return Sent(attempt=_with_reply(ended.attempt, reply), reply=reply, may_help=True)


def _limiter(controls: Controls) -> Limiter:
    return Limiter(controls.limits, clock=controls.clock, sleep=controls.sleep)


def _budget(controls: Controls) -> Budget:
    limits = controls.limits
    return Budget(
        limits=controls.budget, price=controls.price, run_timeout_s=limits.run_timeout_s, clock=controls.clock
    )


def _unsent(number: int, fault: JudgeFault, message: str) -> Ended[AnswerT]:
    return Ended(attempt=Attempt(number=number, fault=fault, message=message[:MAX_MESSAGE_CHARS]))


def _usage_of(fault: CandidateError | None) -> Usage:
    turned_away = fault is not None and FAULTS.get(fault.kind) in UNPAID
    return Usage(prompt_tokens=0, completion_tokens=0) if turned_away else Usage()


def _tokens_of(usage: Usage) -> int | None:
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    return usage.prompt_tokens + usage.completion_tokens


def _with_reply(attempt: Attempt, reply: JudgeReply) -> Attempt:
    update = {
        "reply": _storable(reply.text)[:MAX_REPLY_CHARS],
        "finish_reason": _name(reply.finish_reason),
        "model_answered": _name(reply.model),
    }
    return attempt.model_copy(update=update)


def _storable(text: str) -> str:
    """The text as it can be written down: half a surrogate pair becomes its escape."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _name(text: str | None) -> str | None:
    """A name that a server gave, printable and cut to a fixed length."""
    if text is not None and text.isascii() and text.isprintable():
        return text[:MAX_NAME_CHARS] or None
    printable = "".join(character if character.isprintable() else "�" for character in text or "")
    return _storable(printable)[:MAX_NAME_CHARS] or None
