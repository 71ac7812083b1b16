"""Ids are text, or whole numbers that stand for their decimal text."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.text.identifiers import as_text, decimal_texts


@pytest.mark.parametrize(
    ("name", "text"), [(7, "7"), (np.int64(-7), "-7"), (np.str_("007"), "007"), (2**80, str(2**80))]
)
def test_text_and_whole_numbers_are_ids(name: object, text: str) -> None:
    assert as_text(name, "document") == text


@pytest.mark.parametrize("name", [7.0, np.float64(7), True, None, b"7", ("7",), Decimal(7)])
def test_anything_else_is_refused_by_its_type(name: object) -> None:
    with pytest.raises(DataError, match=type(name).__name__) as caught:
        as_text(name, "document", query="q1")
    assert "'q1'" in str(caught.value)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=30))
def test_whole_numbers_are_written_as_python_writes_them(numbers: list[int]) -> None:
    buffer, start, length = decimal_texts(np.array(numbers, dtype=np.int64))
    texts = [buffer[at : at + size].tobytes().decode() for at, size in zip(start, length, strict=True)]
    assert texts == [str(number) for number in numbers]


def test_numbers_beyond_the_signed_range_are_written_too() -> None:
    buffer, start, length = decimal_texts(np.array([2**64 - 1, 0], dtype=np.uint64))
    assert buffer[start[0] : start[0] + length[0]].tobytes() == b"18446744073709551615"
