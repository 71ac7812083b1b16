"""What follows from the events of a claim, and what may follow them."""

from __future__ import annotations

import pytest

from beleg.core.errors import DataError, EvidenceError
from beleg.core.evidence import Condition
from beleg.core.review import ClaimReview, ReviewAction
from beleg.evidence.review_state import (
    ReviewProgress,
    disagreements,
    folded,
    needs,
    progress_of,
    require_allowed,
    verdict_of,
)
from support.review_events import DIGEST, action, attribution, chain, support

STREAM = "r1/C-1"


def state(*actions: ReviewAction) -> ClaimReview:
    return folded(STREAM, chain(*actions))


def says(verdict: str, by: str, **fields: object) -> ReviewAction:
    return action(by=by, support=support(verdict, by=by), **fields)


DIFFER = (says("supported", "ada"), says("not_supported", "bob"))


def test_a_claim_without_events_is_unreviewed() -> None:
    review = state()
    assert (review.version, progress_of(review)) == (0, ReviewProgress.UNREVIEWED)


def test_verdicts_that_say_the_same_are_reviewed_and_others_disagree() -> None:
    assert progress_of(state(says("supported", "ada"), says("supported", "bob"))) is ReviewProgress.REVIEWED
    review = state(*DIFFER)
    assert progress_of(review) is ReviewProgress.DISAGREED
    assert disagreements(review) == ("support",)


def test_attribution_and_support_disagree_apart() -> None:
    first = action(by="ada", support=support(by="ada"), attribution=attribution("attached", "ada"))
    second = action(by="bob", support=support(by="bob"), attribution=attribution("missing", "bob"))
    assert disagreements(state(first, second)) == ("attribution",)


def test_a_replaced_verdict_stays_readable_and_keeps_its_place() -> None:
    new = action("verdict_superseded", "ada", support=support("not_supported", by="ada"))
    review = state(*DIFFER, new)
    assert [event.version for event in review.verdicts] == [3, 2]
    assert [event.version for event in review.superseded] == [1]
    assert progress_of(review) is ReviewProgress.REVIEWED


def test_a_withdrawn_verdict_stays_readable_and_leaves_the_claim_open() -> None:
    review = state(says("supported", "ada"), action("withdrawn", "ada"))
    assert (review.verdicts, progress_of(review)) == ((), ReviewProgress.UNREVIEWED)
    assert [event.version for event in review.superseded] == [1]
    assert needs(review, "ada")


def test_a_dispute_stays_open_until_it_is_settled_and_the_originals_stay() -> None:
    disputed = (says("supported", "ada"), action("disputed", "bob"))
    assert progress_of(state(*disputed)) is ReviewProgress.DISPUTED
    settled = state(*disputed, action("adjudicated", "cleo", supersedes=2))
    assert progress_of(settled) is ReviewProgress.ADJUDICATED
    assert [event.version for event in settled.verdicts] == [1]
    assert [event.version for event in settled.disputes] == [2]
    again = state(*disputed, action("adjudicated", "cleo", supersedes=2), action("disputed", "ada", supersedes=3))
    assert progress_of(again) is ReviewProgress.DISPUTED


def test_a_later_adjudication_takes_the_place_of_the_earlier_one_which_stays_readable() -> None:
    review = state(*DIFFER, action("adjudicated", "cleo"), action("adjudicated", "dan", supersedes=3))
    assert review.adjudication is not None
    assert (review.adjudication.version, [event.version for event in review.superseded]) == (4, [3])


def test_a_row_that_became_another_one_keeps_its_verdicts_as_outdated() -> None:
    rebuilt = action("sheet_rebuilt", "tool", evidence_digest="sha256:new")
    review = state(*DIFFER, action("adjudicated", "cleo"), rebuilt)
    assert [event.version for event in review.outdated] == [1, 2, 3]
    assert (review.verdicts, review.adjudication, review.evidence_digest) == ((), None, "sha256:new")
    anew = state(*DIFFER, rebuilt, says("supported", "ada", evidence_digest="sha256:new"))
    assert [event.version for event in anew.verdicts] == [4]


