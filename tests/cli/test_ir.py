"""``beleg ir eval``: what is printed, and which exit code ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
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
        (("qrels", "run", "-m", "AP", "-R", "prefs"), 2, "Write --judgements qrels"),
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


def test_measures_that_nobody_named_are_a_useful_few(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "--json", cwd=folder)
    assert list(done.json["measures"]) == ["nDCG@10", "RR@10", "R@100", "AP"]
    lines = beleg("ir", "eval", "qrels", "run", "--format", "trec_eval", cwd=folder).lines
    assert lines[0] == "runid                 \tall\tmine"
    assert len(lines) == 30


def test_lists_end_at_a_depth_and_hold_judged_documents_only(folder: Path) -> None:
    (folder / "long").write_text("q1 Q0 x 1 3.0 t\n" + RUN)
    words = ("ir", "eval", "qrels", "long", "-m", "RR", "-m", "NumRet", "--json")
    assert beleg(*words, cwd=folder).json["measures"] == {"RR": 1 / 6, "NumRet": 3}
    assert beleg(*words, "-M", "2", cwd=folder).json["measures"] == {"RR": 0.0, "NumRet": 2}
    assert beleg(*words, "--judged-only", cwd=folder).json["measures"] == {"RR": 0.25, "NumRet": 2}


def test_queries_without_a_relevant_document_are_shown_apart_or_left_out(folder: Path) -> None:
    (folder / "qrels").write_text(QRELS + "q4 0 d1 0\n")
    found = beleg("ir", "eval", "qrels", "run", "-m", "RR", "--json", cwd=folder).json
    assert found["measures"] == {"RR": pytest.approx(1 / 6)}
    assert found["measures_with_relevant"] == {"RR": 0.25}
    assert found["counts"]["without_relevant"] == 1
    rows = beleg("ir", "eval", "qrels", "run", "-m", "RR", cwd=folder).lines
    assert any(row.split() == ["RR,", "where", "relevant", "exist", "0.2500"] for row in rows)
    left_out = beleg("ir", "eval", "qrels", "run", "-m", "RR", "--skip-without-relevant", "--json", cwd=folder).json
    assert left_out["measures"] == {"RR": 0.25}
    assert "measures_with_relevant" not in left_out


def test_judgements_by_subtopic_and_by_judge_are_read_as_the_measures_need_them(folder: Path) -> None:
    (folder / "topics").write_text("q1 s1 d1 1\nq1 s2 d2 1\nq1 s2 d1 0\n")
    found = beleg("ir", "eval", "topics", "run", "-m", "StRecall@1", "-m", "P_IA@2", "--json", cwd=folder).json
    assert found["measures"] == {"StRecall@1": 0.5, "P_IA@2": 0.5}
    found = beleg("ir", "eval", "topics", "run", "-R", "subtopics", "--json", cwd=folder).json
    assert list(found["measures"]) == ["alpha_nDCG@10", "ERR_IA@10", "StRecall@10", "P_IA@10"]
    found = beleg("ir", "eval", "topics", "run", "-m", "map_avgjg", "--json", cwd=folder).json
    assert found["measures"] == {"map_avgjg": 0.75}


def test_the_next_step_repeats_what_was_asked(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "-m", "RR", "-l", "2", "-M", "5", "-J", "--lenient", cwd=folder)
    assert done.lines[-1] == "Next: beleg ir eval qrels run -m RR -l 2 -M 5 -J --lenient --per-query --json"


def test_preferences(folder: Path) -> None:
    (folder / "prefs").write_text("q1 0 0 d1 2\nq1 0 0 d2 1\nq1 0 0 d9 0\n")
    found = beleg("ir", "eval", "prefs", "run", "-R", "prefs", "--json", cwd=folder).json
    assert found["measures"]["prefs_num_prefs_ful"] == 2
    assert found["measures"]["prefs_simp"] == pytest.approx(2 / 3)


def test_z_scores_and_what_is_missing_or_faulty_in_their_file(folder: Path) -> None:
    (folder / "z").write_text("q1 recip_rank 0.25 0.5\n# a comment\nq2 recip_rank 0.5 0.0\n")
    words = ("ir", "eval", "qrels", "run", "-m", "recip_rank", "-Z", "z")
    found = beleg(*words, "-q", "--json", cwd=folder).json
    assert found["per_query"] == {"q1": {"Zrecip_rank": 0.5}, "q2": {"Zrecip_rank": 0.0}}
    (folder / "z").write_text("q1 recip_rank 0.25 0.5\n")
    done = beleg(*words, cwd=folder)
    assert (done.code, "no mean of recip_rank for query 'q2'" in done.err) == (30, True)
    for line in ("q1 recip_rank x 1", "q1 recip_rank 1 -1", "q1 recip_rank 1"):
        (folder / "z").write_text(f"{line}\n")
        done = beleg(*words, cwd=folder)
        assert (done.code, "is no z-score" in done.err) == (30, True)


def test_grades_of_the_first_documents_stand_in_every_format(folder: Path) -> None:
    words = ("ir", "eval", "qrels", "run", "-m", "relstring", "-m", "P@1", "-q")
    assert beleg(*words, "--json", cwd=folder).json["per_query"]["q1"] == {"P@1": 0.0, "relstring": "01"}
    assert "relstring             \tq1\t'01'" in beleg(*words, "--format", "trec_eval", cwd=folder).lines
    assert any(row.split() == ["q1", "0.0000", "01"] for row in beleg(*words, cwd=folder).lines)


def test_comments_in_judgements_and_runs(folder: Path) -> None:
    (folder / "qrels").write_text("# four fields here\n" + QRELS + "#\n")
    (folder / "run").write_text("# made by hand for this\n" + RUN)
    assert beleg("ir", "eval", "qrels", "run", "-m", "RR", "--json", cwd=folder).json["measures"] == {"RR": 0.25}


def test_measures_are_listed_with_their_names_in_trec_eval(folder: Path) -> None:
    done = beleg("ir", "measures", cwd=folder)
    assert done.code == 0
    assert any(line.split()[:1] == ["alpha_nDCG@k"] for line in done.lines)
    assert any("Rprec_mult.m" in line for line in done.lines)
    found = beleg("ir", "measures", "NDCG_CUT", "--json", cwd=folder).json
    assert [each["written"] for each in found] == [["nDCG", "nDCG@k"]]
    assert found[0]["parameters"]["dcg"].startswith("'log2' or")
    assert "No measure has 'xyzzy'" in beleg("ir", "measures", "xyzzy", cwd=folder).out


def test_the_overlap_of_two_runs(folder: Path) -> None:
    (folder / "second").write_text("q1 Q0 d1 1 2.0 s\nq1 Q0 d2 2 1.0 s\nq9 Q0 d 1 1 s\n")
    found = beleg("ir", "overlap", "run", "second", "--p", "0.5", "--per-query", "--json", cwd=folder).json
    # Nothing at the first depth, all from the second on.
    assert found["measures"]["RBO_ext"] == pytest.approx(0.5)
    assert found["per_query"]["q1"] == found["measures"]
    assert found["counts"] == {"queries": 1, "only_first": 1, "only_second": 1}
    table = beleg("ir", "overlap", "run", "run", "--per-query", cwd=folder)
    assert any(row.split() == ["RBO_ext", "1.0000"] for row in table.lines)
    assert any(row.split()[:2] == ["q3", "1.0000"] for row in table.lines)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("run", "absent"), 2, "cannot read absent"), (("run", "run", "--p", "1"), 2, "p is 1"),
        (("run", "run", "--ties", "x"), 2, "ties are 'x'"), (("run", "other"), 30, "no query in common"),
        (("-", "-"), 2, "named twice"), (("run", "run", "--depth", "0"), 2, "the depth is 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_said_with_its_exit_code(
    folder: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = beleg("ir", "overlap", *words, cwd=folder)
    assert done.code == code
    assert said in done.err


def test_text_alone_is_a_row_for_each_query(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "-m", "RunId", "-q", "--json", cwd=folder)
    assert (done.code, done.json["per_query"]) == (0, {"q1": {}, "q2": {}})


def test_an_id_with_white_space_forges_no_line_of_trec_eval(folder: Path) -> None:
    (folder / "q.json").write_text(json.dumps({"q1\nmap\tall\t1.0": {"d1": 1}}))
    (folder / "r.json").write_text(json.dumps({"q1\nmap\tall\t1.0": {"d1": 1.0}}))
    done = beleg("ir", "eval", "q.json", "r.json", "-m", "map", "-q", "--format", "trec_eval", cwd=folder)
    assert (done.code, done.out) == (2, "")
    assert "holds white space" in done.err


def test_a_depth_that_no_list_can_have_is_refused(folder: Path) -> None:
    done = beleg("ir", "eval", "qrels", "run", "-m", "AP", "--depth", "99999999999999999999", cwd=folder)
    assert done.code == 2
    assert "Give 1 to 1,000,000,000" in done.err


def test_ids_of_any_script_go_out_as_utf_8_whatever_the_locale(folder: Path) -> None:
    (folder / "qrels").write_text("q\u4e2d 0 d1 1\n", encoding="utf-8")
    (folder / "run").write_text("q\u4e2d Q0 d1 1 1 t\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "beleg", "ir", "eval", "qrels", "run", "-m", "AP", "-q", "--json"],
        cwd=folder, env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout.decode("utf-8"))["per_query"] == {"q\u4e2d": {"AP": 1.0}}


@pytest.mark.parametrize("text", ["q1 0 d1 1\rq1 0 d2 1\r", "q1,0\rx"])
def test_files_with_carriage_returns_alone_are_refused(folder: Path, text: str) -> None:
    (folder / "mac.txt").write_bytes(text.encode())
    done = beleg("ir", "eval", "mac.txt", "run", "-m", "AP", cwd=folder)
    assert done.code == 30
    assert "mac.txt:1" in done.err


def test_a_first_row_beyond_what_is_looked_at_is_a_row_still(folder: Path) -> None:
    results = [{"doc_id": f"d{number}", "score": 5_000 - number} for number in range(4_000)]
    (folder / "long").write_text(json.dumps({"query_id": "q1", "results": results}))
    done = beleg("ir", "eval", "qrels", "long", "-m", "RR", "--json", cwd=folder)
    assert done.json["measures"] == {"RR": 0.25}
