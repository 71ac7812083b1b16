"""What people decided about each claim, folded from the events of a review; every event stays readable (E7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from beleg.core.errors import EvidenceError, shown
from beleg.core.review import ClaimReview, ReviewEvent, ReviewEventKind

_RECORDING = (ReviewEventKind.VERDICT_RECORDED, ReviewEventKind.VERDICT_SUPERSEDED)


@dataclass(slots=True)
class _State:
    """A stream, half folded."""

    assignees: dict[str, None] = field(default_factory=dict)
    verdicts: dict[str, ReviewEvent] = field(default_factory=dict)
    superseded: list[ReviewEvent] = field(default_factory=list)
    disputes: list[ReviewEvent] = field(default_factory=list)
    adjudication: ReviewEvent | None = None
    notes: list[ReviewEvent] = field(default_factory=list)

    def take(self, event: ReviewEvent) -> None:
        """One event more."""
        action = event.action
        if action.kind in _RECORDING:
            self._replace(event)
        elif action.kind is ReviewEventKind.ADJUDICATED:
            self._settle(event)
        elif action.kind is ReviewEventKind.DISPUTED:
            self.disputes.append(event)
            self._settle(None)
        elif action.kind is ReviewEventKind.WITHDRAWN:
            self._withdraw(action.supersedes)
        elif action.kind is ReviewEventKind.NOTE_ADDED:
            self.notes.append(event)
        elif action.assignee is not None:
            self.assignees[action.assignee] = None

    def _replace(self, event: ReviewEvent) -> None:
        earlier = self.verdicts.get(event.action.actor)
        if earlier is not None:
            self.superseded.append(earlier)
        self.verdicts[event.action.actor] = event

    def _settle(self, event: ReviewEvent | None) -> None:
        if self.adjudication is not None:
            self.superseded.append(self.adjudication)
        self.adjudication = event

    def _withdraw(self, version: int | None) -> None:
        for actor, event in list(self.verdicts.items()):
            if event.version == version:
                self.superseded.append(self.verdicts.pop(actor))
        if self.adjudication is not None and self.adjudication.version == version:
            self._settle(None)
        self.disputes = [event for event in self.disputes if event.version != version]


def claim_reviews(run_id: str, events: Iterable[ReviewEvent]) -> dict[str, ClaimReview]:
    """What people decided about each claim of a run, by stream; events about other runs are left out.

    Args:
        run_id: the run.
        events: review events in any order.

    Raises:
        EvidenceError: if a stream has a gap or a repeated event.
    """
    streams: dict[str, list[ReviewEvent]] = {}
    for event in events:
        if event.action.stream.startswith(f"{run_id}/"):
            streams.setdefault(event.action.stream, []).append(event)
    return {stream: _folded(stream, listed) for stream, listed in streams.items()}


def _folded(stream: str, events: Sequence[ReviewEvent]) -> ClaimReview:
    ordered = sorted(events, key=lambda event: event.version)
    if [event.version for event in ordered] != list(range(1, len(ordered) + 1)):
        raise EvidenceError(
            f"the review of {shown(stream)} has a gap or a repeated event",
            hint="Export the whole ledger: an event that is left out may be the one that takes a verdict back",
        )
    state = _State()
    for event in ordered:
        state.take(event)
    return ClaimReview(
        stream=stream,
        version=len(ordered),
        assignees=tuple(state.assignees),
        verdicts=tuple(state.verdicts.values()),
        superseded=tuple(state.superseded),
        disputes=tuple(state.disputes),
        adjudication=state.adjudication,
        notes=tuple(state.notes),
    )
