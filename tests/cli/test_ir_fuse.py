"""``beleg ir fuse``: the fused file, figures side by side, tuned weights, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cli.projects import beleg, real_beleg

DENSE = ["d3", "d7", "d1", "d4", "d2", "d9", "d10"]
SPARSE = ["d2", "d3", "d8", "d1", "d11", "d4", "d6"]


def lines(query: str, names: list[str], tag: str) -> str:
    return "".join(f"{query} Q0 {name} {rank} {9.5 - rank} {tag}\n" for rank, name in enumerate(names, start=1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dense").write_text(lines("q1", DENSE, "dense"))
    (tmp_path / "sparse").write_text(lines("q1", SPARSE, "sparse"))
    return tmp_path


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Twelve queries: the first lane has the document of the even ones in front, the second that of the odd ones."""
    queries = range(12)
    lanes = {"one": "".join(lines(f"q{q}", ["x", "y", "z"], "one") for q in queries)}
    lanes["two"] = "".join(lines(f"q{q}", ["y", "w", "x"], "two") for q in queries)
    for name, text in lanes.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "qrels").write_text("".join(f"q{q} 0 {'xy'[q % 2]} 1\n" for q in queries))
    (tmp_path / "groups").write_text("".join(f"q{q}\tt{q // 3}\n" for q in queries))
    return tmp_path


def test_the_worked_example_of_the_seed_article_as_files(folder: Path) -> None:
    done = beleg("ir", "fuse", "dense", "sparse", "--out", "fused.run", cwd=folder)
    assert done.code == 0
    rows = [line.split() for line in (folder / "fused.run").read_text().splitlines()]
    assert [row[2] for row in rows[:3]] == ["d3", "d2", "d1"]
    assert [f"{float(row[4]):.5f}" for row in rows[:3]] == ["0.03252", "0.03178", "0.03150"]
    assert rows[0] == ["q1", "Q0", "d3", "1", repr(1 / 61 + 1 / 62), "rrf"]
    assert done.lines[0] == "rrf (k 60) over 1 queries, 10 rows"


def test_the_order_of_the_runs_changes_no_byte_and_packing_no_line(folder: Path) -> None:
    beleg("ir", "fuse", "dense", "sparse", "--out", "a", cwd=folder)
    beleg("ir", "fuse", "sparse", "dense", "--out", "b.gz", cwd=folder)
    assert (folder / "a").read_bytes() == gzip.decompress((folder / "b.gz").read_bytes())


def test_standard_output_gets_the_run_and_nothing_else(folder: Path) -> None:
    done = real_beleg("ir", "fuse", "dense", "sparse", "--depth", "2", "--tag", "mine", "--out", "-", cwd=folder)
    assert [line.split()[2::3] for line in done.lines] == [["d3", "mine"], ["d2", "mine"]]


def test_weights_norm_and_what_is_missing(folder: Path) -> None:
    words = ("--method", "convex", "--norm", "zscore", "--missing", "zero", "--weights", "3,1", "--out", "f", "--json")
    done = beleg("ir", "fuse", "dense", "sparse", *words, cwd=folder)
    assert done.json["fusion"] == {
        "method": "convex",
        "settings": {"norm": "zscore", "missing": "zero"},
        "runs": [
            {"file": "dense", "tag": "dense", "weight": 0.75, "absent_queries": 0, "dropped": {}},
            {"file": "sparse", "tag": "sparse", "weight": 0.25, "absent_queries": 0, "dropped": {}},
        ],
        "queries": 1,
        "rows": 10,
    }


def test_a_query_that_a_run_lacks_is_said(folder: Path) -> None:
    (folder / "sparse").write_text(lines("q2", SPARSE, "sparse"))
    done = beleg("ir", "fuse", "dense", "sparse", "--out", "f", cwd=folder)
    assert "  1 x dense, lacks 1 of the queries" in done.lines


def test_lanes_and_the_fused_run_side_by_side(judged: Path) -> None:
    words = ("ir", "fuse", "one", "two", "--qrels", "qrels", "-m", "RR NumRelRet")
    found = beleg(*words, "--json", cwd=judged).json["evaluation"]
    assert {name: report["measures"]["RR"] for name, report in found["runs"].items()} == {
        "one": 0.75, "two": pytest.approx(2 / 3), "fused": 0.75,
    }  # fmt: skip
    difference = found["differences"]["two"][0]
    assert (difference["estimate"], difference["better"], difference["worse"]) == (pytest.approx(1 / 12), 6, 0)
    assert difference["lower"] <= 1 / 12 <= difference["upper"]
    assert found["differences"]["one"][1]["reason"] == "not a mean over queries"
    printed = [line.split() for line in beleg(*words, cwd=judged).lines]
    assert ["RR", "0.7500", "0.6667", "0.7500"] in printed


