"""Threads for callables that block, which a call that never ends can neither fill up nor hold at the exit.

The executors of the standard library are joined when the interpreter ends, so that one call that hangs would hang the
whole run. Here threads are daemons: a call that is cancelled goes on unheard, gives its place back, and is counted.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any

from beleg.core.errors import CandidateError

ABANDONED_PER_PLACE = 4


class BlockingCalls:
    """Runs blocking calls in threads, at most ``places`` at a time that anyone in one event loop waits for."""

    def __init__(self, places: int) -> None:
        self._n_places = places
        self._places: dict[asyncio.AbstractEventLoop, asyncio.Semaphore] = {}
        self._most_running = places * (1 + ABANDONED_PER_PLACE)
        self._running = 0
        self._lock = threading.Lock()

    @property
    def running(self) -> int:
        """How many threads have not ended, including those of cancelled calls."""
        with self._lock:
            return self._running

    async def run(self, function: Callable[[Any], Any], argument: object) -> Any:
        """Calls a function in a thread of its own.

        Raises:
            CandidateError: if too many cancelled calls are still running.
        """
        async with self._places_here():
            if self.running >= self._most_running:
                raise CandidateError(
                    f"{self.running} calls are still running, most of them given up",
                    hint="Give the callable a time limit of its own, so that calls end",
                    kind="calls_do_not_end",
                )
            result = asyncio.get_running_loop().create_future()
            context = contextvars.copy_context()
            thread = threading.Thread(
                target=self._call, args=(context, function, argument, result), name="beleg-candidate", daemon=True
            )
            self._count(1)
            thread.start()
            return await result

    def _places_here(self) -> asyncio.Semaphore:
        """The places of the running event loop: a semaphore belongs to one loop, and calls may outlive theirs."""
        here = asyncio.get_running_loop()
        with self._lock:
            if here not in self._places:
                self._places = {loop: places for loop, places in self._places.items() if not loop.is_closed()}
                self._places[here] = asyncio.Semaphore(self._n_places)
            return self._places[here]

    def _call(
        self,
        context: contextvars.Context,
        function: Callable[[Any], Any],
        argument: object,
        result: asyncio.Future[Any],
    ) -> None:
        value: Any = None
        fault: BaseException | None = None
        try:
            value = context.run(function, argument)
        except BaseException as error:
            fault = error
        finally:
            self._count(-1)
        try:
            result.get_loop().call_soon_threadsafe(_settle, result, value, fault)
        except RuntimeError:
            # The loop was closed while the call went on: nobody waits any more.
            return

    def _count(self, change: int) -> None:
        with self._lock:
            self._running += change


def _settle(result: asyncio.Future[Any], value: object, fault: BaseException | None) -> None:
    if result.done():
        return
    if fault is None:
        result.set_result(value)
    elif isinstance(fault, StopIteration):
        # A future cannot carry StopIteration.
        result.set_exception(RuntimeError("the callable raised StopIteration"))
    else:
        result.set_exception(fault)
