"""Both implementations of reciprocal rank fusion give the same list with the same scores, to the last bit.

The embedded RAG fuses a few short lists of ids and may not import the metrics; the kernel
for run files works on columns.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ranking_runs import fusion
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.reference.fusion import RRF_K, reciprocal_rank_fusion

LISTS = st.lists(st.lists(st.sampled_from([f"d{n}" for n in range(12)]), unique=True), min_size=2, max_size=6)


@given(LISTS, st.integers(1, 100))
def test_the_kernel_and_the_reference_fuse_alike(lists: list[list[str]], k: int) -> None:
    runs = [{"q": {name: float(-rank) for rank, name in enumerate(names)}} for names in lists]
    table, _ = fusion.fuse([table_from_mapping(run) for run in runs], fusion.Fusion(k=k))
    found = [(table.documents[row].decode(), score) for row, score in enumerate(table.value.tolist())]
    assert found == reciprocal_rank_fusion(lists, k=k)


def test_both_have_one_rank_constant() -> None:
    assert fusion.RRF_K == RRF_K
