"""Two trees have the same distance, to the last bit, with the compiled part and without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.adapters.native.tree_saving import most_saved as compiled
from beleg.adapters.native.tree_saving import trees_library
from beleg.app.tables import table_scores
from beleg.metrics.ingestion import page_tables
from beleg.metrics.ingestion.tree_distance import in_grains, most_saved
from support.tables import drawn_tree, table


@pytest.fixture(autouse=True, scope="module")
def _needs_the_library() -> None:
    if trees_library() is None:
        pytest.skip("the compiled part was not built")


TREES = st.one_of(
    st.lists(st.integers(0, 60), max_size=40),
    st.integers(0, 30).map(lambda size: list(range(size))),
    st.integers(0, 30).map(lambda size: [0] * size),
).map(drawn_tree)


@settings(max_examples=500)
@given(TREES, TREES, st.integers(0, 2**32))
def test_both_ways_save_the_same(one: np.ndarray, other: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 3, (len(one), len(other)))
    saving = 2 - in_grains(np.where(kinds == 2, rng.random(kinds.shape), kinds))
    assert compiled(one, other, saving) == most_saved(one, other, saving)
    assert compiled(other, one, saving.T) == most_saved(other, one, saving.T)


def test_large_tables_have_the_same_figures() -> None:
    rng = np.random.default_rng(4)
    gold, found = (
        table(*("|".join(f"{number:.3f}" for number in rng.random(9)) for _ in range(rows))) for rows in (40, 38)
    )
    assert table_scores(gold, found) == page_tables.table_scores(gold, found)
