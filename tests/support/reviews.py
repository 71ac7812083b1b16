"""Actions of reviewers, as a client would send them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from beleg.core.evidence import (
    AttributionDecision,
    AttributionVerdict,
    Condition,
    Decider,
    SupportDecision,
    SupportVerdict,
)
from beleg.core.review import NO_HASH, ReviewAction, ReviewEvent, ReviewEventKind

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ROW = "sha256:" + "1" * 64
OTHER_ROW = "sha256:" + "2" * 64


def supported(
    verdict: str = "supported", *, by: str = "R. Ito", condition: Condition | None = Condition.BLIND
) -> SupportDecision:
    """A verdict on support by a person."""
    missing = ("the annex",) if verdict == "not_assessable" else ()
    return SupportDecision(
        verdict=SupportVerdict(verdict),
        rationale="The passage says so, „wörtlich“.",
        missing=missing,
        decider=Decider(kind="human", name=by),
        condition=condition,
    )


def attributed(
    verdict: str = "attached", *, by: str = "R. Ito", condition: Condition | None = Condition.BLIND
) -> AttributionDecision:
    """A verdict on attribution by a person."""
    return AttributionDecision(
        verdict=AttributionVerdict(verdict),
        rationale="A mark stands beside it.",
        decider=Decider(kind="human", name=by),
        condition=condition,
    )


def action(kind: str = "verdict_recorded", *, version: int = 0, **given: Any) -> ReviewAction:
    """An action that is complete for its kind, but for what is given."""
    event_kind = ReviewEventKind(kind)
    actor = given.get("actor", "R. Ito")
    stream = given.get("stream", "r1/C-1")
    fields: dict[str, Any] = {
        "kind": event_kind,
        "stream": stream,
        "expected_version": version,
        "idempotency_key": f"{stream}-{version}-{kind}-{actor}",
        "actor": actor,
        "evidence_digest": ROW,
    }
    if kind in ("verdict_recorded", "verdict_superseded", "adjudicated") and "attribution" not in given:
        fields["support"] = supported(by=actor)
    if kind in ("verdict_superseded", "adjudicated", "disputed", "withdrawn"):
        fields |= {"supersedes": 1, "reason": "By the wording of the passage."}
    if kind == "assigned":
        fields["assignee"] = actor
    if kind == "note_added":
        fields["note"] = "See the annex."
    if kind == "shown":
        fields["shown"] = Condition.SAW_MACHINE
    return ReviewAction(**fields | given)


def chain(*actions: ReviewAction) -> tuple[ReviewEvent, ...]:
    """The events of a ledger that holds these actions; versions are counted by stream, whatever an action expects."""
    events: list[ReviewEvent] = []
    versions: dict[str, int] = {}
    for each in actions:
        versions[each.stream] = versions.get(each.stream, 0) + 1
        events.append(
            ReviewEvent.chained(
                each,
                sequence=len(events) + 1,
                version=versions[each.stream],
                recorded_at=AT,
                previous_hash=events[-1].hash if events else NO_HASH,
            )
        )
    return tuple(events)
