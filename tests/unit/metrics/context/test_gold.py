from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, gold, listed, one, passage

NEEDS_TWO = case(gold("d1"), gold("d4"))


@pytest.mark.parametrize(
    ("a_case", "delivered", "rank", "third"),
    [
        (case(gold("d1")), ("d1", "x", "y"), 1.0, "begin"),
        (case(gold("d1")), ("x", "d1", "y"), 2.0, "middle"),
        (case(gold("d1")), ("x", "y", "d1"), 3.0, "end"),
        (case(gold("d1")), ("x", "d1"), 2.0, None),
        (NEEDS_TWO, ("d1", "x", "d4", "y", "z", "w"), 3.0, "middle"),
        (case(gold("d1", any_of="a"), gold("d2", any_of="a")), ("d2", "x", "d1"), 1.0, "begin"),
    ],
)
def test_the_rank_is_where_the_evidence_is_complete(
    a_case: object, delivered: tuple[str, ...], rank: float, third: str | None
) -> None:
    found = compute(["gold_rank"], one(a_case, delivered=listed(*delivered)))["gold_rank"]  # type: ignore[arg-type]
    assert found.score_at(0).value == rank
    assert found.score_at(0).detail == third


def test_evidence_that_was_not_delivered_has_no_rank() -> None:
    for a_case, delivered, status in (
        (case(gold("d1")), listed("x"), ScoreStatus.NOT_APPLICABLE),
        (NEEDS_TWO, listed("d1"), ScoreStatus.NOT_APPLICABLE),
        (case(), listed("x"), ScoreStatus.NOT_APPLICABLE),
        (case(gold("d1", "quote")), (passage("d1"),), ScoreStatus.MISSING),
    ):
        assert compute(["gold_rank"], one(a_case, delivered=delivered))["gold_rank"].score_at(0).status is status
