from __future__ import annotations

from pathlib import Path

import pytest

from cli.judging import HALF, write_judge, write_judged_project
from cli.projects import beleg
from support.mock_judge import served_apart


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_judged_project(tmp_path_factory.mktemp("why"), [HALF, None])
    with served_apart() as server:
        write_judge(folder / "judge.yaml", server)
        assert beleg("judge", "run", "runs/new", "--judge", "judge.yaml", cwd=folder).code == 0
    return folder


def test_why_shows_the_figure_then_claims_then_the_judges_own_words(project: Path) -> None:
    done = beleg("why", "runs/new", "c0", "faithfulness", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "Faithfulness · c0: 0.500"
    assert "● supported: Returns are free within 30 days." in done.out
    assert "“Returns are free within 30 days.” in d1" in done.out
    assert "○ not in the context: Gifts are wrapped for free." in done.out
    assert "claim_extraction · attempt 1 · mock-judge-1" in done.out
    assert 'reply: {"claims": ["Returns are free within 30 days.", "Gifts are wrapped for free."]}' in done.out
    assert done.lines[-1] == "Next: beleg show c0 --run runs/new"


def test_why_speaks_german(project: Path) -> None:
    done = beleg("why", "runs/new", "c0", "faithfulness", "--lang", "de", cwd=project)
    assert "● gestützt: Returns" in done.out
    assert done.lines[0] == "Faktentreue · c0: 0,500"


def test_a_row_without_a_score_says_why(project: Path) -> None:
    done = beleg("why", "runs/new", "c1", "faithfulness", cwd=project)
    assert done.lines[0].startswith("Faithfulness · c1: missing")


def test_a_metric_that_needs_no_judge_is_explained_too(project: Path) -> None:
    done = beleg("why", "runs/new", "c0", "recall@5", cwd=project)
    assert done.lines[0] == "Recall@5 · c0: 1.000"


def test_json_holds_finding_and_calls(project: Path) -> None:
    found = beleg("why", "runs/new", "c0", "faithfulness", "--json", cwd=project).json
    (row,) = found["rows"]
    assert row["score"] == {"status": "scored", "value": 0.5}
    assert [call["task"]["task"] for call in row["calls"]] == ["claim_extraction", "claim_verification"]
    assert row["finding"]["judge"]["model"] == "mock-judge"


def test_an_unknown_case_or_metric_names_similar_ones(project: Path) -> None:
    assert "Did you mean: c0" in beleg("why", "runs/new", "c00", "faithfulness", cwd=project).err
    assert "Did you mean faithfulness" in beleg("why", "runs/new", "c0", "faithfulnes", cwd=project).err
