"""Review actions and events for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
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

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
DIGEST = "sha256:row"


def support(
    verdict: str = "supported", by: str = "ada", condition: Condition = Condition.BLIND, **fields: Any
) -> SupportDecision:
    """What a person decided on support."""
    missing = ("the contract",) if verdict == "not_assessable" else ()
    given = {"rationale": f"{by} read it", "missing": missing} | fields
    decider = Decider(kind="human", name=by)
    return SupportDecision(verdict=SupportVerdict(verdict), decider=decider, condition=condition, **given)


def attribution(
    verdict: str = "attached", by: str = "ada", condition: Condition = Condition.BLIND
) -> AttributionDecision:
    """What a person decided on attribution."""
    decider = Decider(kind="human", name=by)
    return AttributionDecision(
        verdict=AttributionVerdict(verdict), rationale=f"{by} read it", decider=decider, condition=condition
    )


def action(
    kind: str = "verdict_recorded", by: str = "ada", *, stream: str = "r1/C-1", version: int = 0, **fields: Any
) -> ReviewAction:
    """An action of a kind with what it needs."""
    needs: dict[str, Any] = {
        "assigned": {"assignee": by},
        "verdict_recorded": {"support": support(by=by)},
        "verdict_superseded": {"support": support(by=by), "supersedes": 1, "reason": "I misread it."},
        "disputed": {"supersedes": 1, "reason": "It says the opposite."},
        "adjudicated": {"support": support(by=by), "supersedes": 1, "reason": "By the wording."},
        "withdrawn": {"supersedes": 1, "reason": "Wrong claim."},
        "note_added": {"note": "See the ticket."},
        "sheet_rebuilt": {},
        "shown": {"shown": Condition.SAW_MACHINE},
    }
    given: dict[str, Any] = {
        "stream": stream,
        "expected_version": version,
        "idempotency_key": f"{stream} {version} {kind} {by}",
        "actor": by,
        "evidence_digest": DIGEST,
    }
    return ReviewAction(kind=ReviewEventKind(kind), **(given | needs[kind] | fields))


def chain(*actions: ReviewAction) -> tuple[ReviewEvent, ...]:
    """The events that a ledger would make of actions; versions are counted here."""
    events: list[ReviewEvent] = []
    versions: dict[str, int] = {}
    for place, each in enumerate(actions):
        version = versions.get(each.stream, 0)
        versions[each.stream] = version + 1
        event = ReviewEvent.chained(
            each.model_copy(update={"expected_version": version}),
            sequence=place + 1,
            version=version + 1,
            recorded_at=WHEN + timedelta(minutes=place),
            previous_hash=events[-1].hash if events else NO_HASH,
        )
        events.append(event)
    return tuple(events)


def rechained(events: Sequence[ReviewEvent]) -> tuple[ReviewEvent, ...]:
    """The same contents under hashes that fit them, as a forger with the whole database would write them."""
    made: list[ReviewEvent] = []
    for event in events:
        previous = made[-1].hash if made else NO_HASH
        unsealed = event.model_copy(update={"previous_hash": previous})
        made.append(unsealed.model_copy(update={"hash": unsealed.content_hash()}))
    return tuple(made)