def test_topic_groups_widen_the_interval(judged: Path) -> None:
    words = ("ir", "fuse", "one", "two", "--qrels", "qrels", "-m", "RR", "--json")
    grouped = beleg(*words, "--groups", "groups", cwd=judged).json["evaluation"]["differences"]["two"][0]
    assert grouped["clusters"] == 4
    assert grouped["method"] == "cluster_adjusted_t"


def test_tuned_weights_with_the_figure_on_held_out_queries(judged: Path) -> None:
    words = ("ir", "fuse", "one", "two", "--method", "convex", "--tune", "--qrels", "qrels", "-m", "RR", "--folds", "4")
    done = beleg(*words, "--groups", "groups", "--out", "f", "--json", cwd=judged)
    found = done.json["tuning"]
    assert list(found["measures"]) == [
        "one", "two", "equal weights", "rrf", "tuned, held out", "tuned, in sample (optimistic)",
    ]  # fmt: skip
    assert [fold["held_out"] for fold in found["folds"]] == [3, 3, 3, 3]
    assert list(found["differences"]) == ["one", "two", "equal weights", "rrf"]
    assert len(found["candidates_in_sample"]) == 21
    weights = found["final_weights"]
    assert [run["weight"] for run in done.json["fusion"]["runs"]] == [weights["one"], weights["two"]]
    assert beleg(*words, "--groups", "groups", "--json", cwd=judged).json["tuning"] == found
    printed = beleg(*words, cwd=judged)
    assert "tuned, in sample (optimistic)" in printed.out
    assert any(line.startswith("Final weights, chosen on all queries: ") for line in printed.lines)


