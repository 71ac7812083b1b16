from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from beleg.core.errors import InvalidOutput
from beleg.core.inference import Vectors
from beleg.core.judging import JudgeSpec
from beleg.judges.verifying import verify


class Table:
    """A verifier that looks its answers up."""

    def __init__(self, values: dict[tuple[str, str], float], *, extra: int = 0) -> None:
        self._values = values
        self._extra = extra
        self.asked: list[tuple[str, str]] = []

    @property
    def spec(self) -> JudgeSpec:
        return JudgeSpec(provider="table", model="t")

    def support(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        self.asked += pairs
        values = [self._values.get(pair, 0.0) for pair in pairs] + [0.5] * self._extra
        return np.array(values, dtype=np.float32)


def test_the_best_passage_counts_and_is_named() -> None:
    verifier = Table({("a", "x"): 0.25, ("b", "x"): 0.75, ("a\n\nb", "x"): 0.5})
    (result,) = verify(verifier, ["x"], ["a", "b"])
    assert (result.support, result.passage) == (0.75, 1)


def test_passages_together_may_carry_what_none_carries_alone() -> None:
    (result,) = verify(Table({("a\n\nb", "x"): 0.5}), ["x"], ["a", "b"])
    assert (result.support, result.passage) == (0.5, None)


def test_a_single_passage_is_asked_once() -> None:
    verifier = Table({})
    verify(verifier, ["x", "y"], ["a"])
    assert verifier.asked == [("a", "x"), ("a", "y")]


def test_without_passages_nothing_is_carried_and_nobody_asked() -> None:
    verifier = Table({})
    assert [result.support for result in verify(verifier, ["x"], [])] == [0.0]
    assert verify(verifier, [], ["a"]) == ()
    assert verifier.asked == []


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.5, float("inf")])
def test_what_is_no_probability_is_refused(value: float) -> None:
    with pytest.raises(InvalidOutput, match="not from 0 to 1"):
        verify(Table({("a", "x"): value}), ["x"], ["a"])


def test_too_many_values_are_refused() -> None:
    with pytest.raises(InvalidOutput, match="2 values for 1 pairs"):
        verify(Table({}, extra=1), ["x"], ["a"])
