"""A run that Python holds gives the same ranks, and the same refusals, with the compiled part and without."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from beleg.adapters.native.held_run import held_library, take_lists
from beleg.core.errors import DataError
from beleg.metrics.ranking_runs import mappings
from beleg.metrics.ranking_runs.mappings import Take, hits_of_mapping
from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.table import Table, table_from_mapping
from support.hostile_mappings import DOCUMENTS, QUERIES, disorderly, orderly

ROUNDS = 2_000


@pytest.fixture(autouse=True)
def _needs_the_library() -> None:
    if held_library() is None:
        pytest.skip("the compiled part was not built or does not suit this interpreter")


def judgements() -> Table:
    rng = random.Random(5)
    return table_from_mapping(
        {query: {name: float(rng.randint(-1, 3)) for name in rng.sample(DOCUMENTS, 9)} for query in QUERIES[:-2]}
    )


def outcome(judged: Table, run: Any, take: Take | None) -> object:
    try:
        hits = hits_of_mapping(judged, run, take=take)
    except (DataError, RuntimeError) as error:
        return type(error), str(error)
    return figures(hits)


def figures(hits: Any) -> object:
    arrays = (hits.query, hits.rank, hits.grade, hits.returned)
    return [array.tolist() for array in arrays], [array.dtype for array in arrays], hits.extra_queries


@pytest.mark.parametrize("make", [orderly, disorderly])
def test_both_ways_give_the_same(make: Callable[[random.Random], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    judged = judgements()
    ranked = 0
    for seed in range(ROUNDS):
        monkeypatch.setattr(mappings, "BLOCK_ROWS", random.Random(seed).choice([1, 5, 20, 1 << 15]))
        # Some of these runs change when they are looked at: each way has one of its own.
        first, second = (make(random.Random(seed)) for _ in range(2))
        wanted = outcome(judged, first, None)
        assert outcome(judged, second, take_lists) == wanted, make(random.Random(seed))
        ranked += not isinstance(wanted, tuple) or not isinstance(wanted[0], type)
    assert ranked == ROUNDS if make is orderly else ROUNDS // 10 < ranked < ROUNDS


def test_the_compiled_way_takes_all_that_is_in_order_and_ranks_it_as_its_table() -> None:
    declined: list[object] = []

    def watched(*asked: Any) -> Any:
        taken = take_lists(*asked)
        if taken is None:
            declined.append(asked)
        return taken

    judged = judgements()
    for seed in range(300):
        run = orderly(random.Random(seed))
        found = figures(hits_of_mapping(judged, run, take=watched))
        assert not run or found == figures(find_hits(judged, table_from_mapping(run)))
    assert not declined
