"""What an append would make of a ledger's state: the events to add, or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from beleg.core.errors import DataError, Problem
from beleg.core.review import NO_HASH, ReviewAction, ReviewEvent, StreamMovedOn


@dataclass(slots=True, kw_only=True)
class LedgerState:
    """As much of a ledger as an append must know; nobody else may write while it is worked with."""

    size: int = 0
    hash: str = NO_HASH
    versions: dict[str, int] = field(default_factory=dict)
    """The version of each stream that is acted on; absent where it has no event."""
    by_key: dict[str, ReviewEvent] = field(default_factory=dict)
    """The events that were made under the idempotency keys of the actions."""

    def copy(self) -> LedgerState:
        """A state that goes its own way."""
        return LedgerState(size=self.size, hash=self.hash, versions=dict(self.versions), by_key=dict(self.by_key))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The event of each action, those among them that are to be added, and where the ledger is then."""

    events: tuple[ReviewEvent, ...]
    added: tuple[ReviewEvent, ...]
    state: LedgerState


def planned(state: LedgerState, actions: Sequence[ReviewAction], at: datetime) -> Plan:
    """The events that some actions make, one behind the other; all or none.

    Args:
        state: where the ledger is.
        actions: what was asked for, in order.
        at: the time of all of them.

    Raises:
        StreamMovedOn: if a stream is not at the version that its reviewer looked at.
        DataError: if a key was used for another action.
        UsageError: if the time names no time zone.
    """
    state = state.copy()
    events: list[ReviewEvent] = []
    added: list[ReviewEvent] = []
    for action in actions:
        known = state.by_key.get(action.idempotency_key)
        event = _known(known, action) if known is not None else _next(state, action, at)
        events.append(event)
        if known is None:
            added.append(event)
    return Plan(events=tuple(events), added=tuple(added), state=state)


def _known(event: ReviewEvent, action: ReviewAction) -> ReviewEvent:
    if event.action == action:
        return event
    raise DataError(
        Problem(
            field="idempotency_key",
            message=f"the key was used for another action, which is event {event.sequence}",
            value=repr(action.idempotency_key),
            remedy="Give every action a key of its own; send the same one again only with the same content",
        )
    )


def _next(state: LedgerState, action: ReviewAction, at: datetime) -> ReviewEvent:
    version = state.versions.get(action.stream, 0)
    if version != action.expected_version:
        raise StreamMovedOn(action.stream, action.expected_version, version)
    event = ReviewEvent.chained(
        action, sequence=state.size + 1, version=version + 1, recorded_at=at, previous_hash=state.hash
    )
    state.size, state.hash = event.sequence, event.hash
    state.versions[action.stream] = event.version
    state.by_key[action.idempotency_key] = event
    return event
