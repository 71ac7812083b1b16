from __future__ import annotations

from pathlib import Path

from cli.projects import beleg


def test_a_case_is_shown_from_the_question_to_its_scores(project: Path) -> None:
    done = beleg("show", "c1", "--run", "runs/worse", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "c1: question 1"
    assert "retrieval (1)" in done.out
    assert "Answer: yes" in done.out
    assert "Lost at: retrieval" in done.out
    assert done.lines[-1] == "Next: beleg score runs/worse"


def test_scores_have_their_unit_and_missing_ones_their_reason(project: Path) -> None:
    lines = beleg("show", "c1", "--run", "runs/worse", cwd=project).lines
    shown = {line.strip().partition(": ")[0]: line.partition(": ")[2].replace("\u00a0", " ") for line in lines}
    assert shown["Recall@5"] == "0.000"
    assert shown["Hit rate@5"] == "0.0 %"
    assert shown["Cost"] == "missing"


def test_german_numbers_have_a_comma(project: Path) -> None:
    done = beleg("show", "c1", "--run", "runs/worse", "--lang", "de", cwd=project)
    assert "Recall@5: 0,000" in done.out


def test_a_second_run_stands_beside_the_first(project: Path) -> None:
    done = beleg("show", "c1", "--run", "runs/worse", "--baseline", "runs/good", cwd=project)
    assert "Lost at: retrieval" in done.out
    assert "Lost at: none" in done.out
    assert done.lines[-1] == "Next: beleg compare runs/worse runs/good"


def test_json_holds_case_traces_and_scores(project: Path) -> None:
    found = beleg("show", "c1", "--run", "runs/worse", "--baseline", "runs/good", "--json", cwd=project).json
    assert [view["scores"]["recall@5"]["value"] for view in found] == [0.0, 1.0]
    assert [view["traces"][0]["output"]["retrieved"][0]["passage_id"] for view in found] == ["d2", "d1"]
    assert found[0]["case"]["user_input"] == "question 1"


def test_a_case_without_a_trace_says_why(project: Path) -> None:
    done = beleg("show", "c39", "--run", "runs/partial", cwd=project)
    assert done.code == 0
    assert "Error: no_trace: no trace was recorded for case 'c39'" in done.out


def test_an_unknown_case_is_met_with_similar_ones(project: Path) -> None:
    done = beleg("show", "c1O", "--run", "runs/good", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "the run runs/good has no case 'c1O'\nDid you mean: c1" in done.err
