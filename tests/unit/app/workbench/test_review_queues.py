"""A queue holds what its name says, and one seed is one order for everybody."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from beleg.app.feedback import store_feedback
from beleg.app.review_lines import VerdictLine
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue, next_open, place_of, queued, thumbs_down
from beleg.app.workbench.review_room import ReviewRoom, RunReview
from beleg.app.workbench.workspace import Workspace
from beleg.core.evidence import Condition, EvidenceCase, SupportVerdict
from beleg.core.feedback import Feedback, Rating
from support.review_projects import RUN_ID, review_project
from support.review_runs import q017_case


@pytest.fixture
def found(tmp_path: Path) -> RunReview:
    project = review_project(tmp_path)
    return ReviewRoom.of(project).open(Workspace(project).run(RUN_ID))


def again(found: RunReview, tmp_path: Path) -> RunReview:
    project = tmp_path / "project"
    return ReviewRoom.of(project).open(Workspace(project).run(RUN_ID))


def wanted(queue: ReviewQueue, person: str = "ada", seed: int = 0) -> QueueRequest:
    return QueueRequest(queue=queue, person=person, seed=seed)


def line(claim_id: str, verdict: SupportVerdict = SupportVerdict.SUPPORTED) -> VerdictLine:
    return VerdictLine(claim_id=claim_id, support=verdict, support_rationale="So it is.")


def test_what_is_left_is_mine_or_nobodys_and_not_decided_by_me(found: RunReview, tmp_path: Path) -> None:
    found.desk.assign(["C-017-1"], "bob", by="lead")
    found.desk.record([line("C-017-2")], by="ada")
    now = again(found, tmp_path)
    assert queued(now, wanted(ReviewQueue.UNREVIEWED)) == ["C-017-3", "C-017-4"]
    assert queued(now, wanted(ReviewQueue.MINE, "bob")) == ["C-017-1"]


def test_low_confidence_is_what_a_machine_is_unsure_of(found: RunReview) -> None:
    proposals = {name: subject.row.support for name, subject in found.desk.subjects.items()}
    unsure = [
        name for name, each in proposals.items()
        if each is not None and (each.verdict in ("partially_supported", "not_assessable") or each.flags)
    ]  # fmt: skip
    assert queued(found, wanted(ReviewQueue.LOW_CONFIDENCE)) == unsure
    assert 0 < len(unsure) < len(proposals)


def test_one_seed_is_one_order_and_what_somebody_was_shown_is_left_out_for_them(
    found: RunReview, tmp_path: Path
) -> None:
    orders = {tuple(queued(found, wanted(ReviewQueue.RANDOM, seed=seed))) for seed in range(30)}
    assert len(orders) > 5
    assert all(sorted(order) == sorted(found.reviews) for order in orders)
    same = queued(found, wanted(ReviewQueue.RANDOM, "bob", 3))
    assert queued(found, wanted(ReviewQueue.RANDOM, "ada", 3)) == same
    found.desk.show(same[0], to="ada", what=Condition.SAW_MACHINE)
    now = again(found, tmp_path)
    assert queued(now, wanted(ReviewQueue.RANDOM, "ada", 3)) == same[1:]
    assert queued(now, wanted(ReviewQueue.RANDOM, "bob", 3)) == same


def test_disputed_is_where_people_differ(found: RunReview, tmp_path: Path) -> None:
    found.desk.record([line("C-017-1"), line("C-017-2")], by="ada")
    found.desk.record([line("C-017-1", SupportVerdict.NOT_SUPPORTED), line("C-017-2")], by="bob")
    assert queued(again(found, tmp_path), wanted(ReviewQueue.DISPUTED)) == ["C-017-1"]


def test_a_claim_that_left_the_queue_is_still_between_its_neighbours(found: RunReview, tmp_path: Path) -> None:
    found.desk.record([line("C-017-2")], by="ada")
    place = place_of("C-017-2", again(found, tmp_path), wanted(ReviewQueue.UNREVIEWED))
    assert (place.number, place.total, place.left) == (None, 3, 3)
    assert (place.previous, place.following, place.next_open) == ("C-017-1", "C-017-3", "C-017-3")


def test_behind_the_last_claim_the_next_open_one_is_looked_for_from_the_beginning(found: RunReview) -> None:
    place = place_of("C-017-4", found, wanted(ReviewQueue.ALL))
    assert (place.number, place.following, place.next_open) == (4, None, "C-017-1")


@pytest.mark.parametrize("queue", list(ReviewQueue))
def test_the_quick_way_to_the_next_open_claim_finds_the_same(
    found: RunReview, tmp_path: Path, queue: ReviewQueue
) -> None:
    found.desk.assign(["C-017-1", "C-017-4"], "ada", by="lead")
    found.desk.record([line("C-017-2")], by="ada")
    now = again(found, tmp_path)
    for claim_id in (*now.reviews, "gone"):
        asked = wanted(queue, seed=5)
        assert next_open(claim_id, now, asked) == place_of(claim_id, now, asked).next_open


class TestThumbsDown:
    """Two answers; users marked the second one down twice, and the first one up."""

    @pytest.fixture
    def marked(self, tmp_path: Path) -> RunReview:
        first, second = q017_case(), renamed(q017_case(), "018")
        project = review_project(tmp_path, first, second)
        run = Workspace(project).run(RUN_ID)
        given = [feedback("Q-018", Rating.DOWN, 1), feedback("Q-018", Rating.DOWN, 2), feedback("Q-017", Rating.UP, 3)]
        store_feedback(run.path, given)
        return ReviewRoom.of(project).open(run)

    def test_only_claims_of_answers_that_were_marked_down_stand_there(self, marked: RunReview) -> None:
        found = queued(marked, wanted(ReviewQueue.THUMBS_DOWN))
        assert found
        assert {marked.desk.subjects[name].case.case_id for name in found} == {"Q-018"}
        assert {thumbs_down(name, marked) for name in found} == {2}

    def test_the_most_often_marked_answer_comes_first(self, marked: RunReview, tmp_path: Path) -> None:
        project = tmp_path / "project"
        run = Workspace(project).run(RUN_ID)
        store_feedback(run.path, [feedback("Q-017", Rating.DOWN, each) for each in range(4, 8)])
        now = ReviewRoom.of(project).open(run)
        cases = [now.desk.subjects[name].case.case_id for name in queued(now, wanted(ReviewQueue.THUMBS_DOWN))]
        assert cases == sorted(cases)
        assert set(cases) == {"Q-017", "Q-018"}

    def test_feedback_that_comes_later_is_seen_without_a_restart(self, marked: RunReview, tmp_path: Path) -> None:
        project = tmp_path / "project"
        room = ReviewRoom.of(project)
        run = Workspace(project).run(RUN_ID)
        before = len(queued(room.open(run), wanted(ReviewQueue.THUMBS_DOWN)))
        store_feedback(run.path, [feedback("Q-017", Rating.DOWN, 9)])
        assert len(queued(room.open(run), wanted(ReviewQueue.THUMBS_DOWN))) > before

    def test_the_next_open_claim_of_the_queue_is_one_of_it(self, marked: RunReview) -> None:
        members = queued(marked, wanted(ReviewQueue.THUMBS_DOWN))
        assert next_open(members[0], marked, wanted(ReviewQueue.THUMBS_DOWN)) == members[1]


def renamed(case: EvidenceCase, number: str) -> EvidenceCase:
    rows = tuple(
        row.model_copy(update={"claim_id": row.claim_id.replace("017", number), "answer_id": f"Q-{number}"})
        for row in case.claims
    )
    return case.model_copy(update={"case_id": f"Q-{number}", "claims": rows})


def feedback(case_id: str, rating: Rating, minute: int) -> Feedback:
    return Feedback(case_id=case_id, rating=rating, at=datetime(2026, 11, 30, 12, minute, tzinfo=UTC), source="w")
