"""Fusion of run files against ranx, live: every method and normalisation on which both mean the same.

ranx needs the same queries in all runs and keeps the order in which a run stands, so the inputs are sorted by the one
order and hold no tie. Where the two differ on purpose, the difference stands at the end with both values.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from beleg.metrics.ranking_runs.fusion import Fusion, fuse
from beleg.metrics.ranking_runs.table import Table, table_from_mapping

# A process of its own, where ranx runs as plain Python in two seconds; compiling what it compiles takes a minute.
PEER = """
import json, sys, warnings
warnings.simplefilter("ignore")
import ranx
for line in sys.stdin:
    runs, method, norm, params = json.loads(line)
    try:
        fused = ranx.fuse([ranx.Run(run) for run in runs], norm=norm, method=method, params=params or None).to_dict()
        found = {query: {name: float(score) for name, score in scores.items()} for query, scores in fused.items()}
    except AssertionError as error:
        found = {"refused": str(error)}
    print(json.dumps(found), flush=True)
"""

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


Peer = Callable[..., Run]


@pytest.fixture(scope="module")
def theirs() -> Iterator[Peer]:
    """What ranx makes of runs, a method, a normalisation and parameters."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as peer:
        asked, said = peer.stdin, peer.stdout
        if asked is None or said is None:
            pytest.fail("ranx cannot be spoken to")

        def ask(runs: list[Run], method: str, norm: str | None, **params: Any) -> Run:
            asked.write(json.dumps([runs, method, norm, params]) + "\n")
            asked.flush()
            found: Run = json.loads(said.readline())
            return found

        yield ask
        asked.close()


def require_equal(found: Run, expected: Run, *, rel: float) -> None:
    assert found.keys() == expected.keys()
    for query, scores in expected.items():
        assert found[query] == pytest.approx(scores, rel=rel, abs=rel)
        # The order is theirs wherever the scores are further apart than both round.
        names = list(found[query])
        fall = [scores[one] - scores[two] for one, two in pairwise(names)]
        assert min(fall, default=0.0) >= -rel


@pytest.mark.parametrize("k", [1, 60])
def test_reciprocal_rank_fusion_of_two_runs_to_the_last_bit(theirs: Peer, k: int) -> None:
    require_equal(ours(RUNS[:2], Fusion(k=k)), theirs(RUNS[:2], "rrf", None, k=k), rel=0.0)


def test_reciprocal_rank_fusion_of_three_runs(theirs: Peer) -> None:
    require_equal(ours(RUNS, Fusion()), theirs(RUNS, "rrf", None, k=60), rel=1e-15)


@pytest.mark.parametrize(("norm", "peer"), [("minmax", "min-max"), ("max", "max"), ("sum", "sum"), ("rank", "rank")])
@pytest.mark.parametrize("weights", [(0.5, 0.3, 0.2), (0.1, 0.1, 0.8)])
def test_convex_combinations(theirs: Peer, norm: Any, peer: str, weights: tuple[float, ...]) -> None:
    fusion = Fusion(method="convex", norm=norm, weights=weights)
    require_equal(ours(RUNS, fusion), theirs(RUNS, "wsum", peer, weights=list(weights)), rel=1e-14)


def test_z_scores_where_a_missing_document_counts_nothing(theirs: Peer) -> None:
    fusion = Fusion(method="convex", norm="zscore", missing="zero", weights=(0.25, 0.75))
    require_equal(ours(RUNS[:2], fusion), theirs(RUNS[:2], "wsum", "zmuv", weights=[0.25, 0.75]), rel=1e-12)


@pytest.mark.parametrize(("method", "peer"), [("combsum", "sum"), ("combmnz", "mnz")])
@pytest.mark.parametrize(("norm", "theirs_is"), [("minmax", "min-max"), ("none", None), ("rank", "rank")])
def test_sums_over_lanes(theirs: Peer, method: Any, peer: str, norm: Any, theirs_is: str | None) -> None:
    require_equal(ours(RUNS, Fusion(method=method, norm=norm)), theirs(RUNS, peer, theirs_is), rel=1e-14)


def test_borda_points_to_the_last_bit(theirs: Peer) -> None:
    require_equal(ours(RUNS, Fusion(method="borda")), theirs(RUNS, "bordafuse", None), rel=0.0)


def test_a_single_document_vanishes_there_and_not_here(theirs: Peer) -> None:
    runs: list[Run] = [{"q": {"gold": 0.4}}, {"q": {"x": 9.0, "y": 5.0, "z": 1.0}}]
    peer = theirs(runs, "wsum", "min-max", weights=[0.6, 0.4])["q"]
    assert peer["gold"] == peer["z"] == 0.0
    found = ours(runs, Fusion(method="convex", weights=(0.6, 0.4)))["q"]
    assert (found["gold"], found["z"]) == (0.6, 0.0)


def test_a_document_that_a_lane_lacks_is_above_its_average_there_and_at_its_end_here(theirs: Peer) -> None:
    runs: list[Run] = [{"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"q": {"x": 2.0, "c": 1.0}}]
    peer = theirs(runs, "wsum", "zmuv", weights=[0.9, 0.1])["q"]
    assert peer["x"] > peer["b"]
    found = ours(runs, Fusion(method="convex", norm="zscore", weights=(0.9, 0.1)))["q"]
    assert found["x"] < found["b"]


def test_ranks_in_a_lane_with_ties_follow_the_ids_here_and_the_lines_there(theirs: Peer) -> None:
    runs: list[Run] = [{"q": {"a": 1.0, "b": 1.0}}, {"q": {"c": 1.0, "d": 0.5}}]
    peer = theirs(runs, "rrf", None, k=60)["q"]
    found = ours(runs, Fusion())["q"]
    assert found["b"] == 1 / 61 > found["a"] == 1 / 62
    assert sorted((peer["a"], peer["b"])) == [1 / 62, 1 / 61]


def test_runs_with_other_queries_are_refused_there_and_joined_here(theirs: Peer) -> None:
    runs: list[Run] = [{"q1": {"a": 1.0}}, {"q2": {"b": 1.0}}]
    assert list(theirs(runs, "rrf", None, k=60)) == ["refused"]
    assert ours(runs, Fusion()) == {"q1": {"a": 1 / 61}, "q2": {"b": 1 / 61}}
