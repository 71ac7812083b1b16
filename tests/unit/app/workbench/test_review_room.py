"""One ledger for all requests: what others write is seen, and a sheet that was built anew is read anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.review_lines import VerdictLine
from beleg.app.reviewing import ReviewDesk
from beleg.app.workbench.review_room import LEDGER_FILE, MOST_HELD, ReviewRoom
from beleg.app.workbench.workspace import RunEntry, Workspace
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.evidence import SupportVerdict
from support.review_projects import RUN_ID, rebuild, review_project
from support.review_runs import changed, q017_case

LINE = VerdictLine(claim_id="C-017-1", support=SupportVerdict.SUPPORTED, support_rationale="So it is.")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return review_project(tmp_path)


@pytest.fixture
def run(project: Path) -> RunEntry:
    return Workspace(project).run(RUN_ID)


def test_what_a_command_writes_is_seen_by_the_next_request_and_the_other_way_round(
    project: Path, run: RunEntry
) -> None:
    room = ReviewRoom.of(project)
    assert room.open(run).reviews["C-017-1"].version == 0
    with ReviewDesk.open(run.path, str(project / LEDGER_FILE)) as command:
        command.record([LINE], by="ada")
        assert room.open(run).reviews["C-017-1"].version == 1
        room.open(run).desk.record([LINE], by="bob")
        assert command.review("C-017-1").version == 2
    assert [event.action.actor for event in room.open(run).events("C-017-1")] == ["ada", "bob"]
    room.close()


def test_what_was_handed_out_before_stays_as_it_was(project: Path, run: RunEntry) -> None:
    room = ReviewRoom.of(project)
    before = room.open(run)
    before.desk.record([LINE], by="ada")
    after = room.open(run)
    assert (before.reviews["C-017-1"].version, after.reviews["C-017-1"].version) == (0, 1)
    assert (len(before.streams), len(after.streams)) == (0, 1)
    assert before.desk is after.desk


def test_a_sheet_that_was_built_again_is_read_again_and_old_verdicts_are_about_an_older_row(
    project: Path, run: RunEntry
) -> None:
    room = ReviewRoom.of(project)
    room.open(run).desk.record([LINE], by="ada")
    rebuild(project, changed(q017_case(), "C-017-1", citations=()))
    review = room.open(run).reviews["C-017-1"]
    assert (len(review.verdicts), len(review.outdated)) == (0, 1)


def test_the_events_of_two_runs_are_kept_apart(project: Path, run: RunEntry) -> None:
    room = ReviewRoom.of(project)
    room.open(run).desk.record([LINE], by="ada")
    assert set(room.streams(RUN_ID)) == {f"{RUN_ID}/C-017-1"}
    assert room.streams("run-1") == {}
    assert room.streams(f"{RUN_ID}/C-017-1") == {}


def test_a_run_without_a_sheet_is_told(project: Path, run: RunEntry) -> None:
    room = ReviewRoom.of(project)
    assert room.header(run) is not None
    (run.path / "evidence" / "header.json").unlink()
    assert room.header(run) is None
    with pytest.raises(UsageError, match="no evidence sheet"):
        room.open(run)


def test_a_folder_that_cannot_be_made_is_told(project: Path, run: RunEntry) -> None:
    (project / ".beleg").write_text("in the way", "utf-8")
    with pytest.raises(EvidenceError, match="cannot be made"):
        ReviewRoom.of(project).open(run)


def test_only_so_many_sheets_are_held(project: Path, run: RunEntry) -> None:
    room = ReviewRoom.of(project)
    for _ in range(MOST_HELD + 2):
        room.open(run)
    assert len(room._held) == 1
