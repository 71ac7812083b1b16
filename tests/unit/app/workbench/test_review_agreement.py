"""Agreement is told with its interval or with the reason why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.review_lines import VerdictLine
from beleg.app.workbench.review_agreement import agreement_views, disagreements_of
from beleg.app.workbench.review_room import ReviewRoom, RunReview
from beleg.app.workbench.workspace import Workspace
from beleg.core.evidence import SupportVerdict
from support.review_projects import RUN_ID, review_project


@pytest.fixture
def room(tmp_path: Path) -> ReviewRoom:
    return ReviewRoom.of(review_project(tmp_path))


def now(room: ReviewRoom) -> RunReview:
    return room.open(Workspace(room.root).run(RUN_ID))


def judge(room: ReviewRoom, who: str, *verdicts: str) -> None:
    lines = [
        VerdictLine(claim_id=f"C-017-{number}", support=SupportVerdict(verdict), support_rationale="So it is.")
        for number, verdict in enumerate(verdicts, start=1)
    ]
    now(room).desk.record(lines, by=who)


def reasons(room: ReviewRoom) -> dict[str, str | None]:
    return {figure.name: figure.reason for figure in agreement_views(now(room))[1].figures}


def test_without_two_people_nothing_is_defined(room: ReviewRoom) -> None:
    judge(room, "ada", "supported")
    assert set(reasons(room).values()) == {"no_pairs"}
    assert agreement_views(now(room))[1].single == 1


def test_two_people_who_differ(room: ReviewRoom) -> None:
    judge(room, "ada", "supported", "not_supported", "supported")
    judge(room, "bob", "supported", "supported", "supported")
    attribution, support = agreement_views(now(room))
    assert {figure.reason for figure in attribution.figures} == {"no_pairs"}
    raw = support.figures[0]
    assert raw.value == pytest.approx(2 / 3)
    assert (support.units, support.cases, support.raters, support.differing) == (3, 1, ("ada", "bob"), ("C-017-2",))


def test_kappa_is_for_two_and_nothing_is_beyond_chance_where_all_say_the_same(room: ReviewRoom) -> None:
    for who in ("ada", "bob"):
        judge(room, who, "supported", "supported")
    assert reasons(room)["kappa"] == "one_verdict"
    judge(room, "carl", "supported", "supported")
    assert reasons(room)["kappa"] == "not_two"


def test_what_is_to_be_settled_is_listed_page_by_page(room: ReviewRoom) -> None:
    judge(room, "ada", "supported", "not_supported")
    judge(room, "bob", "supported", "supported")
    listed = disagreements_of(now(room), "ada", 7)
    assert (listed.total, listed.page, listed.pages) == (1, 1, 1)
    (one,) = listed.shown
    assert (one.claim.claim_id, [each.en for each in one.differs_on], one.disputes) == ("C-017-2", ["Support"], 0)
    assert disagreements_of(now(room), "carl", 1).shown[0].claim.standing == ()
