"""What a review action must say before any ledger takes it."""

import hashlib
from datetime import datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from beleg.core.errors import UsageError
from beleg.core.evidence import AttributionDecision, AttributionVerdict, Condition, Decider
from beleg.core.review import NO_HASH, ReviewAction, ReviewEvent, ReviewEventKind, StreamMovedOn

VERDICT = AttributionDecision(
    verdict=AttributionVerdict.MISSING,
    rationale="No mark stands beside it.",
    decider=Decider(kind="human", name="R. Ito"),
    condition=Condition.BLIND,
)


def _action(kind, **given):
    fields = {
        "kind": kind, "stream": "r1/C-017-1", "expected_version": 0, "idempotency_key": "k", "actor": "R. Ito",
        "evidence_digest": "sha256:0",
    }  # fmt: skip
    return ReviewAction(**fields | given)


COMPLETE = {
    ReviewEventKind.ASSIGNED: {"assignee": "M. Abel"},
    ReviewEventKind.VERDICT_RECORDED: {"attribution": VERDICT},
    ReviewEventKind.VERDICT_SUPERSEDED: {"attribution": VERDICT, "supersedes": 1, "reason": "I misread the mark."},
    ReviewEventKind.DISPUTED: {"supersedes": 1, "reason": "The mark stands on the sentence."},
    ReviewEventKind.ADJUDICATED: {"attribution": VERDICT, "supersedes": 1, "reason": "By the recorded rendering."},
    ReviewEventKind.WITHDRAWN: {"supersedes": 1, "reason": "Wrong claim."},
    ReviewEventKind.NOTE_ADDED: {"note": "See the ticket."},
    ReviewEventKind.SHEET_REBUILT: {},
    ReviewEventKind.SHOWN: {"shown": Condition.SAW_MACHINE},
}


@pytest.mark.parametrize("kind", ReviewEventKind)
def test_every_kind_is_taken_when_it_is_complete_and_refused_when_a_part_is_gone(kind):
    complete = COMPLETE[kind]
    assert _action(kind, **complete).kind is kind
    for name in complete:
        with pytest.raises(ValidationError):
            _action(kind, **{key: value for key, value in complete.items() if key != name})


def test_nobody_is_shown_nothing():
    with pytest.raises(ValidationError, match="says what was shown"):
        _action(ReviewEventKind.SHOWN, shown=Condition.BLIND)


def test_the_hash_is_that_of_the_previous_one_and_the_canonical_event():
    at = datetime(2026, 3, 2, 10, 30, tzinfo=timezone(timedelta(hours=1)))
    event = ReviewEvent.chained(
        _action(ReviewEventKind.NOTE_ADDED, note="ü"), sequence=1, version=1, recorded_at=at, previous_hash=NO_HASH
    )
    written = (
        '{"action":{"actor":"R. Ito","evidence_digest":"sha256:0","expected_version":0,"idempotency_key":"k",'
        '"kind":"note_added","note":"ü","stream":"r1/C-017-1"},"recorded_at":"2026-03-02T09:30:00Z","sequence":1,'
        '"version":1}'
    )
    assert event.content().decode() == written
    assert event.hash == event.content_hash() == hashlib.sha256(("0" * 64 + written).encode()).hexdigest()
    with pytest.raises(UsageError, match="time zone"):
        ReviewEvent.chained(
            event.action, sequence=1, version=1, recorded_at=at.replace(tzinfo=None), previous_hash=NO_HASH
        )


def test_a_verdict_stands_in_no_event_that_decides_nothing():
    with pytest.raises(ValidationError, match="in no other"):
        _action(ReviewEventKind.NOTE_ADDED, note="x", attribution=VERDICT)


def test_whoever_comes_second_is_told_what_to_do():
    what, remedy = StreamMovedOn("r1/C-1", 2, 3).diagnostics().split("\n")
    assert what == "r1/C-1 was changed in between: it is at version 3, and you looked at version 2"
    assert remedy == "Look at the claim again, then decide"
