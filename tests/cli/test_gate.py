from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.projects import beleg, write_policy


@pytest.mark.parametrize(
    ("run", "check", "verdict", "code"),
    [
        ("good", {"metric": "recall@5", "pass_at": 0.5, "block_at": 0.3}, "● PASS: ", 0),
        ("worse", {"metric": "recall@5", "pass_at": 0.55, "block_at": 0.3}, "◐ REVIEW: ", 10),
        ("worse", {"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9}, "■ BLOCK: ", 20),
    ],
)
def test_the_first_line_is_the_verdict_and_the_exit_code_is_the_same(
    project: Path, tmp_path: Path, run: str, check: dict[str, object], verdict: str, code: int
) -> None:
    write_policy(tmp_path / "policy.json", checks=[check])
    words = ("gate", f"runs/{run}", "--policy", str(tmp_path / "policy.json"), "--out", str(tmp_path / "out"))
    done = beleg(*words, cwd=project)
    assert (done.code, done.err) == (code, "")
    assert done.out.startswith(verdict)
    as_json = beleg(*words, "--json", cwd=project)
    assert as_json.code == code
    assert as_json.json["verdict"] == verdict[2:-2]
    assert as_json.json["headline"]["en"] in " ".join(done.out.split())


def test_paths_come_last_and_then_the_next_command(project: Path, tmp_path: Path) -> None:
    done = beleg("gate", "runs/worse", "--policy", "policy.yaml", "--out", str(tmp_path), cwd=project)
    assert [Path(line).name for line in done.lines[-5:-1]] == [
        "report.html",
        "report.md",
        "decision.json",
        "queue.jsonl",
    ]
    assert done.lines[-1].startswith("Next: beleg show c1 --run runs/worse")


def test_a_pass_names_a_next_command_too(project: Path, tmp_path: Path) -> None:
    done = beleg("gate", "runs/good", "--policy", "policy.yaml", "--out", str(tmp_path), cwd=project)
    assert done.lines[-1] == "Next: beleg score runs/good"


def test_the_written_decision_is_the_printed_one(project: Path, tmp_path: Path) -> None:
    words = ("gate", "runs/good", "--policy", "policy.yaml", "--out", str(tmp_path), "--json")
    done = beleg(*words, cwd=project)
    assert json.loads((tmp_path / "decision.json").read_text()) == done.json


def test_cases_without_a_trace_are_counted_and_keep_the_decision_from_pass(project: Path, tmp_path: Path) -> None:
    words = ("gate", "runs/partial", "--policy", "policy.yaml", "--out", str(tmp_path), "--json")
    done = beleg(*words, cwd=project)
    assert done.code == 10
    counts = [check["counts"] for check in done.json["checks"] if check.get("metric") == "recall@5"]
    assert {(count["expected"], count["scored"], sum(count["reasons"].values())) for count in counts} == {(40, 38, 2)}


def test_an_equally_good_baseline_passes_where_there_are_cases_enough(project: Path, tmp_path: Path) -> None:
    write_policy(tmp_path / "p.json", checks=[{"metric": "recall@5", "margin": 0.2}], require_baseline=True)
    words = ("--policy", str(tmp_path / "p.json"), "--out", str(tmp_path))
    assert beleg("gate", "runs/good", "--baseline", "runs/again", *words, cwd=project).code == 0


@pytest.mark.parametrize("copied", [False, True])
def test_a_run_is_no_baseline_of_itself_nor_is_its_copy(project: Path, tmp_path: Path, *, copied: bool) -> None:
    write_policy(tmp_path / "p.json", checks=[{"metric": "recall@5", "margin": 0.2}], require_baseline=True)
    baseline = project / "runs" / "good"
    if copied:
        baseline = shutil.copytree(baseline, tmp_path / "copy")
        header = json.loads((baseline / "run.json").read_text("utf-8"))
        (baseline / "run.json").write_text(json.dumps(header | {"run_id": "another"}), "utf-8")
    words = ("--policy", str(tmp_path / "p.json"), "--out", str(tmp_path))
    done = beleg("gate", "runs/good", "--baseline", str(baseline), *words, cwd=project)
    assert done.code == 10
    assert "compared with itself nothing ever worsens" in done.out


def test_a_policy_that_requires_a_baseline_does_not_pass_without(project: Path, tmp_path: Path) -> None:
    write_policy(tmp_path / "p.json", require_baseline=True)
    done = beleg("gate", "runs/good", "--policy", str(tmp_path / "p.json"), "--out", str(tmp_path), cwd=project)
    assert done.code == 10
    assert "No baseline was given" in done.out


def test_a_run_that_is_not_finished_is_gated_with_a_warning(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "runs" / "good", tmp_path / "cut")
    journal = tmp_path / "cut" / "traces.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    for words in (("gate",), ("report",)):
        done = beleg(*words, str(tmp_path / "cut"), "--policy", "policy.yaml", cwd=project)
        assert done.out.lstrip("◐ ").startswith("REVIEW")
        assert "is not finished: 39 of 40 cases; finish it with" in done.err


def test_german_is_spoken(project: Path, tmp_path: Path) -> None:
    words = ("--policy", "policy.yaml", "--out", str(tmp_path), "--lang", "de")
    done = beleg("gate", "runs/good", *words, cwd=project)
    decision = json.loads((tmp_path / "decision.json").read_text())
    assert done.lines[0] == f"● PASS: {decision['headline']['de']}"
