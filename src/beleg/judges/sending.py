"""Sending one request to a judge: within limits and budget, with a deadline, and every ending as a value (J1, J6)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

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


class Sender:
    """Sends requests to one judge; limits, budget and outage hold for all of them together."""

    def __init__(self, model: JudgeModel, controls: Controls) -> None:
        self._model = model
        self._controls = controls
        self._estimate = TokenEstimate()
        self._outage = Outage(outage_s=controls.outage_s)
        self.limiter = Limiter(controls.limits, clock=controls.clock, sleep=controls.sleep)
        self.budget = Budget(
            limits=controls.budget,
            price=controls.price,
            run_timeout_s=controls.limits.run_timeout_s,
            clock=controls.clock,
        )

    @property
    def stopped(self) -> tuple[JudgeFault, str] | None:
        """Why nothing more is sent: the judge is gone, its account is used up, or the budget is."""
        if self._outage.stopped is not None:
            return self._outage.stopped
        reason = self.budget.stopped
        return None if reason is None else (JudgeFault.BUDGET, f"not asked: {reason}")

    async def send(self, request: JudgeRequest, number: int) -> Sent:
        """Sends one request once; whatever goes wrong is part of the result.

        Args:
            request: what is asked.
            number: which attempt this is.
        """
        if self._controls.is_replay:
            return _unsent(number, JudgeFault.NOT_RECORDED, "not asked: a replay asks nobody, and no record holds this")
        chars = sum(len(message.content) for message in request.messages)
        most = self._controls.limits.max_prompt_chars
        if chars > most:
            return _unsent(number, JudgeFault.TOO_LARGE, f"not asked: {chars:,} characters, {most:,} are allowed")
        if (refused := self._refused(number)) is not None:
            return refused
        size = sum(len(message.content.encode("utf-8", "backslashreplace")) for message in request.messages)
        need = Need(self._estimate.of(size, len(request.messages)), request.max_tokens)
        permit = await self.limiter.acquire(need.tokens, until=self.budget.deadline())
        if permit is None:
            return _unsent(number, JudgeFault.BUDGET, f"not asked: {self.budget.stop_late()}")
        try:
            reason = await self.budget.reserve(need)
        except asyncio.CancelledError:
            self.limiter.give_back(permit)
            raise
        # While this question waited its turn, another one may have found out that the judge is gone.
        if (refused := self._refused(number)) is not None:
            if reason is None:
                self.budget.release(need)
            self.limiter.give_back(permit)
            return refused
        sent = await self._send_reserved(request, number, need, permit)
        if sent.reply is not None:
            self._estimate.learn(size, sent.reply.usage)
        return sent

    def backoff_s(self, number: int) -> float:
        """How long to wait before a question is put again: longer each time, and never the same for two."""
        longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2 ** (number - 1))
        return float(longest * self._controls.jitter.uniform(0.5, 1.0))

    async def pause(self, number: int) -> None:
        """Waits before a question is put again."""
        await self._controls.sleep(self.backoff_s(number))

    def _refused(self, number: int) -> Sent | None:
        stopped = self.stopped
        return None if stopped is None else _unsent(number, *stopped)

    async def _send_reserved(self, request: JudgeRequest, number: int, need: Need, permit: Permit) -> Sent:
        started = self._controls.clock()
        usage = Usage()
        fault: CandidateError | None = None
        reply: JudgeReply | None = None
        is_over = False
        try:
            reply, fault = await self._asked(request, started)
            usage = self._priced(reply.usage if reply is not None else _usage_of(fault))
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
            return Sent(attempt=attempt, may_help=fault is not None and fault.retryable)
        return Sent(attempt=_with_reply(attempt, reply), reply=reply, may_help=True)

    async def _asked(self, request: JudgeRequest, started: float) -> tuple[JudgeReply | None, CandidateError | None]:
        allowed_s = self._controls.limits.call_timeout_s
        deadline = self.budget.deadline()
        left_s = allowed_s if deadline is None else min(allowed_s, deadline - started)
        try:
            async with asyncio.timeout(left_s):
                return await self._model.ask(request), None
        except CandidateError as error:
            return None, error
        except TimeoutError:
            if left_s < allowed_s:
                return None, CandidateError(self.budget.stop_late(), kind=JudgeFault.BUDGET.value)
            message = f"no reply within {allowed_s:g} s"
            return None, CandidateError(message, kind=JudgeFault.TIMEOUT.value, retryable=True)

    def _priced(self, usage: Usage) -> Usage:
        cost = self.budget.cost_usd(usage)
        return usage if cost is None else usage.model_copy(update={"cost_usd": cost})


def _unsent(number: int, fault: JudgeFault, message: str) -> Sent:
    return Sent(attempt=Attempt(number=number, fault=fault, message=message[:MAX_MESSAGE_CHARS]))


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
    printable = "".join(character if character.isprintable() else "�" for character in text or "")
    return _storable(printable)[:MAX_NAME_CHARS] or None
