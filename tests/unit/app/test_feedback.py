"""Feedback beside a run: checked line by line, appended once, and told where it is damaged."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from beleg.app.feedback import FEEDBACK_FILE, feedback_of, store_feedback, take_in_feedback
from beleg.core.errors import DataError, EvidenceError, UsageError
from beleg.core.feedback import Feedback, Rating
from beleg.run.folder import RunFolder
from support.review_projects import review_project

LINE = {"case_id": "one", "rating": "down", "at": "2026-11-30T12:00:00Z", "source": "shop-widget", "comment": "Wrong."}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return review_project(tmp_path) / "runs" / "seventeen"


def written(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "thumbs.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_it_is_appended_once_however_often_it_is_given(run: Path, tmp_path: Path) -> None:
    up = LINE | {"rating": "up", "comment": "Fine."}
    first = take_in_feedback(run, written(tmp_path, LINE, up))
    assert (first.new, first.known, first.down) == (2, 0, 1)
    before = (run / FEEDBACK_FILE).read_bytes()
    again = take_in_feedback(run, written(tmp_path, LINE, up, LINE))
    assert (again.new, again.known, again.digest) == (0, 3, first.digest)
    assert (run / FEEDBACK_FILE).read_bytes() == before
    more = take_in_feedback(run, written(tmp_path, LINE | {"comment": "Still wrong."}))
    assert (more.new, more.down) == (1, 2)
    assert (run / FEEDBACK_FILE).read_bytes().startswith(before)
    assert [each.rating for each in feedback_of(run)["one", 0]] == [Rating.DOWN, Rating.UP, Rating.DOWN]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rating": "meh"}, r"thumbs\.jsonl:2.*rating"),
        ({"case_id": "another"}, r"thumbs\.jsonl:2.*case_id.*no such case"),
        ({"repeat": 7}, r"thumbs\.jsonl:2.*repeat.*1 attempts"),
        ({"at": "2026-11-30T12:00:00"}, r"thumbs\.jsonl:2.*at"),
        ({"comment": "x" * 4_001}, r"thumbs\.jsonl:2.*comment"),
        ({"stars": 5}, r"thumbs\.jsonl:2.*stars"),
    ],
)
def test_what_is_wrong_is_told_by_line_and_field_and_nothing_is_taken_in(
    run: Path, tmp_path: Path, wrong: dict[str, Any], told: str
) -> None:
    with pytest.raises(DataError, match=told):
        take_in_feedback(run, written(tmp_path, LINE, LINE | wrong))
    assert not (run / FEEDBACK_FILE).exists()


def test_a_line_without_a_source_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="source"):
        take_in_feedback(run, written(tmp_path, {name: each for name, each in LINE.items() if name != "source"}))


def test_a_line_that_was_changed_is_told(run: Path, tmp_path: Path) -> None:
    take_in_feedback(run, written(tmp_path, LINE, LINE | {"comment": "No."}))
    path = run / FEEDBACK_FILE
    path.write_text(path.read_text(encoding="utf-8").replace("Wrong.", "Right."), encoding="utf-8")
    with pytest.raises(EvidenceError, match=r"jsonl:1: .*damaged"):
        feedback_of(run)


def test_a_line_that_a_kill_cut_is_dropped(run: Path, tmp_path: Path) -> None:
    take_in_feedback(run, written(tmp_path, LINE))
    path = run / FEEDBACK_FILE
    with path.open("ab") as file:
        file.write(b'{"check":"0123')
    assert len(feedback_of(run)["one", 0]) == 1
    assert take_in_feedback(run, written(tmp_path, LINE | {"comment": "No."})).new == 1
    assert len(feedback_of(run)["one", 0]) == 2


def test_nobody_writes_while_somebody_writes(run: Path) -> None:
    given = Feedback(case_id="one", rating=Rating.UP, at=datetime(2026, 11, 30, tzinfo=UTC), source="s")
    with RunFolder(run).locked(), pytest.raises(UsageError, match="another process"):
        store_feedback(run, [given])


def test_a_run_without_feedback_has_none(run: Path) -> None:
    assert feedback_of(run) == {}
