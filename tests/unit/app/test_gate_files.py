"""Gate files: paths are beside the file, and the cases are those that open checks name."""

from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.gate_files import decide_gate_file
from cli.projects import beleg, write_cases, write_policy, write_recorded


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("gates")
    write_cases(made / "cases.jsonl", 40)
    write_recorded(made, "worse", ["d1", "d2"] * 20)
    write_policy(made / "policy.yaml", checks=[{"metric": "recall@5", "pass_at": 0.95, "block_at": 0.9}])
    assert beleg("run", "worse.yaml", "--suite", "cases.jsonl", "--out", "runs/worse", cwd=made).code == 0
    return made


@pytest.mark.parametrize(("cases", "count"), [("none", 0), ("named", 10), ("all", 40)])
def test_cases_are_listed_as_asked(folder: Path, cases: str, count: int) -> None:
    (folder / "x.beleg.yaml").write_text(f"candidate: runs/worse\npolicy: policy.yaml\ncases: {cases}\n")
    decided = decide_gate_file(folder / "x.beleg.yaml")
    assert len(decided.cases) == count
    assert decided.checks[0].item_id == "decision"
    failing = [case for case in decided.cases if case.against]
    assert len(failing) == min(count, 10)