def test_an_end_of_the_grid_is_the_lane_itself(judged: Path) -> None:
    words = ("ir", "fuse", "one", "two", "--method", "convex", "--qrels", "qrels", "-m", "RR AP R@3 nDCG", "--json")
    found = beleg(*words, "--weights", "0,1", cwd=judged).json["evaluation"]["runs"]
    assert found["fused"]["measures"] == found["two"]["measures"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "name a file to write"),
        (("--out", "-", "--qrels", "qrels", "-m", "AP"), 2, "figures would mix"),
        (("--out", "-", "--json"), 2, "figures would mix"),
        (("--qrels", "qrels"), 2, "name a measure"),
        (("--out", "f", "-m", "AP"), 2, "judgements are needed"),
        (("--out", "f", "--tune"), 2, "judgements are needed"),
        (("--qrels", "qrels", "-m", "Unjudged@10", "--tune", "--method", "convex"), 2, "Unjudged@10 does not say"),
        (("--qrels", "qrels", "-m", "AP NumNonRelRet"), 2, "NumNonRelRet is better where it is lower"),
        (("--qrels", "qrels", "-m", "RunId"), 2, "RunId is a text"),
        (("--qrels", "qrels", "-m", "AP RelString@5"), 2, "RelString@5 is a text"),
        (("--qrels", "qrels", "-m", "AP", "--tune"), 2, "rrf has no weights to tune"),
        (("--qrels", "qrels", "-m", "AP", "--tune", "--method", "convex", "--weights", "1,2"), 2, "at once"),
        (("--qrels", "qrels", "-m", "NumRelRet", "--tune", "--method", "convex"), 2, "a count"),
        (("--qrels", "qrels", "-m", "AP", "--tune", "--method", "convex", "--folds", "13"), 30, "12 groups"),
        (("--qrels", "qrels", "-m", "AP", "--groups", "short"), 30, "11 judged queries have no label"),
        (("--qrels", "other", "-m", "AP"), 30, "no query of the runs is judged"),
        (("--out", "f", "--method", "sum"), 2, "no method 'sum'"),
        (("--out", "f", "--weights", "a,b"), 2, "the weights 'a,b' cannot be read"),
        (("--out", "f", "--method", "convex", "--weights", "1,2,3"), 2, "2 runs need 2 weights"),
        (("--out", "f", "--method", "convex", "--weights", "1e308,1e308"), 2, "not between 0 and 1,000,000,000"),
        (("--out", "f", "--k", "9223372036854775800"), 2, "1 to 1,000,000,000"),
        (("--out", "f", "--k", "100000000000000000000"), 2, "1 to 1,000,000,000"),
        (("--out", "f", "--depth", "100000000000000000000"), 2, "the depth is 100000000000000000000"),
        (
            ("--qrels", "qrels", "-m", "AP", "--tune", "--method", "convex", "--depth", "100000000000000000000"),
            2,
            "the depth is",
        ),
        (("--qrels", "qrels", "-m", "AP", "--tune", "--method", "convex", "--seed", "-1"), 2, "the seed is -1"),
        (("--out", "f", "--tag", "a b"), 2, "one word"),
        (("--out", "nowhere/f"), 2, "cannot write"),
        (("--out", "f", "--method", "convex", "two-inf"), 30, "infinite score in two-inf"),
        (("--out", "f", "one"), 2, "named twice"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    judged: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (judged / "short").write_text("q0\ta\n")
    (judged / "other").write_text("q99 0 x 1\n")
    (judged / "two-inf").write_text("q1 Q0 x 1 inf t\nq1 Q0 y 2 1 t\n")
    done = beleg("ir", "fuse", "one", "two", *words, cwd=judged)
    assert done.code == code, done.err
    assert said in done.err
    assert not done.out
    assert not (judged / "f").exists()


def test_one_run_alone_is_refused(judged: Path) -> None:
    done = beleg("ir", "fuse", "one", "--out", "f", cwd=judged)
    assert (done.code, "one run alone" in done.err) == (2, True)


def test_a_faulty_run_is_refused_with_its_line_or_read_leniently(judged: Path) -> None:
    (judged / "one").write_text("q1 Q0 x 1 1.0 t\nbroken\n")
    assert "one:2: the line has 1 fields" in beleg("ir", "fuse", "one", "two", "--out", "f", cwd=judged).err
    done = beleg("ir", "fuse", "one", "two", "--out", "f", "--lenient", "--json", cwd=judged)
    assert json.loads(done.out)["fusion"]["runs"][0]["dropped"] == {"fields": 1}


@pytest.mark.parametrize("name", ["rrf", "equal weights", "tuned, held out", "tuned, in sample (optimistic)"])
def test_a_run_called_as_a_fusion_beside_it_is_refused_where_weights_are_tuned(judged: Path, name: str) -> None:
    (judged / "one").rename(judged / name)
    options = ("--qrels", "qrels", "-m", "RR@10", "--method", "convex")
    done = beleg("ir", "fuse", name, "two", *options, "--tune", cwd=judged)
    assert done.code == 2
    assert name in done.err
    assert beleg("ir", "fuse", name, "two", *options, cwd=judged).code == 0


def test_a_run_called_as_the_fused_one_is_refused_where_both_are_measured(judged: Path) -> None:
    (judged / "one").rename(judged / "fused")
    done = beleg("ir", "fuse", "fused", "two", "--qrels", "qrels", "-m", "RR@10", cwd=judged)
    assert done.code == 2
    assert "fused" in done.err
    assert beleg("ir", "fuse", "fused", "two", "--out", "again", cwd=judged).code == 0


def test_tuned_figures_of_a_lane_are_those_of_its_evaluation(judged: Path) -> None:
    measures = ("-m", "GMAP NumRelRet RR")
    words = ("--method", "convex", "--qrels", "qrels", "--tune", "--json")
    found = beleg("ir", "fuse", "one", "two", *measures, *words, cwd=judged).json["tuning"]
    for name in ("one", "two"):
        alone = beleg("ir", "eval", "qrels", name, *measures, "--json", cwd=judged).json["measures"]
        assert found["measures"][name] == pytest.approx(alone)
    # Half of the queries have their document in front, the others in the second place of the first lane.
    assert found["measures"]["one"] == {"GMAP": pytest.approx(0.5**0.5), "NumRelRet": 12, "RR": 0.75}
    figures = [fold["held_out_mean"] for fold in found["folds"]]
    figures += [each["mean"] for each in found["candidates_in_sample"]]
    assert all(0.0 < each <= 1.0 for each in figures)


@pytest.mark.parametrize("more", [(), ("--tune", "--method", "convex")])
def test_faulty_judgements_are_refused_or_left_out_and_counted(judged: Path, more: tuple[str, ...]) -> None:
    with (judged / "qrels").open("a") as file:
        file.write("broken\n")
    words = ("ir", "fuse", "one", "two", "--qrels", "qrels", "-m", "RR", *more)
    assert "qrels:13" in beleg(*words, cwd=judged).err
    found = beleg(*words, "--lenient", "--json", cwd=judged).json
    assert found["tuning" if more else "evaluation"]["judgements_dropped"] == {"fields": 1}
    assert "  1 lines of the judgements left out (fields)" in beleg(*words, "--lenient", cwd=judged).lines
