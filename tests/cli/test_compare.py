from __future__ import annotations

import shutil
from pathlib import Path

from cli.projects import beleg


def test_the_first_line_counts_what_is_proven(project: Path) -> None:
    done = beleg("compare", "runs/worse", "runs/good", "--metric", "recall@5", cwd=project)
    assert (done.code, done.err) == (0, "")
    assert done.lines[0] == "0 measures provably better, 1 provably worse, 0 open (95 % intervals, each by itself)"
    assert done.lines[-1] == "Next: beleg gate runs/worse --baseline runs/good --policy POLICY"


def test_json_holds_the_same_figures(project: Path) -> None:
    words = ("compare", "runs/worse", "runs/good", "--metric", "recall@5", "--by", "language")
    text, found = beleg(*words, cwd=project).out, beleg(*words, "--json", cwd=project).json
    by_segment = {figure["segment"]: figure for figure in found["figures"]}
    assert list(by_segment) == [None, "language=de", "language=en"]
    assert by_segment[None]["difference"]["estimate"] == -0.5
    assert by_segment["language=de"]["difference"]["estimate"] == -1.0
    assert by_segment["language=en"]["difference"]["estimate"] == 0.0
    for figure in found["figures"]:
        assert f"  {figure['n']}\n" in text
        assert (figure["segment"] or "all") in text
        assert f"{figure['figure']['estimate']:.2f} [" in text


def test_german_is_spoken(project: Path) -> None:
    done = beleg("compare", "runs/worse", "runs/good", "--metric", "recall@5", "--lang", "de", cwd=project)
    assert done.lines[0] == "0 Maße belegbar besser, 1 belegbar schlechter, 0 offen (95-%-Intervalle, jedes für sich)"
    assert done.lines[1].split() == ["Maß", "Segment", "Kandidat", "Baseline", "Unterschied", "n"]


def test_an_unknown_dimension_is_refused_with_those_there_are(project: Path) -> None:
    done = beleg("compare", "runs/worse", "runs/good", "--by", "langage", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "cannot be broken down by 'langage'" in done.err
    assert "Dimensions that have them: language" in done.err


def test_an_unknown_metric_is_refused(project: Path) -> None:
    done = beleg("compare", "runs/worse", "runs/good", "--metric", "recal", cwd=project)
    assert (done.code, done.out) == (2, "")
    assert "no such metric (found 'recal')" in done.err


def test_an_unfinished_run_is_compared_with_a_warning(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "runs" / "good", tmp_path / "cut")
    journal = tmp_path / "cut" / "traces.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    done = beleg("compare", str(tmp_path / "cut"), "runs/good", "--metric", "recall@5", "--json", cwd=project)
    assert done.code == 0
    assert done.err.startswith(f"beleg: {tmp_path / 'cut'} is not finished: 39 of 40 cases")
    assert done.json["figures"][0]["n"] == 39
