"""``beleg suite apply-labels`` as a person meets it."""

from __future__ import annotations

from pathlib import Path

from beleg.app.suite_labels import labels_file
from cli.projects import beleg
from support.unjudged import PLACE, unjudged_project
from unit.app.test_suite_labels import said


def test_the_copy_is_written_and_the_difference_is_what_was_labelled(tmp_path: Path) -> None:
    project = unjudged_project(tmp_path)
    labels = said(project, {}).relative_to(project)
    done = beleg("suite", "apply-labels", PLACE, str(labels), "--out", "suite-2", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "New evidence: 1, cases that have some: 1"
    assert done.lines[-1] == "Next: beleg suite diff suite/suite.yaml suite-2/suite.yaml"
    differs = beleg("suite", "diff", PLACE, "suite-2/suite.yaml", cwd=project)
    assert "expected_passages" in differs.out
    again = beleg("suite", "apply-labels", PLACE, str(labels), "--out", "suite-2", cwd=project)
    assert again.code == 2
    assert "holds something already" in again.err


def test_json_counts_what_was_left_out(tmp_path: Path) -> None:
    project = unjudged_project(tmp_path)
    said(project, {"question_digest": "sha256:other"}, {})
    labels = labels_file(project, "shop")
    told = beleg("suite", "apply-labels", PLACE, str(labels), "--out", "suite-2", "--json", cwd=project).json
    assert (told["added"], told["stale"], told["disputed"]) == (1, 1, 0)
