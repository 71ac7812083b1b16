"""All measures of trec_eval at once on judged runs in memory, beside pytrec_eval, and others that it has not.

usage: python benchmarks/bench_ir_measures.py [--smoke]

The peer takes nested mappings, Beleg takes tables, which are what a file is read into; what a mapping costs on top is a
row of its own. Reading files is measured by bench_ir.py.
"""

from __future__ import annotations

import numpy as np
import pytrec_eval

from beleg.metrics.ranking_runs.kernels import evaluate_groups, evaluate_hits
from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.rank_overlap import overlap_of_runs
from beleg.metrics.ranking_runs.ranked_groups import group_judgements
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping
from beleg.metrics.ranking_runs.trec_names import TREC_ORDER, trec_name
from measuring import Row, is_smoke, show, spend

ROUNDS = 3
READERS = ("INST(max_rel=3)", "INSQ(max_rel=3)", "NERR10(max_rel=3)", "ERR@20", "RBP", "Compat")
DIVERSE = ("alpha_nDCG@20", "ERR_IA@20", "nERR_IA@20", "StRecall@20", "P_IA@20")
RATIO_BUDGET = 1 / 2

Mapping = dict[str, dict[str, float]]


def made(queries: int, depth: int, judged: int) -> tuple[dict[str, dict[str, int]], Mapping]:
    """Graded judgements and runs without ties, whose scores single precision holds."""
    rng = np.random.default_rng(3)
    names = [f"document-{number}" for number in range(3 * depth)]
    qrels: dict[str, dict[str, int]] = {}
    run: Mapping = {}
    for number in range(queries):
        query = f"query-{number}"
        qrels[query] = {names[each]: int(rng.integers(0, 4)) for each in rng.permutation(len(names))[:judged]}
        run[query] = {names[each]: float(depth - rank) for rank, each in enumerate(rng.permutation(len(names))[:depth])}
    return qrels, run


def by_subtopic(qrels: dict[str, dict[str, int]]) -> tuple[list[str], np.ndarray, np.ndarray, Names, np.ndarray]:
    """The same judgements, each grade a subtopic."""
    queries = list(qrels)
    rows = [(at, grade, name) for at, query in enumerate(queries) for name, grade in qrels[query].items()]
    columns = [np.array([row[at] for row in rows], dtype=np.int32) for at in (0, 1)]
    return queries, columns[0], columns[1], Names.of(row[2] for row in rows), np.ones(len(rows))


def least_cpu_s(work: object) -> float:
    """The least of several rounds."""
    if not callable(work):
        raise SystemExit("nothing to measure")
    return min(spend(work)[1].cpu_s for _ in range(ROUNDS))


def require_equal(
    qrels: dict[str, dict[str, int]], run: Mapping, names: list[str], tables: tuple[Table, Table]
) -> None:
    """Both sides give one figure for every query, as far as version 9 rounds as version 10 does."""
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(run)
    found = evaluate_hits(tables[0], find_hits(*tables), parse_measures(names))
    for measure, values in zip(found.measures, found.values.tolist(), strict=True):
        if measure.name not in ("IPrec", "IAP"):
            for query, value in zip(found.queries, values, strict=True):
                if value != theirs[query][trec_name(measure)]:
                    raise SystemExit(f"{measure} differs from pytrec_eval; the ratio would mean nothing")


def main() -> None:
    """Checks that both sides give the same figures, then measures them in turn."""
    smoke = is_smoke(__doc__)
    queries, depth, judged = (5, 20, 10) if smoke else (700, 1_000, 100)
    qrels, run = made(queries, depth, judged)
    left_out = ("runid", "num_q", "relstring")
    names = [name for name in TREC_ORDER if name in pytrec_eval.supported_measures and name not in left_out]
    tables = table_from_mapping({query: dict(grades) for query, grades in qrels.items()}), table_from_mapping(run)
    require_equal(qrels, run, names, tables)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names))
    all_of, readers, diverse = (parse_measures(each) for each in (names, READERS, DIVERSE))
    columns = by_subtopic(qrels)
    grouped = group_judgements(columns[0], columns[1], (columns[2], columns[2] * 0), columns[3], columns[4])

    def whole() -> object:
        return evaluate_hits(tables[0], find_hits(*tables), all_of).summary()

    theirs = least_cpu_s(lambda: evaluator.evaluate(run))
    hits = find_hits(*tables)
    rows = [
        Row(what="all measures", measured=least_cpu_s(whole), unit="CPU s", budget=theirs * RATIO_BUDGET,
            peer="pytrec_eval", peer_measured=theirs),
        Row(what="mappings to tables, before that", unit="CPU s",
            measured=least_cpu_s(lambda: table_from_mapping(run))),
        Row(what=f"{len(READERS)} measures of readers", unit="CPU s",
            measured=least_cpu_s(lambda: evaluate_hits(tables[0], hits, readers))),
        Row(what=f"{len(DIVERSE)} measures of diversity", unit="CPU s",
            measured=least_cpu_s(lambda: evaluate_groups(grouped, tables[1], diverse))),
        Row(what="rank-biased overlap of two runs", unit="CPU s",
            measured=least_cpu_s(lambda: overlap_of_runs(tables[1], tables[1]))),
    ]  # fmt: skip
    setting = (
        f"{queries:,} queries with {depth:,} documents and {judged:,} judgements each, {len(all_of)} measures; "
        f"minimum of {ROUNDS} rounds; figures equal to the last bit where versions 9 and 10 round alike."
    )
    show("ir_measures", setting, rows, packages=("numpy", "pytrec-eval-terrier"), smoke=smoke)


if __name__ == "__main__":
    main()
