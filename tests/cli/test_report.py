from __future__ import annotations

import json
import shutil
from pathlib import Path

from cli.projects import beleg


def test_a_report_ends_well_whatever_the_verdict_and_names_its_files(project: Path, tmp_path: Path) -> None:
    words = ("report", "runs/worse", "--policy", "policy.yaml", "--out", str(tmp_path / "out"))
    done = beleg(*words, cwd=project)
    decision = json.loads((tmp_path / "out" / "decision.json").read_text())
    assert (done.code, done.err) == (0, "")
    assert decision["verdict"] == "REVIEW"
    assert done.lines[0] == f"REVIEW: {decision['headline']['en']}"
    assert [Path(line).name for line in done.lines[1:4]] == ["report.html", "report.md", "decision.json"]
    assert all(Path(line).is_file() for line in done.lines[1:4])
    assert done.lines[-1] == f"Next: open {tmp_path / 'out' / 'report.html'} in a browser"


def test_json_names_the_verdict_and_the_files(project: Path, tmp_path: Path) -> None:
    words = ("report", "runs/worse", "--policy", "policy.yaml", "--out", str(tmp_path), "--json")
    found = beleg(*words, cwd=project).json
    assert found["verdict"] == json.loads(Path(found["decision"]).read_text())["verdict"]
    assert Path(found["html"]).is_file()
    assert Path(found["markdown"]).is_file()


def test_by_default_the_report_stands_beside_the_run(project: Path, tmp_path: Path) -> None:
    # A copy, since what stands beside a run is what other commands on it find.
    own = shutil.copytree(project, tmp_path / "project")
    done = beleg("report", "runs/good", "--policy", "policy.yaml", cwd=own)
    assert done.lines[1] == "runs/good/decision/report.html"


def test_a_sheet_beside_the_run_is_in_the_report_and_one_that_is_not_built_is_named(
    project: Path, tmp_path: Path
) -> None:
    shutil.copytree(project / "runs/worse", tmp_path / "run")
    words = ("report", str(tmp_path / "run"), "--policy", "policy.yaml", "--out", str(tmp_path / "out"))
    beleg(*words, cwd=project)
    before = (tmp_path / "out/report.html").read_text("utf-8")
    assert 'id="sheet-index"' not in before
    assert f"beleg sheet build {tmp_path / 'run'}" in before
    assert beleg("sheet", "build", str(tmp_path / "run"), cwd=project).code == 0
    beleg(*words, cwd=project)
    assert 'id="sheet-index"' in (tmp_path / "out/report.html").read_text("utf-8")


def test_the_summary_begins_with_the_headline_and_three_things(project: Path, tmp_path: Path) -> None:
    words = ("report", "runs/worse", "--policy", "policy.yaml", "--out", str(tmp_path), "--lang", "de")
    beleg(*words, cwd=project)
    lines = [line for line in (tmp_path / "report.md").read_text("utf-8").splitlines() if line]
    assert lines[0].startswith("## ◐ REVIEW: ")
    assert lines[1].startswith("1. **Was entscheidet:** ◐ ")
    assert lines[2].startswith("2. **Zuerst ansehen:** ")
    assert lines[3].startswith("3. **Was das ändert:** ")
