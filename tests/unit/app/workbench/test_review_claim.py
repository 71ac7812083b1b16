"""A claim shows a reviewer no more than they may see, and never forgets what they decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.review_lines import VerdictLine
from beleg.app.workbench.review_claim import ATTRIBUTION_CHOICES, SUPPORT_CHOICES, ReviewedClaim, reviewed_claim
from beleg.app.workbench.review_room import ReviewRoom, RunReview
from beleg.app.workbench.workspace import Workspace
from beleg.core.evidence import Condition, SupportVerdict
from beleg.core.review import ReviewEventKind
from support.review_projects import RUN_ID, rebuild, review_project
from support.review_runs import q017_case

CLAIM = "C-017-1"
LINE = VerdictLine(claim_id=CLAIM, support=SupportVerdict.SUPPORTED, support_rationale="So it is.", note="Hm.")
OTHER = LINE.model_copy(update={"support": SupportVerdict.NOT_SUPPORTED})


@pytest.fixture
def room(tmp_path: Path) -> ReviewRoom:
    return ReviewRoom.of(review_project(tmp_path))


def now(room: ReviewRoom) -> RunReview:
    return room.open(Workspace(room.root).run(RUN_ID))


def seen(room: ReviewRoom, person: str = "ada", *, is_reviewer: bool = True) -> ReviewedClaim:
    return reviewed_claim(now(room), CLAIM, person, is_reviewer=is_reviewer)


def quoted(view: ReviewedClaim) -> list[str]:
    return [part.text for passage in view.passages for part in passage.parts if part.is_quoted]


def test_the_verdicts_stand_in_the_order_of_the_keys() -> None:
    assert [each.value for each in SUPPORT_CHOICES] == [
        "supported", "partially_supported", "not_supported", "not_assessable",
    ]  # fmt: skip
    assert [each.value for each in ATTRIBUTION_CHOICES][:4] == ["attached", "missing", "wrong_target", "unresolvable"]


def test_a_blind_reviewer_sees_the_evidence_and_neither_proposal_nor_quote(room: ReviewRoom) -> None:
    now(room).desk.record([LINE], by="bob")
    view = seen(room)
    assert (view.shows_machine, view.shows_people, view.standing, quoted(view)) == (False, False, (), [])
    assert view.condition.en == "blind"
    assert view.answer is not None
    assert "".join(part.text for part in view.answer).startswith("Sie können jeden Artikel")
    (entry,) = view.history
    assert (entry.actor, entry.is_hidden, entry.verdicts, entry.texts) == ("bob", True, (), ())


def test_asking_for_the_proposal_shows_it_with_its_quote_and_says_so(room: ReviewRoom) -> None:
    now(room).desk.show(CLAIM, to="ada", what=Condition.SAW_MACHINE)
    view = seen(room)
    assert (view.shows_machine, view.shows_people) == (True, False)
    assert quoted(view) == ["Final-Sale-Artikel sind ausgeschlossen."]
    assert view.condition.en == "had seen the machine's proposal"
    assert not seen(room, "bob").shows_machine


def test_who_decided_sees_everything_and_what_they_decided(room: ReviewRoom) -> None:
    now(room).desk.record([OTHER], by="bob")
    now(room).desk.record([LINE], by="ada")
    view = seen(room)
    assert view.own is not None
    assert (view.own.typed["support"], view.own.typed["support_rationale"]) == ("supported", "So it is.")
    assert [each.actor for each in view.standing] == ["bob"]
    assert not view.may_settle
    assert [entry.is_hidden for entry in view.history] == [False, False]
    assert view.history[0].texts == ("Hm.",)


def test_a_third_person_who_looked_may_settle_and_nobody_else(room: ReviewRoom) -> None:
    now(room).desk.record([LINE], by="ada")
    now(room).desk.record([OTHER], by="bob")
    assert not seen(room, "carl").may_settle
    now(room).desk.show(CLAIM, to="carl", what=Condition.SAW_HUMAN)
    assert seen(room, "carl").may_settle
    now(room).desk.decide(ReviewEventKind.ADJUDICATED, LINE, by="carl", about=1, reason="By the annex.")
    assert [each.actor for each in seen(room).standing] == ["bob", "carl"]


def test_a_dispute_about_a_verdict_that_was_withdrawn_leaves_nothing_to_settle(room: ReviewRoom) -> None:
    now(room).desk.record([LINE], by="ada")
    now(room).desk.speak(ReviewEventKind.DISPUTED, CLAIM, by="bob", about=1, text="No.")
    now(room).desk.speak(ReviewEventKind.WITHDRAWN, CLAIM, by="ada", about=1, text="Right.")
    now(room).desk.show(CLAIM, to="carl", what=Condition.SAW_HUMAN)
    assert (seen(room, "carl").may_settle, seen(room, "carl").standing) == (False, ())


def test_who_may_not_review_sees_everything(room: ReviewRoom) -> None:
    now(room).desk.record([LINE], by="bob")
    view = seen(room, "olga", is_reviewer=False)
    assert (view.shows_machine, view.shows_people, view.may_settle) == (True, True, False)
    assert [each.actor for each in view.standing] == ["bob"]


def test_a_sheet_that_names_two_claims_alike_is_shown_and_not_a_fault_of_ours(room: ReviewRoom) -> None:
    alike = tuple(row.model_copy(update={"claim_id": CLAIM}) for row in q017_case().claims)
    rebuild(room.root, q017_case().model_copy(update={"claims": alike}))
    now(room).desk.record([LINE], by="ada")
    view = seen(room)
    assert view.own is not None
    assert view.claim.row == alike[-1]
