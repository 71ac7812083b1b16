"""Decimal numbers as columns: the same doubles as Python's ``float``, and nothing that is no number."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.adapters.formats.decimals import MAX_CHARACTERS, decimals


def read(*texts: str) -> tuple[list[float], list[bool]]:
    data = bytearray(b"9" * 16)
    start, end = [], []
    for text in texts:
        start.append(len(data))
        data += text.encode()
        end.append(len(data))
        data += b" "
    buffer = np.frombuffer(bytes(data) + b"9" * 16, np.uint8)
    values, are_numbers = decimals(buffer, np.array(start), np.array(end))
    return values.tolist(), are_numbers.tolist()


def bits(value: float) -> bytes:
    return np.float64(value).tobytes()


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_every_double_comes_back_bit_by_bit(values: list[float]) -> None:
    found, are_numbers = read(*map(repr, values))
    assert all(are_numbers)
    assert [bits(value) for value in found] == [bits(value) for value in values]


@given(
    st.lists(st.from_regex(r"[+-]?([0-9]{1,18}\.?[0-9]{0,9}|\.[0-9]{1,17})", fullmatch=True), min_size=1, max_size=20)
)
def test_decimals_are_rounded_as_float_rounds_them(texts: list[str]) -> None:
    found, are_numbers = read(*texts)
    assert all(are_numbers)
    assert [bits(value) for value in found] == [bits(float(text)) for text in texts]


@given(st.floats(min_value=1e-4, max_value=1e15), st.integers(15, 22), st.integers(-1, 1))
def test_next_to_the_middle_of_two_doubles_too(value: float, digits: int, step: int) -> None:
    middle = (Decimal(value) + Decimal(math.nextafter(value, math.inf))) / 2
    with localcontext(prec=digits):
        rounded = +middle
    text = format(rounded + step * Decimal((0, (1,), rounded.as_tuple().exponent)), "f")
    found, are_numbers = read(text)
    assert are_numbers == [True]
    assert bits(found[0]) == bits(float(text))


@given(st.integers(2**53 - 2, 2**64 + 2), st.integers(0, 22))
def test_integers_of_more_than_53_bits_over_powers_of_ten(number: int, places: int) -> None:
    text = f"{Decimal(number).scaleb(-places):f}"
    found, are_numbers = read(text)
    assert are_numbers == [True]
    assert bits(found[0]) == bits(float(text))


@pytest.mark.parametrize("text", ["1e5", "1E-05", "-2.5e+3", "inf", "-Infinity", "5.", ".5", "+1", "007", "-0.0"])
def test_what_c_and_python_write_is_read(text: str) -> None:
    values, are_numbers = read(text)
    assert are_numbers == [True]
    assert bits(values[0]) == bits(float(text))


@pytest.mark.parametrize(
    "text",
    ["abc", "0,9", "0x10", "1_000", "nan", "NaN", "", "-", "+", ".", "-.", "1.2.3", "1..2", "1e", "e5", "--1", "1-",
     "1\0", "12345678.1234567.9", "1 ", "١", "1/2", "1:5", "\n1", "1\n2"],
)  # fmt: skip
def test_what_is_no_number_is_named_as_such(text: str) -> None:
    values, are_numbers = read("1.5", text, "2.25", "1e1")
    assert are_numbers == [True, False, True, True]
    assert [values[0], *values[2:]] == [1.5, 2.25, 10.0]


def test_numbers_of_any_length_up_to_the_cap() -> None:
    longest = "0." + "1" * (MAX_CHARACTERS - 2)
    values, are_numbers = read(longest, longest + "1")
    assert are_numbers == [True, False]
    assert values[0] == float(longest)


def test_an_overflow_is_infinite_as_in_python() -> None:
    assert read("1e999") == ([math.inf], [True])
