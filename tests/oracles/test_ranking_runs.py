"""Run files against trec_eval: live as pytrec-eval-terrier wraps version 9, and the outputs that version 10 ships.

The version 9 oracle stores scores in single precision, ends the process where every judgement of a query is negative or
a cutoff is 0, and cuts ids at a NUL. The inputs stay clear of that; what is right there stands in the worked examples.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from beleg.app.ir.evaluating import evaluate_files
from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import Measure, parse_measures
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.metrics.ranking_runs.trec_names import TREC_ORDER, trec_name
from cli.projects import beleg

QUERIES = 2_000
NAMES = tuple(
    name
    for name in TREC_ORDER
    if name in pytrec_eval.supported_measures and name not in ("runid", "num_q", "relstring")
)

VERSION_10 = "../../ir_vectors/trec_eval_v10"

Mapping = dict[str, dict[str, float]]


def random_run(seed: int, lowest: int) -> tuple[Mapping, Mapping]:
    """Short lists full of ties, in random order; ids of one to four words; eighths, which single precision holds."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" if number % 3 else f"a-very-much-longer-name-{number}" for number in range(30)]
    judged: Mapping = {}
    run: Mapping = {}
    for number in range(QUERIES):
        pool = rng.permutation(30)[: rng.integers(1, 20)]
        run[f"q{number}"] = {names[each]: float(rng.integers(0, 6)) / 8 for each in pool}
        grades = {names[each]: int(rng.integers(lowest, 5)) for each in rng.permutation(30)[: rng.integers(1, 12)]}
        if max(grades.values()) < 0:
            grades[next(iter(grades))] = 0
        judged[f"q{number}"] = grades
    return judged, run


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize(("seed", "lowest", "level"), [(1, 0, 1), (2, -2, 1), (3, 1, 1), (4, -2, 2), (5, 0, 3)])
def test_every_value_of_every_query_is_that_of_trec_eval_to_the_last_bit(
    seed: int, lowest: int, level: int, *, judged_only: bool
) -> None:
    judged, run = random_run(seed, lowest)
    evaluator = pytrec_eval.RelevanceEvaluator(
        judged, set(NAMES), relevance_level=level, judged_docs_only_flag=judged_only
    )
    theirs = evaluator.evaluate(run)
    asked = parse_measures(NAMES, min_rel=level)
    ours = evaluate_run(table_from_mapping(judged), table_from_mapping(run), asked, judged_only=judged_only)
    relevant = [sum(grade >= level for grade in judged[query].values()) for query in ours.queries]
    compared = 0
    for measure, values in zip(ours.measures, ours.values.tolist(), strict=True):
        for query, value, total in zip(ours.queries, values, relevant, strict=True):
            # Version 9 reads memory that it did not write where nothing is left of a list.
            is_empty = judged_only and theirs[query]["num_ret"] == 0
            if rounds_alike(measure, total) and not is_empty:
                assert value == theirs[query][trec_name(measure)], (query, trec_name(measure))
                compared += 1
    assert compared > (0.6 if judged_only else 0.9) * QUERIES * len(ours.measures)


def rounds_alike(measure: Measure, total: int) -> bool:
    """Version 9 adds 0.9 and cuts where version 10 rounds: comparable where both give one count."""
    levels = {"IAP": [tenth / 10 for tenth in range(11)], "IPrec": [measure.level or 0.0]}.get(measure.name, [])
    return all(int(level * total + 0.9) == int(level * total + 0.5) for level in levels)


MEASURES_WITH_PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35"
    " -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4"
    " -msuccess.2,5,20 qrels.test results.test"
)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("out.test", "qrels.test results.test"),
        ("out.test", f"{VERSION_10}/qrels.test.with-comments results.test"),
        (
            "out.comment.test",
            f"{VERSION_10}/qrels.comment.test.gz {VERSION_10}/results.comment.test.gz",
        ),
        ("out.test.a", "-m all_trec qrels.test results.test"),
        ("out.test.aq", "-m all_trec -q qrels.test results.test"),
        ("out.test.aqc", "-m all_trec -q -c qrels.test results.trunc"),
        ("out.test.aqc", "-m all_trec -q qrels.test results.trunc"),
        ("out.test.aqcM", "-m all_trec -q -c -M100 qrels.test results.trunc"),
        ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test"),
        ("out.test.prefs", "-m all_prefs -q -R prefs prefs.test prefs.results.test"),
        ("out.test.prefs", "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test"),
        ("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs qrels.test results.test"),
        ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.123 results.test"),
        ("out.test.meas_params", MEASURES_WITH_PARAMETERS),
        ("out.test.aqZ", "-q -m all_trec -Z zscores_file qrels.test results.test"),
    ],
)
def test_the_outputs_of_trec_eval_byte_by_byte_by_its_own_options(shared_data: Path, expected: str, words: str) -> None:
    folder = shared_data / "trec_eval" / "test"
    done = beleg("ir", "eval", "--format", "trec_eval", *words.split(), cwd=folder)
    assert done.code == 0, done.err
    assert done.out == (folder / expected).read_text()


def one(judged: Mapping, run: Mapping, measure: str) -> float:
    found = evaluate_run(table_from_mapping(judged), table_from_mapping(run), parse_measures([measure]))
    return found.summary()[0]


def files(folder: Path, qrels: str, run: str, measure: str, *, lenient: bool = False) -> dict[str, float]:
    (folder / "q").write_bytes(qrels.encode())
    (folder / "r").write_bytes(run.encode())
    (report,) = evaluate_files(folder / "q", [folder / "r"], [measure], lenient=lenient)
    return report.summary()


