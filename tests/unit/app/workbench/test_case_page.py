"""A case over both runs of a project, as the services tell it (`case_page`, `case_judged`, `run_page`, `run_list`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.app.workbench.case_list import Listing
from beleg.app.workbench.case_page import CaseResult, case_page
from beleg.app.workbench.run_list import run_list
from beleg.app.workbench.run_page import run_page
from beleg.app.workbench.services import Workbench
from beleg.core.errors import EvidenceError, UsageError
from support.run_pages import OLDER, QUOTE, RUN, indexed, project


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    project(tmp_path)
    indexed(tmp_path)
    opened = Workbench.open(tmp_path)
    yield opened
    opened.close()


def shown(workbench: Workbench, case_id: str) -> CaseResult:
    result = case_page(workbench, RUN, case_id, Listing()).result
    assert result is not None
    return result


def test_what_a_judge_found_stands_beside_the_attempt_that_it_judged(workbench: Workbench) -> None:
    first, second = shown(workbench, "plain").attempts
    assert second.judged == ()
    (view,) = first.judged
    assert view.claims[0].quotes == ((QUOTE, "p-gold"),)
    assert [name for name, _ in view.others] == ["more"]
    assert view.replies[0].parts[0].text == '{"raw": "plain"}'
    assert first.anchors["p-gold"] in {passage.anchor for passage in first.passages}


def test_every_repeat_has_its_own_scores_and_a_missing_one_says_why(workbench: Workbench) -> None:
    rows = {row.score.metric: row for row in shown(workbench, "c01").scores}
    assert rows["recall@5"].score.value is None
    assert rows["recall@5"].note == "http: plain"
    assert len(rows["recall@5"].by_repeat) == 2


def test_a_case_is_followed_over_runs_the_newest_first(workbench: Workbench) -> None:
    history = shown(workbench, "c02").history
    assert [(row.run_id, row.is_this, row.case.lost_at) for row in history] == [
        (RUN, True, "delivered"),
        (OLDER, False, "delivered"),
    ]


def test_a_line_that_was_changed_since_is_refused(workbench: Workbench) -> None:
    place = workbench.index.traces(RUN, "c05")[0]
    path = workbench.workspace.run(RUN).path / "traces.jsonl"
    data, stamp = bytearray(path.read_bytes()), path.stat()
    data[place.start + 60] ^= 1
    path.write_bytes(data)
    # Somebody who sets the time back gets past the digest of the run, and not past the check of the line.
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    with pytest.raises(EvidenceError, match="damaged"):
        shown(workbench, "c05")
    assert shown(workbench, "c06").attempts


def test_a_case_that_is_not_there_is_refused(workbench: Workbench) -> None:
    with pytest.raises(UsageError, match="no case"):
        shown(workbench, "nothing")


def test_a_run_tells_what_was_indexed(workbench: Workbench) -> None:
    view = run_page(workbench, RUN, Listing())
    assert view.result is not None
    assert view.result.summary.finished == 120
    assert {row.metric for row in view.result.figures} >= {"recall@5", "latency_ms"}
    assert view.result.waterfall is not None
    assert [row.run_id for row in run_list(workbench).rows] == [RUN, OLDER]
    assert not run_list(workbench).is_waiting
