from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from beleg.app.workbench.workspace import Workspace
from beleg.core.errors import UsageError
from support.packs import cases, decided, write_run


def test_runs_and_decisions_are_found_by_what_they_are(tmp_path: Path) -> None:
    decided(tmp_path / "deep" / "down")
    found = Workspace(tmp_path).holdings()
    assert {run.run_id for run in found.runs} == {"new-1", "released-1"}
    assert [entry.decision.candidate.run_id for entry in found.decisions] == ["new-1"]
    assert found.unreadable == ()


def test_hidden_folders_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = write_run(tmp_path / "outside", "secret", cases(2))
    inside = tmp_path / "project"
    (inside / ".hidden").mkdir(parents=True)
    shutil.copytree(outside, inside / ".hidden" / "run")
    (inside / "link").symlink_to(outside, target_is_directory=True)
    (inside / "file").mkdir()
    (inside / "file" / "run.json").symlink_to(outside / "run.json")
    assert Workspace(inside).holdings().runs == ()


def test_a_damaged_run_is_told_beside_the_good_ones(tmp_path: Path) -> None:
    write_run(tmp_path, "good", cases(2))
    bad = write_run(tmp_path, "bad", cases(2))
    (bad / "run.json").write_text("{}", encoding="utf-8")
    found = Workspace(tmp_path).holdings()
    assert [run.run_id for run in found.runs] == ["good-1"]
    assert [each.path for each in found.unreadable] == [bad / "run.json"]


def test_a_second_run_of_the_same_name_is_told(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", "one", cases(2))
    shutil.copytree(first, tmp_path / "b" / "one")
    found = Workspace(tmp_path).holdings()
    assert [run.path for run in found.runs] == [first]
    assert "only one of them is shown" in found.unreadable[0].why


def test_only_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(tmp_path)
    workspace = Workspace(tmp_path)
    before = workspace.holdings()
    monkeypatch.setattr("beleg.app.workbench.workspace.read_model", lambda *_: pytest.fail("read again"))
    assert workspace.holdings() == before


def test_what_is_not_there_is_told_by_name(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    with pytest.raises(UsageError, match="no run 'x'"):
        workspace.run("x")
    with pytest.raises(UsageError, match="no decision 'x'"):
        workspace.decision("x")
    with pytest.raises(UsageError, match="is no folder"):
        Workspace(tmp_path / "gone").holdings()
