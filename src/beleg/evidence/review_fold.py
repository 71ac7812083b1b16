"""What people decided about each claim of a run, from the events of a review in any order (E7)."""

from __future__ import annotations

from collections.abc import Iterable

from beleg.core.review import ClaimReview, ReviewEvent
from beleg.evidence.review_state import folded


def claim_reviews(run_id: str, events: Iterable[ReviewEvent]) -> dict[str, ClaimReview]:
    """What people decided about each claim of a run, by stream; events about other runs are left out.

    Args:
        run_id: the run.
        events: review events in any order.

    Raises:
        EvidenceError: if a stream has a gap or a repeated event, or an event does not follow from those before it.
    """
    streams: dict[str, list[ReviewEvent]] = {}
    for event in events:
        if event.action.stream.startswith(f"{run_id}/"):
            streams.setdefault(event.action.stream, []).append(event)
    return {
        stream: folded(stream, sorted(listed, key=lambda event: event.version)) for stream, listed in streams.items()
    }
