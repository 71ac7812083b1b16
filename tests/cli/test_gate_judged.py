"""The gate on a metric that must be calibrated: from labels of people to a decision, on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beleg.core.decision import EXIT_CODES, Verdict
from cli.projects import beleg, write_cases, write_lines, write_policy

TEXT = "The warranty of the kettle lasts two years from the day of purchase."
RIGHT, WRONG = "The warranty of the kettle lasts two years.", "Elephants paint large murals in winter."
REVIEW = EXIT_CODES[Verdict.REVIEW]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A run of 80 answers, all of them carried by their passage, and 80 labels, on which the proxy is right."""
    write_cases(tmp_path / "cases.jsonl", 80)
    passage = {"passage_id": "d1", "document_id": "d1", "text": TEXT}
    write_lines(
        tmp_path / "new.traces.jsonl",
        ({"case_id": f"c{i}", "retrieved": [passage], "answer": RIGHT} for i in range(80)),
    )
    (tmp_path / "new.yaml").write_text(
        "kind: traces\nmanifest: {name: new}\ntraces: {path: new.traces.jsonl}\n", encoding="utf-8"
    )
    write_lines(
        tmp_path / "labels.jsonl",
        (
            {"case_id": f"l{i}", "question": f"How long {i}?", "passages": [TEXT], "segments": {"language": "en"}}
            | ({"answer": RIGHT, "label": "pass"} if i % 2 else {"answer": WRONG, "label": "fail"})
            for i in range(80)
        ),
    )
    judged(tmp_path)
    assert beleg("run", "new.yaml", "--suite", "cases.jsonl", "--out", "runs/new", cwd=tmp_path).code == 0
    return tmp_path


def judged(folder: Path, **trust: Any) -> None:
    check = {"metric": "faithfulness_proxy", "pass_at": 0.9, "block_at": 0.7}
    write_policy(folder / "policy.yaml", checks=[check], **({"judge": trust} if trust else {}))


def gate(project: Path, *more: str) -> Any:
    return beleg("gate", "runs/new", "--policy", "policy.yaml", *more, cwd=project)


def test_a_proxy_never_passes_until_people_vouched_for_it(project: Path) -> None:
    before = gate(project)
    assert before.code == REVIEW
    assert "is not calibrated for faithfulness_proxy" in " ".join(before.out.split())
    made = beleg("judge", "calibrate", "labels.jsonl", "--metric", "faithfulness_proxy", cwd=project)
    assert made.code == 0
    assert made.lines[0].startswith("alignment-1 passes 0 of 40 items that people fail")
    after = gate(project)
    assert after.code == 0
    assert "judge alignment-1, 80 labels, false pass 0" in after.out.replace("\xa0", " ")
    told = gate(project, "--json").json["judges"][0]
    assert told["labels"] == 80
    assert told["calibration"].startswith("sha256:")


def test_records_elsewhere_are_named_and_must_be_there(project: Path) -> None:
    beleg("judge", "calibrate", "labels.jsonl", "--metric", "faithfulness_proxy", "--out", "kept/one.json", cwd=project)
    assert gate(project).code == REVIEW
    assert gate(project, "--calibration", "kept/one.json").code == 0
    words = ("report", "runs/new", "--policy", "policy.yaml")
    assert beleg(*words, cwd=project).lines[0].startswith("REVIEW")
    assert beleg(*words, "--calibration", "kept/one.json", cwd=project).lines[0].startswith("PASS")
    assert "no such calibration record" in gate(project, "--calibration", "nowhere").err


def test_the_policy_may_refuse_and_may_ask_for_more(project: Path) -> None:
    judged(project, uncalibrated="refuse")
    assert gate(project, "--json").json["checks"][0]["state"] == "ERROR"
    beleg("judge", "calibrate", "labels.jsonl", "--metric", "faithfulness_proxy", cwd=project)
    judged(project, max_false_pass=0.05)
    asked = gate(project)
    assert asked.code == REVIEW
    assert "its upper bound must not lie above 5" in " ".join(asked.out.split())
    (project / "policy.yaml").write_text(
        (project / "policy.yaml").read_text().replace('"max_false_pass": 0.05', '"uncalibrated": "allow"')
    )
    refused = gate(project)
    assert refused.code == 30
    assert "uncalibrated" in refused.err


def test_labels_of_people_on_this_run_correct_its_figure(project: Path) -> None:
    beleg("judge", "calibrate", "labels.jsonl", "--metric", "faithfulness_proxy", cwd=project)
    run_id = json.loads((project / "runs/new/run.json").read_text())["run_id"]
    rows = [
        {"run_id": run_id, "case_id": f"c{i}", "metric": "faithfulness_proxy", "value": float(i > 5)} for i in range(30)
    ]
    write_lines(project / "people.jsonl", rows)
    done = gate(project, "--labels", "people.jsonl")
    assert done.code == REVIEW
    assert "corrected by 30 human labels" in done.out
    shown = beleg("report", "runs/new", "--policy", "policy.yaml", "--labels", "people.jsonl", cwd=project)
    assert "REVIEW" in shown.lines[0]
    assert "corrected by 30 human labels" in (project / "runs/new/decision/report.md").read_text()
    write_lines(project / "people.jsonl", [{**rows[0], "run_id": "another"}])
    other = gate(project, "--labels", "people.jsonl")
    assert other.code == 30
    assert "about another run" in other.err
