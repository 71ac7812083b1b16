"""Whole lists stand in the order of `beleg.core.ranking`."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.order import best_first, ranking, ranks
from beleg.metrics.ranking_runs.table import BLOCK_ROWS, Names, table_from_mapping, table_of

DOCUMENTS = ["a", "b", "a-long-name-1", "a-long-name-2", "a-long-name-10", "\u00e9", "z\0", "z"]
RUNS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([0.0, -0.0, 0.5, 1.0, float("inf")])),
)


@given(RUNS)
def test_lists_stand_in_the_one_order(run: dict[str, dict[str, float]]) -> None:
    table = table_from_mapping(run)
    found = [table.documents[row].decode() for row in ranking(table).tolist()]
    assert found == [name for scores in run.values() for name, _ in ranked(scores)]


@given(RUNS)
def test_ranks_say_where_every_row_stands_in_that_order(run: dict[str, dict[str, float]]) -> None:
    place = {q: {name: rank for rank, (name, _) in enumerate(ranked(scores), 1)} for q, scores in run.items()}
    expected = [place[query][name] for query, scores in run.items() for name in scores]
    assert ranks(table_from_mapping(run)).tolist() == expected


@given(RUNS, st.integers(1, 4))
def test_a_cut_list_holds_the_first_of_the_order_and_names_their_rows(
    run: dict[str, dict[str, float]], depth: int
) -> None:
    table = table_from_mapping(run)
    cut = best_first(table, depth=depth)
    names = [cut.documents[row].decode() for row in range(len(cut.value))]
    assert names == [name for scores in run.values() for name, _ in ranked(scores)[:depth]]
    assert np.diff(cut.offsets).tolist() == [min(len(scores), depth) for scores in run.values()]
    assert cut.source is not None
    assert cut.value.tolist() == table.value[cut.source].tolist()


NEAR = ["a", "a\0", "b", "same-eight", "same-eighu", "same-eight-bytes-1", "same-eight-bytes-10", "z" * 30]


@given(st.permutations(NEAR), st.integers(1, 3))
def test_ties_of_any_size_stand_by_id(names: list[str], size: int) -> None:
    run = {"q": {name: float(-(place // size)) for place, name in enumerate(names)}}
    table = table_from_mapping(run)
    assert [table.documents[row].decode() for row in ranking(table)] == [name for name, _ in ranked(run["q"])]


def test_lists_that_fill_several_blocks_are_all_sorted() -> None:
    rng = np.random.default_rng(5)
    sizes = [BLOCK_ROWS + 7, 0, 3, 5_000, 0]
    code = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    value = rng.integers(0, 50, len(code)).astype(np.float64)
    table = table_of(["a", "b", "c", "d", "e"], code, Names.of(f"d{row}" for row in range(len(code))), value)
    keys = [(int(query), -float(score)) for query, score in zip(code, value, strict=True)]
    expected = sorted(range(len(code)), key=lambda row: table.documents[row], reverse=True)
    assert ranking(table).tolist() == sorted(expected, key=keys.__getitem__)
