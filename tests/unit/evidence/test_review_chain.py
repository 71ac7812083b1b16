"""What of a changed ledger shows by its chain, and what only by a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.review import NO_HASH, LedgerHead, ReviewEvent
from beleg.evidence.review_chain import ChainFault, ChainReader, checkpoint_payload, verify_chain
from support.review_events import WHEN, action, chain, rechained

EVENTS = chain(*(action("note_added", stream=f"r1/C-{number % 3}", note=str(number)) for number in range(9)))
Change = Callable[[Sequence[ReviewEvent]], Sequence[ReviewEvent]]


def head(size: int, ledger: str = "ours", events: Sequence[ReviewEvent] = EVENTS) -> LedgerHead:
    return LedgerHead(ledger=ledger, size=size, hash=events[size - 1].hash if size else NO_HASH, at=WHEN)


def said(event: ReviewEvent, note: str) -> ReviewEvent:
    return event.model_copy(update={"action": event.action.model_copy(update={"note": note})})


def test_a_ledger_that_nobody_touched_is_whole() -> None:
    finding = verify_chain(EVENTS, ledger="ours", checkpoints=(head(0), head(4), head(9)))
    assert (finding.is_whole, finding.size, finding.hash, finding.checkpoints) == (True, 9, EVENTS[-1].hash, 3)


def test_an_empty_ledger_is_whole() -> None:
    finding = verify_chain((), ledger="ours")
    assert (finding.is_whole, finding.size, finding.hash) == (True, 0, NO_HASH)


@pytest.mark.parametrize(
    ("change", "fault", "at"),
    [
        (lambda events: [*events[:4], said(events[4], "x"), *events[5:]], ChainFault.CHANGED, 5),
        (lambda events: [*events[:4], *events[5:]], ChainFault.OUT_OF_PLACE, 5),
        (lambda events: events[1:], ChainFault.OUT_OF_PLACE, 1),
        (lambda events: [*events[:4], events[3], *events[4:]], ChainFault.OUT_OF_PLACE, 5),
        (lambda events: [*events[:4], events[5], events[4], *events[6:]], ChainFault.OUT_OF_PLACE, 5),
        (lambda events: [*rechained([said(events[0], "x")]), *events[1:]], ChainFault.NOT_BEHIND, 2),
        (
            lambda events: rechained([*events[:4], events[4].model_copy(update={"version": 9}), *events[5:]]),
            ChainFault.VERSION,
            5,
        ),
    ],
)
def test_the_first_event_that_is_not_as_it_was_is_named(change: Change, fault: ChainFault, at: int) -> None:
    finding = verify_chain(change(EVENTS), ledger="ours")
    assert (finding.fault, finding.sequence, finding.size) == (fault, at, at - 1)


@pytest.mark.parametrize(
    ("change", "fault", "at"),
    [
        (lambda events: events[:5], ChainFault.CUT, 6),
        (lambda events: (), ChainFault.EMPTIED, 1),
        (lambda events: rechained([said(events[0], "x"), *events[1:]]), ChainFault.REWRITTEN, None),
        (lambda events: rechained([*events[:6], said(events[6], "x"), *events[7:]]), ChainFault.REWRITTEN, None),
    ],
)
def test_a_cut_emptied_or_rewritten_ledger_shows_by_a_checkpoint_alone(
    change: Change, fault: ChainFault, at: int | None
) -> None:
    assert verify_chain(change(EVENTS), ledger="ours").is_whole
    finding = verify_chain(change(EVENTS), ledger="ours", checkpoints=(head(3), head(8)))
    assert (finding.fault, finding.sequence) == (fault, at)


def test_what_came_after_a_checkpoint_does_not_speak_against_it() -> None:
    assert verify_chain(rechained([*EVENTS[:8], said(EVENTS[8], "x")]), ledger="ours", checkpoints=(head(8),)).is_whole


def test_a_checkpoint_of_another_ledger_is_no_proof() -> None:
    finding = verify_chain(EVENTS, ledger="ours", checkpoints=(head(4, ledger="theirs"),))
    assert finding.fault is ChainFault.OTHER_LEDGER


@given(st.integers(0, 8), st.sampled_from(["note", "actor", "evidence_digest", "idempotency_key", "stream"]))
def test_no_field_of_any_event_changes_unseen(place: int, field: str) -> None:
    changed = EVENTS[place].action.model_copy(update={field: "other"})
    events = [*EVENTS[:place], EVENTS[place].model_copy(update={"action": changed}), *EVENTS[place + 1 :]]
    finding = verify_chain(events, ledger="ours")
    assert (finding.fault, finding.sequence) == (ChainFault.CHANGED, place + 1)


@given(st.lists(st.integers(0, 9), max_size=4))
def test_a_chain_read_in_portions_is_the_same_chain(cuts: list[int]) -> None:
    reader, places = ChainReader((head(5),)), [0, *sorted(cuts), 9]
    for start, end in pairwise(places):
        reader.follow(EVENTS[start:end])
    assert reader.finding("ours") == verify_chain(EVENTS, ledger="ours", checkpoints=(head(5),))


def test_what_cannot_be_read_is_named_and_an_earlier_fault_first() -> None:
    finding = ChainReader().follow(EVENTS[:3]).unreadable().finding("ours")
    assert (finding.fault, finding.sequence) == (ChainFault.UNREADABLE, 4)
    broken = ChainReader().follow([said(EVENTS[0], "x")]).unreadable().finding("ours")
    assert (broken.fault, broken.sequence) == (ChainFault.CHANGED, 1)


def test_what_is_signed_is_the_canonical_form_of_the_head() -> None:
    expected = f'{{"at":"2026-11-30T12:00:00Z","hash":"{EVENTS[8].hash}","ledger":"ours","size":9}}'
    assert checkpoint_payload(head(9)) == expected.encode()
