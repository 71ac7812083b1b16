from __future__ import annotations

import pytest

from beleg.metrics.generation.preference import BothOrders, Preferred, position_dependence, preference

OWN, OTHER, TIE = Preferred.OWN, Preferred.OTHER, Preferred.TIE


@pytest.mark.parametrize(
    ("first", "second", "score", "depends"),
    [
        (OWN, OWN, 1.0, 0.0),
        (OTHER, OTHER, 0.0, 0.0),
        (TIE, TIE, 0.5, 0.0),
        (OWN, OTHER, 0.5, 1.0),
        (OTHER, OWN, 0.5, 1.0),
        (OWN, TIE, 0.5, 1.0),
        (TIE, OTHER, 0.5, 1.0),
    ],
)
def test_only_a_verdict_that_holds_in_both_orders_counts(
    first: Preferred, second: Preferred, score: float, depends: float
) -> None:
    found = BothOrders(own_first=first, own_second=second)
    assert preference(found).value == score
    assert position_dependence(found).value == depends
