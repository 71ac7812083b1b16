from __future__ import annotations

from collections import Counter

import pytest

from beleg.metrics.positions import Third, third_of


@pytest.mark.parametrize("total", range(3, 60))
def test_thirds_stand_in_order_and_differ_by_one_passage_at_most(total: int) -> None:
    thirds = [third_of(rank, total) for rank in range(1, total + 1)]
    assert thirds == sorted(thirds, key=list(Third).index)
    assert thirds[0] is Third.BEGIN
    assert thirds[-1] is Third.END
    counts = Counter(thirds)
    assert set(counts) == set(Third)
    assert max(counts.values()) - min(counts.values()) <= 1
    assert counts[Third.BEGIN] == counts[Third.END]


@pytest.mark.parametrize("total", [1, 2])
def test_a_short_context_has_no_thirds(total: int) -> None:
    assert third_of(1, total) is None
