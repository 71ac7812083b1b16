"""Numbers of tokens that are given from Python are whole numbers, and nothing else counts as one."""

from __future__ import annotations

import numpy as np
import pytest

from beleg import ir
from beleg.core.errors import DataError

QRELS, RUN = {"q": {"b": 1}}, {"q": {"a": 0.9, "b": 0.5}}


def recall(tokens: dict[str, object]) -> float | None:
    return ir.evaluate(QRELS, RUN, "R@10", shape=ir.Shape(tokens=tokens, budget_tokens=2)).summary()["R@10"]


@pytest.mark.parametrize("one", [1, np.int64(1)])
def test_a_whole_number_is_a_number_of_tokens(one: object) -> None:
    assert recall({"a": one, "b": 1}) == 1.0
    assert recall({"a": one, "b": 2}) == 0.0


@pytest.mark.parametrize("number", [True, np.True_, 1.0, "1", None, -1])
def test_anything_else_is_refused(number: object) -> None:
    with pytest.raises(DataError, match="passage 'a' has no whole number of tokens"):
        recall({"a": number, "b": 1})
