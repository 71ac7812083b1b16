"""What a command may spend on a judge: money, tokens, calls and time; a hard stop, with what was judged kept (J6)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from beleg.core.judge_settings import JudgeBudget, JudgePrice
from beleg.core.trace import Usage

FIRST_TOKENS_PER_BYTE = 1 / 3
"""What is reckoned with until a server has told: a little more than English or German text takes."""
CAUTION = 1.1
MESSAGE_TOKENS = 8
"""What a message takes beyond its text."""


@dataclass(frozen=True, slots=True)
class Need:
    """The tokens that one request may take."""

    prompt_tokens: int
    completion_tokens: int

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.prompt_tokens + self.completion_tokens


class TokenEstimate:
    """How many tokens a text takes, learnt from what a server told."""

    def __init__(self) -> None:
        self._bytes = 0
        self._tokens = 0

    def of(self, size_bytes: int, messages: int = 2) -> int:
        """The tokens that a text of so many bytes is reckoned to take.

        Example:
            >>> TokenEstimate().of(3_000, messages=2)
            1016
        """
        per_byte = self._tokens / self._bytes * CAUTION if self._bytes else FIRST_TOKENS_PER_BYTE
        return round(size_bytes * per_byte) + messages * MESSAGE_TOKENS

    def learn(self, size_bytes: int, usage: Usage) -> None:
        """Takes into account what a server counted."""
        if usage.prompt_tokens is not None:
            self._bytes += size_bytes
            self._tokens += usage.prompt_tokens


@dataclass(slots=True)
class Spending:
    """What was spent so far. Sums hold what servers told; ``untold_calls`` says how many told nothing."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    """``None`` without a price: what it cost is unknown."""
    untold_calls: int = 0


@dataclass(slots=True)
class _Sum:
    calls: int = 0
    tokens: int = 0
    picodollars: int = 0
    """Whole numbers, so that what is set aside and given back leaves nothing behind."""

    def plus(self, other: _Sum) -> _Sum:
        money = self.picodollars + other.picodollars
        return _Sum(self.calls + other.calls, self.tokens + other.tokens, money)


@dataclass(slots=True)
class Budget:
    """Lets a request through only where even its longest reply stays within every limit.

    A request whose usage nobody told is counted as what it may have taken, so that silence does not stretch a limit.
    The first limit that is reached stops everything that follows.
    """

    limits: JudgeBudget = field(default_factory=JudgeBudget)
    price: JudgePrice | None = None
    run_timeout_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    spending: Spending = field(default_factory=Spending)
    stopped: str | None = None
    """Why nothing more is sent."""
    _charged: _Sum = field(default_factory=_Sum)
    _reserved: _Sum = field(default_factory=_Sum)
    _settled: asyncio.Event = field(default_factory=asyncio.Event)
    _deadline: float | None = None

    def __post_init__(self) -> None:
        if self.price is not None:
            self.spending.usd = 0.0

    def deadline(self) -> float | None:
        """By when the last request must be answered; the time runs from the first question on."""
        if self.run_timeout_s is not None and self._deadline is None:
            self._deadline = self.clock() + self.run_timeout_s
        return self._deadline

    def stop_late(self) -> str:
        """Stops because the time is over.

        Returns:
            Why.
        """
        self.stopped = self.stopped or f"the {self.run_timeout_s:g} s of the run are over"
        return self.stopped

    def cost_usd(self, usage: Usage) -> float | None:
        """What a usage cost; ``None`` where the price or a count is unknown.

        Example:
            >>> price = JudgePrice(usd_per_million_prompt_tokens=2.0, usd_per_million_completion_tokens=8.0)
            >>> Budget(price=price).cost_usd(Usage(prompt_tokens=1_000_000, completion_tokens=500_000))
            6.0
            >>> Budget().cost_usd(Usage(prompt_tokens=1, completion_tokens=1)) is None
            True
        """
        if self.price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return self._usd(Need(usage.prompt_tokens, usage.completion_tokens))

    async def reserve(self, need: Need) -> str | None:
        """Sets aside what a request may take; waits where requests under way decide whether it fits.

        Returns:
            ``None`` where it may be sent, and `settle` must follow; else why it may not.
        """
        wanted = self._sum(need)
        while self.stopped is None:
            deadline = self.deadline()
            if deadline is not None and self.clock() >= deadline:
                return self.stop_late()
            over = self._over(self._charged.plus(wanted))
            if over is not None:
                self.stopped = over
            elif self._over(self._charged.plus(self._reserved).plus(wanted)) is None:
                self._reserved = self._reserved.plus(wanted)
                return None
            else:
                self._settled.clear()
                await self._settled.wait()
        return self.stopped

    def settle(self, need: Need, usage: Usage) -> None:
        """Replaces what was set aside by what was really used."""
        self.release(need)
        self._charged = self._charged.plus(self._sum(_used(need, usage)))
        told, spent = self.spending, usage.cost_usd
        told.calls += 1
        told.prompt_tokens += usage.prompt_tokens or 0
        told.completion_tokens += usage.completion_tokens or 0
        told.untold_calls += usage.prompt_tokens is None or usage.completion_tokens is None
        if told.usd is not None:
            told.usd += spent or 0.0

    def release(self, need: Need) -> None:
        """Gives back what was set aside for a request that was not sent after all."""
        wanted = self._sum(need)
        self._reserved = self._reserved.plus(_Sum(-wanted.calls, -wanted.tokens, -wanted.picodollars))
        self._settled.set()

    def _sum(self, need: Need) -> _Sum:
        return _Sum(1, need.tokens, _picodollars(self._usd(need)))

    def _usd(self, need: Need) -> float:
        if self.price is None:
            return 0.0
        sent = need.prompt_tokens * self.price.usd_per_million_prompt_tokens
        received = need.completion_tokens * self.price.usd_per_million_completion_tokens
        return (sent + received) / 1_000_000

    def _over(self, total: _Sum) -> str | None:
        limits = self.limits
        if limits.max_calls is not None and total.calls > limits.max_calls:
            return f"the budget of {limits.max_calls:,} calls is used up"
        if limits.max_tokens is not None and total.tokens > limits.max_tokens:
            return f"the budget of {limits.max_tokens:,} tokens is used up: the next call might take more than is left"
        if limits.max_usd is not None and total.picodollars > _picodollars(limits.max_usd):
            return f"the budget of ${limits.max_usd:g} is used up: the next call might cost more than is left"
        return None


def _picodollars(usd: float) -> int:
    return round(usd * 1e12)


def _used(need: Need, usage: Usage) -> Need:
    sent = need.prompt_tokens if usage.prompt_tokens is None else usage.prompt_tokens
    received = need.completion_tokens if usage.completion_tokens is None else usage.completion_tokens
    return Need(sent, received)
