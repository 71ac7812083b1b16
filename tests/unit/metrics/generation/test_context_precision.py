from __future__ import annotations

import pytest

from beleg.metrics.generation.context_precision import context_precision


@pytest.mark.parametrize(
    ("useful", "expected"),
    [
        ([True], 1.0),
        ([True, False], 1.0),
        ([False, True], 0.5),
        ([True, False, True], (1 + 2 / 3) / 2),
        ([False, False, True, True], (1 / 3 + 2 / 4) / 2),
        ([False, False], 0.0),
        ([], 0.0),
    ],
)
def test_worked_values(useful: list[bool], expected: float) -> None:
    assert context_precision(useful).value == pytest.approx(expected, abs=1e-15)


def test_a_useful_passage_first_is_better_than_behind_noise() -> None:
    first, behind = context_precision([True, False, False]).value, context_precision([False, False, True]).value
    assert first is not None
    assert behind is not None
    assert first > behind


def test_the_reason_for_0_is_told() -> None:
    assert context_precision([]).detail == "nothing was delivered"
    assert context_precision([False]).detail == "no delivered passage is useful"
