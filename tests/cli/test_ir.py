"""``beleg ir eval``: what is printed, and which exit code ends it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.projects import beleg

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n"
RUN = "q1 Q0 d2 1 2.0 mine\nq1 Q0 d1 2 1.0 mine\nq3 Q0 d1 1 1.0 mine\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "other").write_text("q2 Q0 d1 1 1.0 other\n")
    return tmp_path


def test_json_of_one_run_is_one_object(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "-m", "RR NumRel", "-m", "P.1", "--per-query", "--json", cwd=folder)
    assert done.code == 0
    assert json.loads(done.out) == {
        "measures": {"RR": 0.25, "NumRel": 2, "P_1": 0.0},
        "per_query": {"q1": {"RR": 0.5, "NumRel": 1, "P_1": 0.0}, "q2": {"RR": 0.0, "NumRel": 1, "P_1": 0.0}},
        "counts": {"queries": 2, "missing": 1, "without_relevant": 0, "without_judgements": 0, "extra": 1},
    }


def test_json_of_several_runs_names_each(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "other", "-m", "RR", "--format", "json", cwd=folder)
    found = json.loads(done.out)["runs"]
    assert {name: report["measures"] for name, report in found.items()} == {"run": {"RR": 0.25}, "other": {"RR": 0.5}}
    assert "per_query" not in found["run"]


def test_the_lines_of_trec_eval(folder: Path) -> None:
    done = beleg(
        "ir", "eval", "qrels", "run", "-m", "recip_rank num_rel", "--per-query", "--format", "trec_eval", cwd=folder
    )
    assert done.out.splitlines() == [
        "num_rel               \tq1\t1", "recip_rank            \tq1\t0.5000",
        "num_rel               \tq2\t1", "recip_rank            \tq2\t0.0000",
        "num_rel               \tall\t2", "recip_rank            \tall\t0.2500",
    ]  # fmt: skip


def test_the_table_has_a_column_for_each_run_and_says_what_was_left_out(folder: Path) -> None:
    (folder / "run").write_text(RUN + "broken\n")
    done = beleg("ir", "eval", "qrels", "run", "other", "-m", "nDCG@10", "--per-query", "--lenient", cwd=folder)
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["nDCG@10", "0.3155", "0.5000"] in rows
    assert ["dropped_run_fields", "1", "0"] in rows
    assert ["q1", "0.6309"] in rows


def test_a_relevance_level(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "other", "-m", "NumRel", "--min-rel", "2", "--json", cwd=folder)
    assert json.loads(done.out)["measures"] == {"NumRel": 1}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("qrels", "run", "-m", "nDGC"), 2, "Did you mean nDCG?"),
        (("qrels", "absent", "-m", "AP"), 2, "cannot read absent"),
        (("qrels", "run", "-m", "AP", "--format", "xml"), 2, "none of table"),
        (("-", "-", "-m", "AP"), 2, "named twice"),
        (("run", "qrels", "-m", "AP"), 30, "looks like one of a run"),
        (("qrels", "run", "-R", "xml"), 2, "none of qrels"),
        (("qrels", "run", "-m", "map_avgjg", "-m", "AP"), 2, "in a call of its own"),
        (("qrels", "run", "-m", "alpha_nDCG@5", "-J"), 2, "judged-only needs"),
        (("qrels", "run", "-M", "0"), 2, "the depth is 0"),
        (("qrels", "run", "-m", "SDCG(max_rel=1)@5"), 30, "max_rel=2"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = beleg("ir", "eval", *words, cwd=folder)
    assert done.code == code
    assert said in done.err
    assert not done.out


def test_files_in_the_wrong_order_are_told_in_one_line(folder: Path) -> None:
    assert len(beleg("ir", "eval", "run", "qrels", "-m", "AP", cwd=folder).err.splitlines()) == 1
