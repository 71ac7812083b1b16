"""What people decided is folded from events; nothing is lost, and nobody speaks for another."""

from __future__ import annotations

import pytest

from beleg.core.errors import EvidenceError
from beleg.core.evidence import SupportVerdict
from beleg.core.review import ReviewEventKind as Kind
from beleg.evidence.review_fold import claim_reviews
from support.reviews import event, row, support, verdicts

STREAM = "run-1/C-1"
YES, NO = SupportVerdict.SUPPORTED, SupportVerdict.NOT_SUPPORTED


def test_each_reviewer_has_one_verdict_in_force() -> None:
    events = verdicts(("A", YES), ("B", NO))
    found = claim_reviews("run-1", reversed(events))[STREAM]
    assert [each.action.actor for each in found.verdicts] == ["A", "B"]
    assert found.version == 2


def test_a_later_verdict_replaces_the_own_earlier_one_which_stays() -> None:
    events = [
        *verdicts(("A", YES), ("B", NO)),
        event(Kind.VERDICT_SUPERSEDED, version=3, actor="A", support=support(NO, who="A")),
    ]
    found = claim_reviews("run-1", events)[STREAM]
    assert [(each.action.actor, each.version) for each in found.verdicts] == [("A", 3), ("B", 2)]
    assert [each.version for each in found.superseded] == [1]


def test_a_settled_disagreement_keeps_the_originals_and_a_dispute_unsettles_it() -> None:
    settled = [*verdicts(("A", YES), ("B", NO)), event(Kind.ADJUDICATED, version=3, support=support(NO))]
    found = claim_reviews("run-1", settled)[STREAM]
    assert found.adjudication is not None
    assert len(found.verdicts) == 2
    disputed = claim_reviews("run-1", [*settled, event(Kind.DISPUTED, version=4, actor="B")])[STREAM]
    assert [each.version for each in disputed.disputes] == [4]
    assert len(disputed.verdicts) == 2


def test_what_is_withdrawn_is_no_verdict_any_more_and_stays_readable() -> None:
    found = claim_reviews("run-1", [*verdicts(("A", YES)), event(Kind.WITHDRAWN, version=2, actor="A")])[STREAM]
    assert found.verdicts == ()
    assert [each.version for each in found.superseded] == [1]


def test_notes_and_assignments_are_kept() -> None:
    events = [
        event(Kind.NOTE_ADDED, version=1, note="Ask the shop."),
        event(Kind.NOTE_ADDED, version=2, note="Asked."),
    ]
    assert [each.action.note for each in claim_reviews("run-1", events)[STREAM].notes] == ["Ask the shop.", "Asked."]


def test_other_runs_are_left_out_and_a_gap_is_refused() -> None:
    assert claim_reviews("run-2", verdicts(("A", YES))) == {}
    with pytest.raises(EvidenceError, match="does not stand at its place"):
        claim_reviews("run-1", [event(version=2, about=row(), support=support(YES))])
