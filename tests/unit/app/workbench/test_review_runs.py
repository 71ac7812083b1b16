"""Progress is counted by claim and by person, and a queue says nothing of what was decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.review_lines import VerdictLine
from beleg.app.workbench.review_queues import QueueRequest, ReviewQueue
from beleg.app.workbench.review_room import LEDGER_FILE, ReviewRoom
from beleg.app.workbench.review_runs import QueueRow, people_of, queue_page, runs_to_review, states_of
from beleg.app.workbench.workspace import Workspace
from beleg.core.evidence import SupportVerdict
from support.review_projects import RUN_ID, review_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return review_project(tmp_path)


def line(claim_id: str, spent_ms: int | None) -> VerdictLine:
    return VerdictLine(
        claim_id=claim_id, support=SupportVerdict.SUPPORTED, support_rationale="So it is.", spent_ms=spent_ms
    )


def test_who_has_what_and_how_long_a_claim_takes(project: Path) -> None:
    room, run = ReviewRoom.of(project), Workspace(project).run(RUN_ID)
    found = room.open(run)
    found.desk.assign(["C-017-1", "C-017-2"], "ada", by="lead")
    found.desk.record([line("C-017-1", 9_000), line("C-017-3", 1_000), line("C-017-4", None)], by="ada")
    (told,) = runs_to_review(room, [run], project)
    (ada,) = told.people
    assert (ada.assigned, ada.left, ada.decided, ada.seconds, ada.timed) == (2, 1, 3, 5.0, 2)
    assert [(each.word.en, each.claims) for each in told.states] == [("unreviewed", 1), ("reviewed", 3)]
    assert (told.claims, told.path, told.fault) == (4, "runs/seventeen", None)


def test_a_run_without_a_sheet_and_a_damaged_one_are_told_and_do_not_hide_others(project: Path) -> None:
    run = Workspace(project).run(RUN_ID)
    header = run.path / "evidence" / "header.json"
    header.write_text("{", "utf-8")
    (broken,) = runs_to_review(ReviewRoom.of(project), [run], project)
    assert broken.fault is not None
    header.unlink()
    (absent,) = runs_to_review(ReviewRoom.of(project), [run], project)
    assert (absent.claims, absent.fault, absent.states) == (None, None, ())
    assert not (project / LEDGER_FILE).exists()


def test_a_queue_is_cut_into_pages_and_a_page_beyond_the_end_is_the_last(project: Path) -> None:
    found = ReviewRoom.of(project).open(Workspace(project).run(RUN_ID))
    page = queue_page(found, QueueRequest(queue=ReviewQueue.ALL, person="ada"), 99)
    assert (page.page, page.pages, page.total, page.left, page.first_open) == (1, 1, 4, 4, "C-017-1")
    assert not {"support", "attribution", "rationale", "machine"} & set(QueueRow.__dataclass_fields__)


def test_nothing_is_counted_where_nothing_happened() -> None:
    assert people_of({}, ()) == ()
    assert [(each.word.en, each.claims) for each in states_of({}, 3)] == [("unreviewed", 3)]
    assert states_of({}, 0) == ()
