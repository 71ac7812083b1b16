"""``beleg gate`` for CI systems: files, annotations, the summary of a job, and no network."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from cli.projects import beleg, write_policy

BLOCKS = [{"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9}]


def gate(project: Path, tmp_path: Path, *more: str, run: str = "worse") -> tuple[int, str, str]:
    write_policy(tmp_path / "policy.yaml", checks=BLOCKS)
    words = ("gate", f"runs/{run}", "--policy", str(tmp_path / "policy.yaml"), "--out", str(tmp_path / "out"), *more)
    done = beleg(*words, cwd=project)
    return done.code, done.out, done.err


def test_junit_and_sarif_say_what_the_decision_says(project: Path, tmp_path: Path) -> None:
    code, out, _ = gate(project, tmp_path, "--junit", str(tmp_path / "j.xml"), "--sarif", str(tmp_path / "s.sarif"))
    assert code == 20
    suite = ET.parse(tmp_path / "j.xml").getroot()[0]  # noqa: S314
    assert suite.attrib["failures"] == "2"
    results = json.loads((tmp_path / "s.sarif").read_text())["runs"][0]["results"]
    assert {each["level"] for each in results} == {"error"}
    assert "j.xml" in out
    assert "s.sarif" in out


def test_github_gets_annotations_beside_the_output_and_a_summary(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    code, out, err = gate(project, tmp_path, "--ci", "github", "--json")
    assert code == 20
    assert json.loads(out)["verdict"] == "BLOCK"
    assert err.splitlines()[0].startswith("::error file=policy.yaml,line=")
    assert summary.read_text().startswith("before\n## ■ BLOCK")


def test_gitlab_gets_its_code_quality_report(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = gate(project, tmp_path, "--ci", "gitlab")
    report = project / "gl-code-quality-report.json"
    assert (code, err) == (20, "")
    assert {issue["severity"] for issue in json.loads(report.read_text())} == {"blocker"}
    report.unlink()


def test_a_gate_that_cannot_decide_leaves_no_older_verdict(project: Path, tmp_path: Path) -> None:
    files = (tmp_path / "j.xml", tmp_path / "s.sarif", project / "gl-code-quality-report.json")
    wanted = ("--junit", str(files[0]), "--sarif", str(files[1]), "--ci", "gitlab")
    assert gate(project, tmp_path, *wanted)[0] == 20
    assert all(file.exists() for file in files)
    assert gate(project, tmp_path, *wanted, run="nowhere")[0] == 2
    assert not any(file.exists() for file in files)


def test_a_report_that_cannot_be_replaced_stops_the_gate(project: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    code, _, err = gate(project, tmp_path, "--junit", str(tmp_path / "folder"))
    assert (code, "cannot be replaced" in err) == (2, True)


@pytest.mark.parametrize("option", ["--junit", "--sarif"])
def test_what_the_gate_decides_by_is_never_overwritten_by_a_report(project: Path, tmp_path: Path, option: str) -> None:
    policy = tmp_path / "policy.yaml"
    code, _, err = gate(project, tmp_path, "--junit", str(tmp_path / "j.xml"), option, str(policy))
    assert (code, "is what the gate decides by" in err) == (2, True)
    assert "recall@5" in policy.read_text()


def test_an_unknown_system_is_refused(project: Path, tmp_path: Path) -> None:
    code, _, err = gate(project, tmp_path, "--ci", "jenkins")
    assert code == 2
    assert "neither github nor gitlab" in err


def test_offline_refuses_a_judge_elsewhere_before_anything_is_sent(tmp_path: Path) -> None:
    from beleg.adapters.network import allow_network
    from cli.judging import GOOD, write_judge, write_judged_project

    project = write_judged_project(tmp_path, [GOOD])
    write_judge(tmp_path / "judge.yaml", "https://judge.example.org/v1")
    try:
        done = beleg("--offline", "judge", "run", "runs/new", "--judge", "judge.yaml", cwd=project)
    finally:
        allow_network()
    assert done.code == 2
    assert "judge.example.org" in done.err
    assert "--offline forbids it" in done.err
