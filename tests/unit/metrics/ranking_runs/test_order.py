"""Whole lists stand in the order of `beleg.core.ranking`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.order import ranking
from beleg.metrics.ranking_runs.table import table_from_mapping

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
