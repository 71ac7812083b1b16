from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, one, passage

LONG, SHORT = "one two three four five six seven eight", "three four"


def test_words_delivered_are_counted_and_compared_with_what_came_before() -> None:
    run = one(case(), retrieved=(passage("d1", LONG), passage("d2", LONG)), delivered=(passage("d1", SHORT),))
    found = compute(["context_words", "context_compression"], run)
    assert found["context_words"].values.tolist() == [2.0]
    assert found["context_compression"].values.tolist() == [8.0]


def test_the_last_list_before_delivery_counts() -> None:
    run = one(
        case(),
        retrieved=(passage("d1", LONG),) * 3,
        reranked=(passage("d1", LONG),),
        delivered=(passage("d1", LONG),),
    )
    assert compute(["context_compression"], run)["context_compression"].values.tolist() == [1.0]


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ({"retrieved": (passage("d1", LONG),)}, ScoreStatus.NOT_APPLICABLE),
        ({"delivered": (passage("d1", LONG),)}, ScoreStatus.NOT_APPLICABLE),
        ({"retrieved": (passage("d1", LONG),), "delivered": ()}, ScoreStatus.NOT_APPLICABLE),
        ({"retrieved": (passage("d1"),), "delivered": (passage("d1", LONG),)}, ScoreStatus.MISSING),
    ],
)
def test_what_was_not_recorded_has_no_ratio(output: dict[str, object], status: ScoreStatus) -> None:
    assert compute(["context_compression"], one(case(), **output))["context_compression"].score_at(0).status is status
