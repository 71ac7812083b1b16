"""A form makes one event, or is told why it makes none."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.workbench.review_acting import Outcome, act, assign
from beleg.app.workbench.review_forms import ReviewForm
from beleg.app.workbench.review_room import ReviewRoom, RunReview
from beleg.app.workbench.workspace import Workspace
from beleg.core.errors import UsageError
from support.review_projects import RUN_ID, review_project

CLAIM = "C-017-1"


@pytest.fixture
def found(tmp_path: Path) -> RunReview:
    project = review_project(tmp_path)
    return ReviewRoom.of(project).open(Workspace(project).run(RUN_ID))


def form(found: RunReview, do: str = "verdict", version: int = 0, key: str = "k", **typed: str) -> ReviewForm:
    given = {"support": "supported", "support_rationale": "So it is."} if do == "verdict" else {}
    digest = found.desk.subjects[CLAIM].digest
    hidden = {"do": do, "version": str(version), "evidence_digest": digest, "idempotency_key": key}
    return ReviewForm.model_validate(hidden | given | typed)


def test_a_form_makes_one_event_however_often_it_is_sent(found: RunReview) -> None:
    done = [act(found.desk, CLAIM, form(found, spent_ms=spent), "ada") for spent in ("1", "2")]
    assert [(each.outcome, each.new) for each in done] == [(Outcome.DONE, 1), (Outcome.DONE, 0)]


def test_a_form_of_before_makes_none(found: RunReview) -> None:
    act(found.desk, CLAIM, form(found), "ada")
    for do, typed in (("verdict", {}), ("dispute", {"about": "1", "reason": "No."}), ("note", {"note": "Hm."})):
        assert act(found.desk, CLAIM, form(found, do, key=do, **typed), "bob").outcome is Outcome.MOVED_ON
    assert len(found.desk.ledger.events()) == 1


def test_a_form_about_another_row_makes_none(found: RunReview) -> None:
    old = form(found).model_copy(update={"evidence_digest": "sha256:older"})
    assert act(found.desk, CLAIM, old, "ada").outcome is Outcome.OTHER_ROW
    note = form(found, "note", note="Hm.").model_copy(update={"evidence_digest": "sha256:older"})
    assert act(found.desk, CLAIM, note, "ada").outcome is Outcome.OTHER_ROW


def test_what_does_not_follow_is_refused_in_the_words_of_the_ledger(found: RunReview) -> None:
    act(found.desk, CLAIM, form(found), "ada")
    own = act(found.desk, CLAIM, form(found, "dispute", 1, "d", about="1", reason="No."), "ada")
    assert own.outcome is Outcome.REFUSED
    assert "one's own" in (own.told or "")


def test_replacing_takes_a_verdict_and_a_reason_and_tells_both_at_once(found: RunReview) -> None:
    act(found.desk, CLAIM, form(found), "ada")
    wrong = act(found.desk, CLAIM, form(found, "supersede", 1, "s", about="1", support="supported"), "ada")
    assert wrong.outcome is Outcome.WRONG
    assert wrong.fields == {"support_rationale": "needs_rationale", "reason": "needs_text"}
    without = form(found, "withdraw", 1, "w", reason="Wrong.")
    assert act(found.desk, CLAIM, without, "ada").fields == {"reason": "unusable"}


def test_a_claim_that_is_not_there_is_told(found: RunReview) -> None:
    with pytest.raises(UsageError, match="has no claim"):
        act(found.desk, "none", form(found), "ada")
    with pytest.raises(UsageError, match="has no claim"):
        assign(found.desk, ["none"], "bob", by="ada")


def test_assigning_takes_claims_and_a_name(found: RunReview) -> None:
    assert assign(found.desk, [], "bob", by="ada").fields == {"claim": "needs_claims"}
    assert assign(found.desk, [CLAIM], " ", by="ada").fields == {"assignee": "needs_text"}
    assert [assign(found.desk, [CLAIM], "bob", by="ada").new for _ in range(2)] == [1, 0]
