"""What is read of a project lies in the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.workbench.services import Workbench
from beleg.app.workbench.suites import SuiteShelf
from beleg.app.workbench.walking import DEEPEST, outward_links, require_within
from beleg.app.workbench.workspace import Workspace
from beleg.core.errors import EvidenceError
from support.packs import decided


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_text("of another tenant", encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return decided(tmp_path / "project").folder


def test_links_out_of_a_project_are_found_and_others_left(project: Path, outside: Path) -> None:
    (project / "latest").symlink_to(project / "new", target_is_directory=True)
    (project / "new" / "same").symlink_to("suite.json")
    assert outward_links(project) == ()
    planted = [project / "new" / "folder", project / "new" / "later", project / "top"]
    planted[0].symlink_to(outside, target_is_directory=True)
    planted[1].symlink_to(outside / "nothing yet")
    planted[2].symlink_to("../outside/secret.txt")
    assert outward_links(project) == tuple(planted)


def test_a_link_through_a_link_is_found(project: Path, outside: Path) -> None:
    (project / "one").symlink_to(project / "two")
    (project / "two").symlink_to(outside / "secret.txt")
    assert outward_links(project) == (project / "one", project / "two")


def test_folders_are_gone_into_as_deep_as_anything_is_read(project: Path, outside: Path) -> None:
    folder = project.joinpath(*["deep"] * DEEPEST)
    folder.mkdir(parents=True)
    (folder / "link").symlink_to(outside)
    assert outward_links(project) == (folder / "link",)


def test_only_what_holds_the_link_is_refused(project: Path) -> None:
    link = project / "new" / "decision" / "junit.xml"
    require_within(project / "released", (link,))
    with pytest.raises(EvidenceError, match=r"decision/junit\.xml is a link that leads out of the project"):
        require_within(project / "new", (link,))


@pytest.mark.parametrize("name", ["suite.json", "traces.jsonl", "evidence", "findings.jsonl"])
def test_a_run_with_a_file_from_elsewhere_is_told_and_not_shown(project: Path, outside: Path, name: str) -> None:
    (project / "new" / name).unlink(missing_ok=True)
    (project / "new" / name).symlink_to(outside / "secret.txt")
    found = Workspace(project).holdings()
    assert [run.run_id for run in found.runs] == ["released-1"]
    assert "leads out of the project" in found.unreadable[0].why


@pytest.mark.parametrize("name", ["junit.xml", "report.md", "policy.json", "overrides"])
def test_a_decision_with_a_file_from_elsewhere_is_told_and_not_shown(project: Path, outside: Path, name: str) -> None:
    (project / "new" / "decision" / name).unlink(missing_ok=True)
    (project / "new" / "decision" / name).symlink_to(outside / "secret.txt")
    found = Workspace(project).holdings()
    assert found.decisions == ()
    assert len(found.unreadable) == 2


def test_a_released_suite_with_a_file_from_elsewhere_is_told(project: Path, outside: Path) -> None:
    folder = project / "suites" / "s" / "v1"
    folder.mkdir(parents=True)
    (folder / "release.json").write_text("{}", encoding="utf-8")
    (folder / "cases.jsonl").symlink_to(outside / "secret.txt")
    suites, unreadable = SuiteShelf(project).suites()
    assert suites == ()
    assert "leads out of the project" in unreadable[0].why


@pytest.mark.parametrize(
    "place", [".beleg", ".beleg/workbench", ".beleg/workbench/reviews.db", ".beleg/workbench/labels"]
)
def test_what_the_workbench_keeps_is_of_the_project(project: Path, outside: Path, place: str) -> None:
    (project / place).parent.mkdir(parents=True, exist_ok=True)
    (project / place).symlink_to(outside, target_is_directory=True)
    with pytest.raises(EvidenceError, match="leads out of the project"):
        Workbench.open(project)
    with pytest.raises(EvidenceError, match="leads out of the project"):
        Workspace(project).holdings()
