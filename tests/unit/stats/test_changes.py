from __future__ import annotations

import pytest
from scipy import stats

from beleg.core.errors import DataError
from beleg.stats.changes import paired_changes


@pytest.mark.parametrize(("gained", "lost", "n"), [(1, 9, 100), (0, 5, 5), (7, 7, 40), (30, 12, 1_000), (1, 0, 3)])
def test_p_value_and_intervals_are_those_of_scipy(gained: int, lost: int, n: int) -> None:
    found = paired_changes(gained, lost, n)
    test = stats.binomtest(gained, gained + lost, 0.5)
    assert found.p_value == pytest.approx(test.pvalue, rel=1e-9)
    exact = test.proportion_ci(method="exact")
    assert found.gained_share is not None
    assert (found.gained_share.lower, found.gained_share.upper) == pytest.approx((exact.low, exact.high), abs=1e-9)
    changed = stats.binomtest(gained + lost, n).proportion_ci(method="exact")
    assert (found.changed.lower, found.changed.upper) == pytest.approx((changed.low, changed.high), abs=1e-9)


def test_where_nothing_changed_no_direction_is_told() -> None:
    found = paired_changes(0, 0, 20)
    assert (found.gained_share, found.p_value, found.changed.estimate) == (None, 1.0, 0.0)
    assert found.changed.upper == pytest.approx(0.168433, abs=1e-6)


@pytest.mark.parametrize("counts", [(-1, 0, 3), (2, 2, 3), (0, 0, 0)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(DataError):
        paired_changes(*counts)
