"""The controller answers every vector as it is written down there."""

from __future__ import annotations

import pytest

from support.release_vectors import names, outcome, vector


@pytest.mark.parametrize("name", names())
def test_a_vector_is_answered_as_expected(name: str) -> None:
    assert outcome(name) == vector(name)["expected"], vector(name)["says"]
