"""What a review action must say before any ledger takes it, and how events are chained."""

import hashlib
import json
from datetime import UTC, datetime, timedelta, timezone

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


def test_a_verdict_stands_in_no_event_that_decides_nothing():
    with pytest.raises(ValidationError, match="in no other"):
        _action(ReviewEventKind.NOTE_ADDED, note="x", attribution=VERDICT)


def test_whoever_comes_second_is_told_what_to_do():
    what, remedy = StreamMovedOn("r1/C-1", 2, 3).diagnostics().split("\n")
    assert what == "r1/C-1 was changed in between: it is at version 3, and you looked at version 2"
    assert remedy == "Look at the claim again, then decide"


def test_nobody_is_shown_blindness():
    with pytest.raises(ValidationError, match="what was shown"):
        _action(ReviewEventKind.SHOWN, shown=Condition.BLIND)


WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _chained(previous=NO_HASH, at=WHEN, **given):
    action = _action(ReviewEventKind.NOTE_ADDED, **{"note": "„Umlaute“ 👩‍👩‍👧 \x00"} | given)
    return ReviewEvent.chained(action, sequence=1, version=1, recorded_at=at, previous_hash=previous)


def test_the_hash_is_sha_256_over_the_hash_before_and_the_canonical_content():
    # All keys are ASCII and there is no fraction, where RFC 8785 is what Python's own writer gives with sorted keys.
    event = _chained()
    content = {
        "action": {
            "actor": "R. Ito", "evidence_digest": "sha256:0", "expected_version": 0, "idempotency_key": "k",
            "kind": "note_added", "note": "„Umlaute“ 👩‍👩‍👧 \x00", "stream": "r1/C-017-1",
        },
        "recorded_at": "2026-11-30T12:00:00Z", "sequence": 1, "version": 1,
    }  # fmt: skip
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert event.hash == hashlib.sha256((NO_HASH + text).encode()).hexdigest()
    assert event.content_hash() == event.hash


def test_every_part_of_an_event_moves_its_hash():
    hashes = {
        _chained().hash, _chained(previous="1" * 64).hash, _chained(at=WHEN + timedelta(microseconds=1)).hash,
        _chained(note="other").hash, _chained(actor="other").hash, _chained(spent_ms=0).hash,
    }  # fmt: skip
    assert len(hashes) == 6


def test_one_moment_has_one_hash_whatever_its_zone_and_no_zone_is_refused():
    assert _chained(at=WHEN.astimezone(timezone(timedelta(hours=5.5)))).hash == _chained().hash
    with pytest.raises(UsageError, match="time zone"):
        _chained(at=WHEN.replace(tzinfo=None))


def test_an_event_survives_being_written_and_read():
    event = _chained()
    again = ReviewEvent.model_validate_json(event.model_dump_json(exclude_none=True))
    assert again == event
    assert again.content_hash() == event.hash
