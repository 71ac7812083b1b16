"""Fusion of run files against ranx, live: every method and normalisation on which both mean the same.

ranx needs the same queries in all runs and keeps the order in which a run stands, so the inputs are sorted by the one
order and hold no tie. Where the two differ on purpose, the difference stands at the end with both values.
"""

from __future__ import annotations

import os
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from beleg.metrics.ranking_runs.fusion import Fusion, fuse
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

# Compiling what ranx compiles takes a minute, running it as plain Python two seconds.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import ranx

Run = dict[str, dict[str, float]]

QUERIES, DEPTH, POOL = 60, 25, 60


def random_run(seed: int) -> Run:
    """Falling scores above 0 without a tie."""
    rng = np.random.default_rng(seed)
    run: Run = {}
    for number in range(QUERIES):
        documents = rng.choice(POOL, int(rng.integers(2, DEPTH)), replace=False)
        scores = np.sort(rng.choice(10_000, len(documents), replace=False) + rng.random())[::-1]
        run[f"q{number:03}"] = {
            f"d{document:02}": float(score) for document, score in zip(documents, scores, strict=True)
        }
    return run


RUNS = [random_run(seed) for seed in (1, 2, 3)]


def ours(runs: list[Run], fusion: Fusion) -> Run:
    table, _ = fuse([table_from_mapping(run) for run in runs], fusion)
    return mapping(table)


def mapping(table: Table) -> Run:
    found: Run = {query: {} for query in table.queries}
    for row, number in enumerate(table.query().tolist()):
        found[table.queries[number]][table.documents[row].decode()] = float(table.value[row])
    return found


def theirs(runs: list[Run], method: str, norm: str | None, **params: Any) -> Run:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fused = ranx.fuse([ranx.Run(run) for run in runs], norm=norm, method=method, params=params or None)
        return {query: dict(scores) for query, scores in fused.to_dict().items()}


def require_equal(found: Run, expected: Run, *, rel: float) -> None:
    assert found.keys() == expected.keys()
    for query, scores in expected.items():
        assert found[query] == pytest.approx(scores, rel=rel, abs=rel)
        # The order is theirs wherever the scores are further apart than both round.
        names = list(found[query])
        fall = [scores[one] - scores[two] for one, two in pairwise(names)]
        assert min(fall, default=0.0) >= -rel


@pytest.mark.parametrize("k", [1, 60])
def test_reciprocal_rank_fusion_of_two_runs_to_the_last_bit(k: int) -> None:
    require_equal(ours(RUNS[:2], Fusion(k=k)), theirs(RUNS[:2], "rrf", None, k=k), rel=0.0)


def test_reciprocal_rank_fusion_of_three_runs() -> None:
    require_equal(ours(RUNS, Fusion()), theirs(RUNS, "rrf", None, k=60), rel=1e-15)


@pytest.mark.parametrize(("norm", "peer"), [("minmax", "min-max"), ("max", "max"), ("sum", "sum"), ("rank", "rank")])
@pytest.mark.parametrize("weights", [(0.5, 0.3, 0.2), (0.1, 0.1, 0.8)])
def test_convex_combinations(norm: Any, peer: str, weights: tuple[float, ...]) -> None:
    fusion = Fusion(method="convex", norm=norm, weights=weights)
    require_equal(ours(RUNS, fusion), theirs(RUNS, "wsum", peer, weights=list(weights)), rel=1e-14)


def test_z_scores_where_a_missing_document_counts_nothing() -> None:
    fusion = Fusion(method="convex", norm="zscore", missing="zero", weights=(0.25, 0.75))
    require_equal(ours(RUNS[:2], fusion), theirs(RUNS[:2], "wsum", "zmuv", weights=[0.25, 0.75]), rel=1e-12)


@pytest.mark.parametrize(("method", "peer"), [("combsum", "sum"), ("combmnz", "mnz")])
@pytest.mark.parametrize(("norm", "theirs_is"), [("minmax", "min-max"), ("none", None), ("rank", "rank")])
def test_sums_over_lanes(method: Any, peer: str, norm: Any, theirs_is: str | None) -> None:
    require_equal(ours(RUNS, Fusion(method=method, norm=norm)), theirs(RUNS, peer, theirs_is), rel=1e-14)


def test_borda_points_to_the_last_bit() -> None:
    require_equal(ours(RUNS, Fusion(method="borda")), theirs(RUNS, "bordafuse", None), rel=0.0)


def test_a_single_document_vanishes_there_and_not_here() -> None:
    runs: list[Run] = [{"q": {"gold": 0.4}}, {"q": {"x": 9.0, "y": 5.0, "z": 1.0}}]
    peer = theirs(runs, "wsum", "min-max", weights=[0.6, 0.4])["q"]
    assert peer["gold"] == peer["z"] == 0.0
    found = ours(runs, Fusion(method="convex", weights=(0.6, 0.4)))["q"]
    assert (found["gold"], found["z"]) == (0.6, 0.0)


def test_a_document_that_a_lane_lacks_is_above_its_average_there_and_at_its_end_here() -> None:
    runs: list[Run] = [{"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"x": 2.0, "c": 1.0}}]
    peer = theirs(runs, "wsum", "zmuv", weights=[0.9, 0.1])["q"]
    assert peer["x"] > peer["b"]
    found = ours(runs, Fusion(method="convex", norm="zscore", weights=(0.9, 0.1)))["q"]
    assert found["x"] < found["b"]


def test_ranks_in_a_lane_with_ties_follow_the_ids_here_and_the_lines_there() -> None:
    runs: list[Run] = [{"q": {"a": 1.0, "b": 1.0}}, {"q": {"c": 1.0, "d": 0.5}}]
    peer = theirs(runs, "rrf", None, k=60)["q"]
    found = ours(runs, Fusion())["q"]
    assert found["b"] == 1 / 61 > found["a"] == 1 / 62
    assert sorted((peer["a"], peer["b"])) == [1 / 62, 1 / 61]


def test_runs_with_other_queries_are_refused_there_and_joined_here() -> None:
    runs: list[Run] = [{"q1": {"a": 1.0}}, {"q2": {"b": 1.0}}]
    with pytest.raises(AssertionError):
        theirs(runs, "rrf", None, k=60)
    assert ours(runs, Fusion()) == {"q1": {"a": 1 / 61}, "q2": {"b": 1 / 61}}
