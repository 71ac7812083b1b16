"""One limiter for all measures: requests in flight, requests and tokens a minute, pauses a server asks for (J6)."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from beleg.core.judge_settings import JudgeLimits
from beleg.core.judging import JudgeFault

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[object]]

BURST_S = 1.0
"""How many seconds of a rate may be used at once, so that no minute holds much more than the limit."""
LONGEST_PAUSE_S = 300.0
"""A server that asks for a longer pause is asked again after this one."""
SMALLEST_ROUND = 8
"""After how many replies, at the least, the window is looked at."""
FAULTS_THAT_NARROW = 0.2
"""The share of faults in a round above which fewer requests are sent at a time."""
FAULTS_THAT_WIDEN = 0.1
"""The share up to which more are sent again."""
NARROWING = 0.7
SHORTEST_PAUSE_S = 1e-6
"""What rounding leaves of a pause is none."""

TURN: ContextVar[int] = ContextVar("turn", default=0)
"""Which row a request belongs to, counted from the first; whatever a row starts inherits it."""

OVERLOAD = frozenset({JudgeFault.RATE_LIMITED, JudgeFault.SERVER_ERROR, JudgeFault.TIMEOUT, JudgeFault.UNREACHABLE})
"""The faults that tell of a server that is asked too much."""


class TokenBucket:
    """A rate with a small burst. What was taken beyond the burst is a debt that is waited for."""

    def __init__(self, per_minute: float, *, now: float) -> None:
        self._per_s = per_minute / 60.0
        self._capacity = max(1.0, self._per_s * BURST_S)
        self._level = self._capacity
        self._at = now

    def wait_s(self, amount: float, *, now: float) -> float:
        """How long until the amount may be taken; more than the burst is taken once the bucket is full."""
        lacking = min(amount, self._capacity) - self._level_at(now)
        return max(0.0, lacking / self._per_s)

    def take(self, amount: float, *, now: float) -> None:
        """Takes an amount, or gives a negative one back."""
        self._level = min(self._capacity, self._level_at(now) - amount)
        self._at = now

    def _level_at(self, now: float) -> float:
        return min(self._capacity, self._level + (now - self._at) * self._per_s)


class AdaptiveWindow:
    """How many requests may be in flight: fewer, by a factor, while a server is overloaded, and then one more a round.

    Additive increase and multiplicative decrease, judged by the share of faults in a round of replies, so that single
    faults of a server that is otherwise well do not slow a run down.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.size = most
        self._seen = 0
        self._faults = 0

    def note(self, *, is_overload: bool) -> None:
        """Takes one reply into account."""
        self._seen += 1
        self._faults += is_overload
        if self._seen < max(SMALLEST_ROUND, self.size):
            return
        share = self._faults / self._seen
        self._seen = self._faults = 0
        if share > FAULTS_THAT_NARROW:
            self.size = max(1, math.floor(self.size * NARROWING))
        elif share <= FAULTS_THAT_WIDEN:
            self.size = min(self._most, self.size + 1)


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to send one request."""

    tokens: int
    """The tokens that were reckoned with."""


class Limiter:
    """Lets requests through row by row: those of a row that was begun earlier first, so that rows are finished.

    Within a row they pass in the order in which they came. One request at a time is at the head and waits until it may
    be sent; the order holds for those behind it.

    Args:
        limits: how fast the judge may be asked.
        clock: seconds that only go forward.
        sleep: waits; a test passes one that moves its clock.
    """

    def __init__(self, limits: JudgeLimits, *, clock: Clock = time.monotonic, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._sleep = sleep
        self._window = AdaptiveWindow(limits.in_flight)
        now = clock()
        self._requests = _bucket(limits.requests_per_minute, now)
        self._tokens = _bucket(limits.tokens_per_minute, now)
        self._paused_until = now
        self._in_flight = 0
        self._is_head_taken = False
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = count()
        self._freed = asyncio.Event()

    @property
    def in_flight(self) -> int:
        """How many requests are under way."""
        return self._in_flight

    @property
    def window(self) -> int:
        """How many may be under way at present."""
        return self._window.size

    async def acquire(self, tokens: int, *, until: float | None = None) -> Permit | None:
        """Waits until one more request may be sent.

        Args:
            tokens: how many tokens the request is reckoned to take.
            until: by when it must be sent.

        Returns:
            The permit, to be given back by `release`; ``None`` where it cannot be sent by then.
        """
        await self._come_to_head()
        try:
            return await self._acquired(tokens, until)
        finally:
            self._leave_head()

    async def _acquired(self, tokens: int, until: float | None) -> Permit | None:
        while self._in_flight >= self._window.size:
            self._freed.clear()
            await self._freed.wait()
        while (delay := self._delay_s(tokens)) > SHORTEST_PAUSE_S:
            if until is not None and self._clock() + delay > until:
                return None
            await self._sleep(delay)
        now = self._clock()
        if until is not None and now > until:
            return None
        self._in_flight += 1
        for bucket, amount in ((self._requests, 1), (self._tokens, tokens)):
            if bucket is not None:
                bucket.take(amount, now=now)
        return Permit(tokens)

    async def _come_to_head(self) -> None:
        if not self._is_head_taken:
            self._is_head_taken = True
            return
        called = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (TURN.get(), next(self._arrivals), called))
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                # The call came at the same moment: it is passed on.
                self._leave_head()
            raise

    def _leave_head(self) -> None:
        while self._waiting:
            *_, called = heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._is_head_taken = False

    def release(
        self,
        permit: Permit,
        *,
        used_tokens: int | None,
        fault: JudgeFault | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        """Ends a request.

        Args:
            permit: what `acquire` gave.
            used_tokens: how many tokens it really took; ``None`` where nobody knows.
            fault: what went wrong with the server, if anything.
            retry_after_s: how long the server asked to wait; everybody waits.
        """
        self.give_back(permit, used_tokens=permit.tokens if used_tokens is None else used_tokens)
        self._window.note(is_overload=fault in OVERLOAD)
        if retry_after_s is not None:
            pause = self._clock() + min(retry_after_s, LONGEST_PAUSE_S)
            self._paused_until = max(self._paused_until, pause)

    def give_back(self, permit: Permit, *, used_tokens: int = 0) -> None:
        """Ends a request of which nothing is learnt, such as one that was cancelled or never sent."""
        self._in_flight -= 1
        if self._tokens is not None:
            self._tokens.take(used_tokens - permit.tokens, now=self._clock())
        self._freed.set()

    def _delay_s(self, tokens: int) -> float:
        now = self._clock()
        waits = [self._paused_until - now]
        if self._requests is not None:
            waits.append(self._requests.wait_s(1, now=now))
        if self._tokens is not None:
            waits.append(self._tokens.wait_s(tokens, now=now))
        return max(waits)


def _bucket(per_minute: float | None, now: float) -> TokenBucket | None:
    return None if per_minute is None else TokenBucket(per_minute, now=now)