def test_a_row_that_changed_without_an_event_shows_all_the_same() -> None:
    events = chain(*DIFFER)
    assert len(folded(STREAM, events, evidence_digest=DIGEST).verdicts) == 2
    review = folded(STREAM, events, evidence_digest="sha256:new")
    assert (review.verdicts, len(review.outdated), review.version) == ((), 2, 2)


@pytest.mark.parametrize(
    ("before", "then", "why"),
    [
        ((says("supported", "ada"),), says("not_supported", "ada"), "gave a verdict on it already, as version 1"),
        ((says("supported", "ada"),), action("verdict_superseded", "bob"), "no verdict of bob in force"),
        (DIFFER, action("verdict_superseded", "ada", supersedes=2), "no verdict of ada in force"),
        ((says("supported", "ada"),), action("disputed", "ada"), "one's own"),
        ((says("supported", "ada"),), action("disputed", "bob", supersedes=2), "no verdict in force"),
        ((says("supported", "ada"),), action("adjudicated", "cleo"), "no disagreement to settle"),
        (DIFFER, action("adjudicated", "ada"), "is one of the reviewers"),
        (DIFFER, action("adjudicated", "cleo", supersedes=9), "no verdict or dispute in force"),
        ((says("supported", "ada"),), action("withdrawn", "bob"), "nothing of bob that is in force"),
        ((action("assigned", "lead", assignee="ada"),), action("assigned", "x", assignee="ada"), "assigned to ada"),
        ((says("supported", "ada"),), says("supported", "bob", evidence_digest="sha256:new"), "another one"),
        ((says("supported", "ada"),), action("sheet_rebuilt", "tool"), "the one that was reviewed"),
        ((), action(by="ada", support=support(by="bob")), "in their own name"),
        ((), action(support=support(condition=None)), "what the person had seen"),  # type: ignore[arg-type]
        ((action("shown", "ada"),), says("supported", "ada"), "not blind"),
    ],
)
def test_what_does_not_follow_is_refused_before_and_after_it_was_appended(
    before: tuple[ReviewAction, ...], then: ReviewAction, why: str
) -> None:
    with pytest.raises(DataError, match=why) as told:
        require_allowed(state(*before), then)
    assert told.value.problems[0].remedy or "own name" in why
    with pytest.raises(EvidenceError, match=f"event {len(before) + 1} .*does not follow"):
        state(*before, then)


def test_what_a_machine_decided_is_no_verdict_of_a_person() -> None:
    machine = support().model_copy(update={"decider": support().decider.model_copy(update={"kind": "llm"})})
    with pytest.raises(DataError, match="what people decided"):
        require_allowed(state(), action(support=machine))


def test_whoever_was_shown_more_decides_with_eyes_open() -> None:
    seen = support(by="ada", condition=Condition.SAW_MACHINE)
    review = state(action("shown", "ada"), action(support=seen), says("supported", "bob"))
    assert [event.action.actor for event in review.verdicts] == ["ada", "bob"]
    assert [event.action.actor for event in review.shown] == ["ada"]


def test_events_of_another_place_are_refused() -> None:
    events = chain(*DIFFER)
    with pytest.raises(EvidenceError, match="at its place"):
        folded(STREAM, events[1:])
    with pytest.raises(EvidenceError, match="at its place"):
        folded("r1/C-2", events)


def test_a_claim_is_open_to_its_assignees_and_if_there_are_none_to_everybody() -> None:
    assert needs(state(), "ada")
    assigned = state(action("assigned", "lead", assignee="ada"))
    assert (needs(assigned, "ada"), needs(assigned, "bob")) == (True, False)
    review = state(*DIFFER, action("adjudicated", "cleo"))
    assert not needs(review, "dan")
    assert verdict_of(review, "dan") is None


def test_a_withdrawn_dispute_settles_nothing_and_opens_nothing() -> None:
    review = state(says("supported", "ada"), action("disputed", "bob"), action("withdrawn", "bob", supersedes=2))
    assert progress_of(review) is ReviewProgress.REVIEWED
    assert [event.version for event in review.superseded] == [2]
