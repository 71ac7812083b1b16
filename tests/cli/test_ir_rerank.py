"""``beleg ir rerank``: gains on identical candidates, what is refused, and what a record adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.projects import Done, beleg

RECORD = {"model": "ce-1", "mode": "pointwise", "depth": 3, "batch_size": 8, "hardware": "one core"}


def lines(query: str, names: str) -> str:
    return "".join(f"{query} Q0 {name} {rank} {10 - rank} t\n" for rank, name in enumerate(names, start=1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text("q1 0 c 1\nq1 0 x 1\nq2 0 a 1\nq3 0 b 1\nq3 0 e 1\n")
    (tmp_path / "first").write_text(lines("q1", "abcd") + lines("q2", "abcd") + lines("q3", "abcd") + lines("q9", "a"))
    (tmp_path / "good").write_text(lines("q1", "cab") + lines("q2", "bca") + lines("q3", "bac"))
    (tmp_path / "slices").write_text("q1\tlong\nq2\tshort\nq3\tshort\n")
    (tmp_path / "record.json").write_text(json.dumps(RECORD | {"latency_ms": [3.0, 1.0, 2.0], "cost_usd": 0.5}))
    return tmp_path


def run(folder: Path, *words: str) -> Done:
    return beleg("ir", "rerank", "qrels", "first", *words, cwd=folder)


def one(folder: Path, *words: str) -> dict[str, Any]:
    done = run(folder, *words, "--json")
    assert done.code == 0, done.err
    (found,) = done.json["reranked"]
    assert isinstance(found, dict)
    return found


def test_gains_by_hand_with_the_bound_of_the_candidates(folder: Path) -> None:
    found = one(folder, "good", "--depth", "3", "-m", "RR@10 P@1 R@3")
    gains = {each["measure"]: each for each in found["gains"]}
    assert gains["RR@10"]["before"] == pytest.approx((1 / 3 + 1 + 1 / 2) / 3)
    assert gains["RR@10"]["after"] == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert (gains["P@1"]["before"], gains["P@1"]["after"], gains["P@1"]["best_order"]) == pytest.approx(
        (1 / 3, 2 / 3, 1)
    )
    assert gains["R@3"]["best_order"] == pytest.approx((1 / 2 + 1 + 1 / 2) / 3)
    assert gains["P@1"]["difference"]["better"] == 2
    assert gains["P@1"]["difference"]["lower"] < 1 / 3 < gains["P@1"]["difference"]["upper"]
    assert found["candidates"]["identical"] == found["candidates"]["queries"] == 3
    assert found["gold"] == {
        "relevant": 5, "available": 3, "queries_without": 0, "up": 2, "down": 1, "same": 0, "lost": 0,
        "into": {"1": 2, "3": 0, "10": 0}, "out_of": {"1": 1, "3": 0, "10": 0},
    }  # fmt: skip
    assert found["record"] is None


def test_figures_for_each_slice(folder: Path) -> None:
    found = one(folder, "good", "--depth", "3", "-m", "P@1", "--slices", "slices")["slices"]
    assert {name: (gain["before"], gain["after"]) for name, (gain,) in found.items()} == {
        "long": (0.0, 1.0), "short": (0.5, 0.5),
    }  # fmt: skip


def test_what_the_table_says(folder: Path) -> None:
    done = run(folder, "good", "--depth", "3", "--slices", "slices")
    assert done.lines[0] == "good: first 3 of each list reranked; 3 of 3 judged queries hold exactly their candidates"
    assert "Relevant documents: 5, of these 3 among the candidates; 0 queries have none there." in done.lines
    assert "Moved up 2, down 1, not 0, lost 0." in done.lines
    assert any("latency and cost are not known" in line for line in done.lines)


def test_the_queries_that_changed_stand_with_the_greatest_loss_first(folder: Path) -> None:
    found = one(folder, "good", "--depth", "3", "-m", "RR P@1", "--per-query")["per_query"]
    assert [each["query"] for each in found] == ["q2", "q3", "q1"]
    assert found[0] == {"query": "q2", "before": {"RR": 1.0, "P@1": 1.0}, "after": {"RR": 1 / 3, "P@1": 0.0}}
    printed = [line.split() for line in run(folder, "good", "--depth", "3", "-m", "RR", "--per-query").lines]
    assert ["q2", "1.0000", "0.3333", "-0.6667"] in printed


def test_a_record_gives_depth_latency_and_price(folder: Path) -> None:
    found = one(folder, "good", "--record", "record.json")
    assert found["depth"] == 3
    assert [each["p"] for each in found["latency_ms"]] == [0.5, 0.95, 0.99]
    assert [each["ms"] for each in found["latency_ms"]] == pytest.approx([2.0, 2.9, 2.98])
    said = run(folder, "good", "--record", "record.json").out
    assert "ce-1: pointwise, depth 3, batch size 8, on one core" in said
    assert "Latency p50: 2.0 ms, 3 queries" in said
    assert "Cost: 0.5000 USD for all queries" in said


def test_a_record_without_latency_and_cost_says_so(folder: Path) -> None:
    (folder / "record.yaml").write_text("".join(f"{name}: {value}\n" for name, value in RECORD.items()))
    said = run(folder, "good", "--record", "record.yaml").lines
    assert "Latency was not recorded." in said
    assert "Cost was not recorded." in said
    kept = {"p50": 1, "p95": 2, "p99": 3.5}
    (folder / "record.yaml").write_text(json.dumps(RECORD | {"latency_quantiles_ms": kept}))
    assert "Latency p99: 3.5 ms" in run(folder, "good", "--record", "record.yaml").lines


def test_several_runs_each_with_its_record(folder: Path) -> None:
    (folder / "cut").write_text(lines("q1", "abc") + lines("q2", "abc") + lines("q3", "abc"))
    done = run(folder, "good", "cut", "--record", "record.json", "--record", "record.json", "--json")
    assert [each["file"] for each in done.json["reranked"]] == ["good", "cut"]
    assert {gain["difference"]["estimate"] for gain in done.json["reranked"][1]["gains"]} == {0.0}


def test_lists_that_are_not_their_candidates_are_refused_by_query_and_document(folder: Path) -> None:
    (folder / "bad").write_text(lines("q1", "cab") + lines("q2", "bc") + lines("q3", "baz"))
    done = run(folder, "bad", "--depth", "3")
    assert done.code == 30
    assert "bad: query 'q2' does not hold exactly its candidates (found missing: 'a'). Give the depth" in done.err
    assert "query 'q3' does not hold exactly its candidates (found missing: 'c'; no candidate: 'z')" in done.err
    assert "2 of 3 judged queries differ; the longest reranked list has 3 documents" in done.err
    assert not done.out


def test_partial_lists_are_counted_where_that_is_allowed(folder: Path) -> None:
    (folder / "bad").write_text(lines("q1", "cab") + lines("q2", "bc") + lines("q3", "baz"))
    found = one(folder, "bad", "--depth", "3", "--allow-partial", "-m", "RR")
    assert found["candidates"] == {
        "queries": 3, "identical": 1, "missing_queries": 2, "missing_documents": 2, "extra_queries": 1,
        "extra_documents": 1,
    }  # fmt: skip
    # q3 holds a document that was never handed over and is left out; q2 counts without what it lacks.
    (gain,) = found["gains"]
    assert (gain["before"], gain["after"], gain["difference"]["n"]) == (pytest.approx((1 / 3 + 1) / 2), 0.5, 2)
    assert found["gold"]["lost"] == 1
    printed = run(folder, "bad", "--depth", "3", "--allow-partial").lines
    assert "  2 lack 2 candidates and count with what they have" in printed
    assert "  1 hold 1 documents that are no candidates, and are left out" in printed


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("good",), 30, "the longest reranked list has 3 documents"),
        (("good", "--depth", "0"), 2, "the depth is 0"),
        (("good", "--depth", "100000000000000000000"), 2, "the depth is 100000000000000000000"),
        (("good", "--depth", "2", "--record", "record.json"), 2, "name a depth of 3, and 2 is compared"),
        (("good", "first", "--record", "record.json"), 2, "2 reranked runs have 1 records"),
        (("good", "--record", "broken.yaml"), 30, "mode"),
        (("good", "--record", "broken.txt"), 2, "a document is expected"),
        (("good", "--depth", "3", "--slices", "part"), 30, "2 judged queries have no label"),
        (("strange", "--allow-partial"), 30, "every judged query holds documents"),
        (("good", "-m", "nope"), 2, "no measure"),
        (("absent",), 2, "cannot read absent"),
    ],
)
def test_what_cannot_be_done_is_said(folder: Path, words: tuple[str, ...], code: int, said: str) -> None:
    (folder / "broken.yaml").write_text(json.dumps(RECORD | {"mode": "pairwise"}))
    (folder / "part").write_text("q1\tlong\n")
    (folder / "strange").write_text(lines("q1", "z") + lines("q2", "z") + lines("q3", "z"))
    done = run(folder, *words)
    assert done.code == code, done.err
    assert said in done.err
    assert not done.out


def test_a_first_stage_of_other_queries_is_refused(folder: Path) -> None:
    (folder / "first").write_text(lines("q7", "abc"))
    assert "no query of the first stage is judged" in run(folder, "good").err


@pytest.mark.parametrize(
    ("measure", "said"),
    [("RBPResidual", "does not say which run is better"), ("RelString@5", "is a text"), ("RunId", "is a text")],
)
def test_a_measure_that_says_nothing_of_better_is_refused(folder: Path, measure: str, said: str) -> None:
    done = run(folder, "good", "-m", f"P@1 {measure}", "--depth", "3")
    assert (done.code, f"{measure} {said}" in done.err) == (2, True)