@pytest.mark.parametrize("order", [("d1", "d2", "d3"), ("d3", "d2", "d1"), ("d2", "d3", "d1")])
def test_ties_have_one_order_for_all_measures_whatever_the_order_of_lines(order: tuple[str, ...]) -> None:
    run: Mapping = {"q1": dict.fromkeys(order, 1.0)}
    judged: Mapping = {"q1": {"d1": 1, "d2": 0}}
    assert one(judged, run, "RR") == one(judged, run, "RR@10") == 1 / 3


def test_scores_equal_in_single_precision_only_are_no_tie() -> None:
    assert one({"q1": {"d1": 1}}, {"q1": {"d1": 0.800000001, "d2": 0.8}}, "RR") == 1.0
    assert one({"q1": {"d1": 1}}, {"q1": {"d1": 16777217.0, "d2": 16777216.0}}, "RR") == 1.0


def test_the_mean_is_over_judged_queries() -> None:
    assert one({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}, "q9": {"d1": 1.0}}, "AP") == 0.5
    assert one({"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}}, "NumRel") == 2


def test_unjudged_documents_are_not_relevant() -> None:
    run: Mapping = {"q1": {"u1": 4.0, "u2": 3.0, "d2": 2.0, "d1": 1.0}}
    judged: Mapping = {"q1": {"d2": 0, "d1": 1}}
    assert one(judged, run, "RR") == 0.25
    assert round(one(judged, run, "nDCG"), 4) == 0.4307


def test_negative_grades_are_in_the_pool_and_not_judged() -> None:
    run: Mapping = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}
    assert one({"q1": {"d1": -1, "d2": 2, "d3": -2}}, run, "Bpref") == 1.0
    for measure in ("Bpref", "nDCG", "AP", "RR", "Rprec", "IPrec@0.5", "SetF"):
        assert one({"q1": {"d1": -1, "d3": -2}}, run, measure) == 0.0


def test_bpref_without_a_document_judged_not_relevant_is_a_number() -> None:
    assert one({"q1": {"d1": 1}}, {"q1": {"x": 2.0, "d1": 1.0}}, "Bpref") == 1.0


def test_graded_examples() -> None:
    backwards: Mapping = {"q1": {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}}
    judged: Mapping = {"q1": {"a": 3, "b": 2, "c": 1, "d": 0}}
    assert round(one(judged, backwards, "nDCG"), 4) == 0.6138
    assert round(one(judged, backwards, "AP(rel=2)"), 4) == 0.4167
    swapped: Mapping = {"q1": {"a": 1.0, "b": 2.0}}
    assert round(one({"q1": {"a": 3, "b": 2}}, swapped, "nDCG"), 4) == 0.9134
    assert round(one({"q1": {"a": 3, "b": 2}}, swapped, "nDCG(dcg='exp-log2')"), 5) == 0.83399


def test_short_lists() -> None:
    judged: Mapping = {"q1": {"a": 1, "b": 1, "c": 1}}
    run: Mapping = {"q1": {"a": 2.0, "b": 1.0}}
    assert one(judged, run, "P@5") == 0.4
    assert one(judged, run, "R@5") == one(judged, run, "AP") == 2 / 3
    assert one(judged, run, "AP@1") == 1 / 3
    assert one(judged, run, "nDCG@1") == 1.0


@pytest.mark.parametrize(
    ("qrels", "run"),
    [("q1 0 d1 1\n", "q1 Q0 d1 1 3 t\nq1 Q0 d1 2 1 t\n"), ("q1 0 d1 1\nq1 0 d1 0\n", "q1 Q0 d1 1 3 t\n")],
    ids=["run", "judgements"],
)
def test_repeats_are_refused_with_their_line(tmp_path: Path, qrels: str, run: str) -> None:
    with pytest.raises(DataError, match=r":2: field 'document': the document stands twice for query 'q1'"):
        files(tmp_path, qrels, run, "AP")
    assert files(tmp_path, qrels, run, "AP", lenient=True) == {"AP": 1.0}


def test_interleaved_queries_count_as_if_they_stood_together(tmp_path: Path) -> None:
    qrels = "q1 0 d1 1\nq2 0 d1 1\n"
    run = "q1 Q0 x 1 3 t\nq2 Q0 d1 1 3 t\nq1 Q0 d1 2 1 t\n"
    assert files(tmp_path, qrels, run, "RR") == {"RR": 0.75}


def test_ids_are_compared_as_bytes(tmp_path: Path) -> None:
    assert files(tmp_path, "q 0 a\0b 1\n", "q Q0 a\0c 1 1 t\n", "RR") == {"RR": 0.0}
    assert files(tmp_path, "q 0 007 1\n", "q Q0 7 1 1 t\n", "RR") == {"RR": 0.0}
    assert files(tmp_path, "q 0 9 1\n", "q Q0 10 1 1 t\nq Q0 9 2 1 t\n", "RR") == {"RR": 1.0}
    assert files(tmp_path, "q 0 z 1\n", "q Q0 z 1 1 t\nq Q0 \u00e9 2 1 t\n", "RR") == {"RR": 0.5}


@pytest.mark.parametrize("name", ["no_query", "no query".replace(" ", "\u00a0"), "#q", "0"])
def test_names_of_queries_have_no_meaning(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        assert files(tmp_path, f"{name} 0 d 1\n", f"{name} Q0 d 1 1 t\n", "AP nDCG") == {"AP": 1.0, "nDCG": 1.0}


def test_a_byte_order_mark_hides_no_query(tmp_path: Path) -> None:
    assert files(tmp_path, "\ufeffq1 0 d 1\n", "q1 Q0 d 1 1 t\n", "AP") == {"AP": 1.0}


def test_no_common_query_is_refused_with_ids_of_both_sides(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"'7' in the run, '007' in the judgements"):
        files(tmp_path, "007 0 d 1\n", "7 Q0 d 1 1 t\n", "AP")
