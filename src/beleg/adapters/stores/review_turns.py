"""Threads that write to one ledger: whoever has the turn carries out what all of them wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from beleg.core.errors import Error, EvidenceError
from beleg.core.review import ReviewAction, ReviewEvent

MOST = 500
"""Actions that are carried out together, so that one turn stays short."""


@dataclass(slots=True, eq=False)
class Request:
    """Actions of one caller, all or none of them, and what became of them."""

    actions: tuple[ReviewAction, ...]
    at: datetime
    events: tuple[ReviewEvent, ...] | None = None
    refusal: Error | None = None

    @property
    def is_served(self) -> bool:
        """Whether something became of them."""
        return self.events is not None or self.refusal is not None


class Turns:
    """Hands requests of many threads to one of them at a time.

    Args:
        write: carries requests out in order and gives each its events or its refusal; what it raises befalls all.
    """

    def __init__(self, write: Callable[[Sequence[Request]], None]) -> None:
        self._write = write
        self._waiting: list[Request] = []
        self._changed = threading.Condition()
        self._is_writing = False

    def served(self, request: Request) -> tuple[ReviewEvent, ...]:
        """Waits until the request was carried out, by this thread or by another one.

        Raises:
            Error: why it was refused.
        """
        with self._changed:
            self._waiting.append(request)
        while (batch := self._turn_of(request)) is not None:
            self._serve(batch)
        if request.refusal is not None:
            raise request.refusal
        return request.events or ()

    def _turn_of(self, request: Request) -> list[Request] | None:
        """Waits for the turn and gives what is to be written, or ``None`` once the request was served."""
        with self._changed:
            while self._is_writing and not request.is_served:
                self._changed.wait()
            if request.is_served:
                return None
            self._is_writing = True
            return self._taken()

    def _serve(self, batch: list[Request]) -> None:
        """Carries a batch out, then passes the turn on."""
        fault: Error = EvidenceError(
            "the thread that wrote for this one was ended", hint="Send the same action again; it is recorded once"
        )
        try:
            self._write(batch)
        except Error as error:
            fault = error
        finally:
            with self._changed:
                for request in batch:
                    if not request.is_served:
                        request.refusal = fault
                self._is_writing = False
                self._changed.notify_all()

    def _taken(self) -> list[Request]:
        taken, actions = 0, 0
        while taken < len(self._waiting) and (taken == 0 or actions + self._size(taken) <= MOST):
            actions += self._size(taken)
            taken += 1
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return batch

    def _size(self, place: int) -> int:
        return len(self._waiting[place].actions)
