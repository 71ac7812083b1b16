"""The seams at which the outside world is plugged in."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.trace import Output, Query, Trace


@runtime_checkable
class Candidate(Protocol):
    """A system under test. ``answer`` is called concurrently and raises for a failed query."""

    @property
    def manifest(self) -> Manifest:
        """What the system is made of."""
        ...

    async def answer(self, query: Query) -> Output:
        """Runs one query through the system.

        Raises:
            CandidateError: if the system cannot be reached or its reply is not usable.
        """
        ...

    def inventory(self) -> Inventory | None:
        """What the index holds, where the system can tell."""
        ...

    async def close(self) -> None:
        """Releases connections and files."""
        ...


@runtime_checkable
class Recording(Protocol):
    """A candidate that was recorded: its traces are taken as they are, with the time they took then."""

    def trace(self, case_id: str, repeat: int = 0) -> Trace | None:
        """The recorded trace, or ``None`` where none was recorded."""
        ...
