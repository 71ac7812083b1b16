"""Noticing that a judge is gone or will not serve, so that the questions left end at once, not one by one (J6)."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.judging import JudgeFault

OUTAGE_S = 20.0
"""How long a judge must have served nothing before it counts as gone: a restart is shorter."""
OUTAGE_REQUESTS = 20
"""How many requests in a row must have failed by then."""
LIMITED_TIMES_OUTAGE = 30
"""How many times as long a judge may say that it is asked too fast: it is there, and its minute may pass."""
REJECTIONS = 50
"""How many requests in a row may be refused by the server, whatever the time."""

GONE = frozenset({JudgeFault.UNREACHABLE, JudgeFault.SERVER_ERROR, JudgeFault.TIMEOUT, JudgeFault.BAD_RESPONSE})


@dataclass(slots=True)
class _Row:
    """Faults of one kind since the last reply."""

    most: int
    patience_s: float
    count: int = 0
    since: float = 0.0

    def is_over(self, now: float) -> bool:
        self.since = self.since if self.count else now
        self.count += 1
        return self.count >= self.most and now - self.since >= self.patience_s

    def lasted_s(self, now: float) -> float:
        return now - self.since


class Outage:
    """Counts faults in a row and says when to stop asking. Once stopped it stays so, for this run.

    Args:
        outage_s: how long nothing must have been served.
    """

    def __init__(self, *, outage_s: float = OUTAGE_S) -> None:
        self._gone = _Row(OUTAGE_REQUESTS, outage_s)
        self._limited = _Row(OUTAGE_REQUESTS, outage_s * LIMITED_TIMES_OUTAGE)
        self._rejected = _Row(REJECTIONS, 0.0)
        self.stopped: tuple[JudgeFault, str] | None = None
        """The fault that every further question ends with, and why."""

    def note(self, fault: JudgeFault | None, message: str | None, *, now: float) -> None:
        """Takes the end of one request into account.

        Args:
            fault: what went wrong with the server; ``None`` for a reply, also for one that cannot be used.
            message: what the server said.
            now: seconds.
        """
        row = self._row_of(fault)
        if fault is JudgeFault.QUOTA_EXHAUSTED:
            self._stop(fault, f"not asked: the account may ask no more ({message})")
        elif row is None:
            for counted in (self._gone, self._limited, self._rejected):
                counted.count = 0
        elif row.is_over(now):
            ends_with = JudgeFault.UNREACHABLE if row is self._gone else fault or JudgeFault.UNREACHABLE
            said = f"{fault.value if fault else ''}: {message}"
            lasted = f"{row.count} requests in a row failed within {row.lasted_s(now):.0f} s"
            self._stop(ends_with, f"not asked: {lasted}; the last: {said}")

    def _row_of(self, fault: JudgeFault | None) -> _Row | None:
        if fault is JudgeFault.RATE_LIMITED:
            return self._limited
        if fault is JudgeFault.REJECTED:
            return self._rejected
        return self._gone if fault in GONE else None

    def _stop(self, fault: JudgeFault, reason: str) -> None:
        self.stopped = self.stopped or (fault, reason)
