"""A server judges a run and is calibrated; the gate believes exactly that judge, in the languages it was tried in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.judging import GOOD, PASSAGE, write_judge, write_judged_project
from cli.projects import beleg, write_lines, write_policy
from support.mock_judge import served_apart

WRONG = "Gifts are wrapped for free."
CASES = 60


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served_apart() as address:
        yield address


def gate(project: Path) -> tuple[int, str]:
    done = beleg("gate", "runs/new", "--policy", "policy.yaml", cwd=project)
    return done.code, " ".join(done.out.split())


def write_labels(path: Path, languages: tuple[str, ...]) -> None:
    rows = (
        {"case_id": f"l{i}", "question": f"Question {i}?", "passages": [PASSAGE]}
        | ({"answer": GOOD, "label": "supported"} if i % 2 else {"answer": WRONG, "label": "not_supported"})
        | {"segments": {"language": languages[i // 2 % len(languages)]}}
        for i in range(CASES)
    )
    write_lines(path, rows)


def test_only_the_very_judge_that_was_calibrated_is_believed(tmp_path: Path, server: str) -> None:
    project = write_judged_project(tmp_path, [GOOD] * CASES)
    write_judge(project / "judge.yaml", server)
    write_policy(project / "policy.yaml", checks=[{"metric": "faithfulness", "pass_at": 0.9, "block_at": 0.7}])
    assert beleg("judge", "run", "runs/new", "--judge", "judge.yaml", cwd=project).code == 0
    code, told = gate(project)
    assert code == 10
    assert "judge mock-judge is not calibrated for claim_support" in told

    write_labels(project / "english.jsonl", ("en",))
    made = beleg("judge", "calibrate", "english.jsonl", "--judge", "judge.yaml", cwd=project)
    assert (made.code, made.err) == (0, "")
    assert made.lines[0].replace("\xa0", " ").startswith("mock-judge passes 0 of 30 items that people fail (0 %, ")
    code, told = gate(project)
    assert code == 10
    assert "did not cover claim_extraction (de)" in told

    write_labels(project / "both.jsonl", ("en", "de"))
    made = beleg("judge", "calibrate", "both.jsonl", "--judge", "judge.yaml", "--repeats", "2", cwd=project)
    assert "0 of 60 items changed their verdict" in made.out
    code, told = gate(project)
    assert code == 0
    assert "judge mock-judge, 60 labels, false pass 0 [0, 12] % (n 30)" in told.replace("\xa0", " ")

    write_judge(project / "judge.yaml", server, temperature=0.7)
    assert beleg("judge", "run", "runs/new", "--judge", "judge.yaml", cwd=project).code == 0
    code, told = gate(project)
    assert code == 10
    assert "the judge was changed since it was calibrated (temperature 0.0 → 0.7)" in told


def test_a_judge_that_is_down_calibrates_nothing_and_says_why(tmp_path: Path) -> None:
    write_judge(tmp_path / "judge.yaml", "http://127.0.0.1:9/v1", mode="json_schema", limits={"attempts": 1})
    write_labels(tmp_path / "labels.jsonl", ("en",))
    done = beleg("judge", "calibrate", "labels.jsonl", "--judge", "judge.yaml", cwd=tmp_path)
    assert done.code == 30
    assert done.out == ""
    assert not (tmp_path / "calibrations").exists()
