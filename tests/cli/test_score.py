from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb
import pytest

from cli.projects import beleg


def test_the_first_line_says_how_far_the_run_came_and_the_last_what_to_do(project: Path) -> None:
    done = beleg("score", "runs/partial", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0].endswith(": 40 of 40 cases finished, 2 failed")
    assert done.lines[-2] == "runs/partial/scores.parquet"
    assert done.lines[-1].startswith("Next: beleg gate runs/partial --baseline RUN --policy POLICY")


def test_every_figure_stands_with_its_interval_its_n_and_what_is_missing(project: Path) -> None:
    done = beleg("score", "runs/partial", "--metric", "recall@5", "--metric", "cost_usd", cwd=project)
    text = " ".join(done.out.split())
    assert re.search(r"Recall@5 1\.00 \[0\.\d\d, 1\.00\] · n 38 of 40 · 2 \w+", text)
    assert "Cost not measured · n 0 of 40 · 40 missing" in text


def test_json_holds_the_same_figures(project: Path) -> None:
    text = beleg("score", "runs/worse", "--metric", "recall@5", cwd=project).out
    found = beleg("score", "runs/worse", "--metric", "recall@5", "--json", cwd=project).json
    figure = found["figures"]["recall@5"]
    assert (found["finished"], found["failed"]) == (40, 0)
    assert figure["figure"]["estimate"] == 0.5
    assert figure["counts"] == {"expected": 40, "scored": 40, "reasons": {}}
    interval = f"[{figure['figure']['lower']:.2f}, {figure['figure']['upper']:.2f}]"
    assert f"0.50 {interval} · n 40 of 40" in text


def test_german_is_spoken_throughout(project: Path) -> None:
    done = beleg("score", "runs/partial", "--lang", "de", cwd=project)
    assert done.lines[0].endswith(": 40 von 40 Fällen beendet, 2 fehlgeschlagen")
    assert done.lines[1].split() == ["Maß", "Wert", "[95-%-Intervall]"]
    assert "Evidenz nach Stufen" in done.out


def test_the_stored_scores_have_a_row_for_every_case_and_no_value_where_there_is_a_reason(project: Path) -> None:
    beleg("score", "runs/partial", "--metric", "recall@5", cwd=project)
    found = duckdb.sql(
        f"select count(*), count(value), count(*) filter (status = 'scored') "  # noqa: S608 - a path of the test
        f"from '{project / 'runs/partial/scores.parquet'}'"
    ).fetchall()
    assert found == [(40, 38, 38)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("recal@5", "no such metric (found 'recal@5'). Did you mean recall"),
        ("recall@x", "(found 'recall@x')"),
        ("", "not a metric (found '')"),
    ],
)
def test_a_metric_that_is_none_is_a_usage_error(project: Path, name: str, said: str) -> None:
    done = beleg("score", "runs/good", "--metric", name, cwd=project)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_run_that_was_cut_short_is_scored_with_a_warning(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "runs" / "good", tmp_path / "cut")
    journal = tmp_path / "cut" / "traces.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    done = beleg("score", str(tmp_path / "cut"), "--json", cwd=project)
    assert done.code == 0
    assert "is not finished: 39 of 40 cases, and its journal ends in a cut line" in done.err
    assert "--resume --out" in done.err
    assert done.json["finished"] == 39
