"""Decimal numbers in text as columns of doubles, each rounded as Python's ``float`` rounds it."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from beleg.text.packed import WORD, WordArray, words_at

IntArray = npt.NDArray[np.int64]
CodeArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]
ByteArray = npt.NDArray[np.uint8]

WORDS = 3
"""How many words of a number, from its end, are read by arithmetic."""

_EXACT = np.uint64(1 << 53)
_WRITTEN = rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,6})?|inf(?:inity)?)"
_NUMBER = re.compile(_WRITTEN, re.IGNORECASE)
_NUMBERS = re.compile(rb"(?:" + _WRITTEN + rb"\n)*+", re.IGNORECASE)
MAX_CHARACTERS = 400

_POWERS = np.array([10**power for power in range(20)], dtype=np.uint64)
_FLOAT_POWERS = _POWERS.astype(np.float64)
_MOST_PLACES = len(_POWERS) - 2
_MOST_ABOVE = np.uint64(1_000)
"""What the third word may hold at most, so that all digits fit into 64 bits."""

_SPLITTER = float((1 << 27) + 1)
_DOUBT = 2.0**-40
"""How near to the middle of two doubles, in units of their distance, a quotient is not trusted to be rounded right."""


def _each(byte: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([byte]) * WORD, "little"))


_ZEROS, _DOTS, _ONES, _HIGHS = _each(0x30), _each(0x2E), _each(0x01), _each(0x80)
_ABOVE_NINE = _each(0x80 - 0x3A)
_DOT_TO_ZERO = np.uint64(0x2E ^ 0x30)
_LAST_BYTES = np.array([(1 << 64) - (1 << (8 * (WORD - kept))) for kept in range(WORD + 1)], dtype=np.uint64)


def words_before(buffer: ByteArray, end: IntArray, kept: IntArray) -> WordArray:
    """The eight bytes before each end, little-endian; all but the last ``kept`` of them are zero."""
    return words_at(buffer, np.maximum(end - WORD, 0)) & _LAST_BYTES[np.minimum(kept, WORD)]


def decimals(buffer: ByteArray, start: IntArray, end: IntArray) -> tuple[npt.NDArray[np.float64], BoolArray]:
    """Reads numbers such as ``-12.5``, ``1e-05`` or ``inf`` from spans of a buffer.

    Sixteen or more bytes of the buffer stand before the first span and after the last. Digits of at most 2^53 are exact
    as a double and so is the power of ten, hence their quotient is correctly rounded. For digits of up to 64 bits the
    quotient is taken with its remainder. What that leaves in doubt, and every other form, goes through ``float``.

    Returns:
        The values, and which of the spans hold a number.

    Example:
        >>> text = np.frombuffer(b" " * 16 + b"-12.5 x" + b" " * 16, np.uint8)
        >>> decimals(text, np.array([16, 22]), np.array([21, 23]))
        (array([-12.5,   0. ]), array([ True, False]))
    """
    first = buffer[start]
    negative = first == ord("-")
    digits_from = start + (negative | (first == ord("+")))
    length = end - digits_from
    number, dot, is_read = _whole_digits(buffer, end, length)
    has_dot = dot >= 0
    is_read &= (length > has_dot) & (dot <= _MOST_PLACES)
    places = np.clip(dot, 0, _MOST_PLACES)
    # The dot was read as a digit 0: what stands before it has one place too many.
    whole = number // _POWERS[places + 1]
    number -= np.where(has_dot, whole * _POWERS[places] * np.uint64(9), np.uint64(0))
    value = number.astype(np.float64) / _FLOAT_POWERS[places]
    large = np.flatnonzero(is_read & (number > _EXACT))
    if len(large):
        value[large], is_read[large] = _quotients(number[large], places[large])
    np.negative(value, out=value, where=negative)
    if not is_read.all():
        _read_others(buffer, start, end, value, is_read)
    return value, is_read


def decimal(text: bytes) -> float | None:
    """Reads one number, as `decimals` reads many; nothing where it is none.

    Example:
        >>> decimal(b"-12.5"), decimal(b"0,9")
        (-12.5, None)
    """
    return float(text) if len(text) <= MAX_CHARACTERS and _NUMBER.fullmatch(text) else None


def _whole_digits(buffer: ByteArray, end: IntArray, length: IntArray) -> tuple[WordArray, IntArray, BoolArray]:
    """The digits as integers, with the dot as a digit 0; how many follow the dot, -1 without one; which are sound."""
    number = np.zeros(len(end), dtype=np.uint64)
    dot = np.full(len(end), -1, dtype=np.int64)
    is_sound = length <= WORD * WORDS
    longest = int(length.max(initial=0))
    for place in range(0, min(longest, WORD * WORDS), WORD):
        word, found = _without_dot(_digits(buffer, end - place, np.clip(length - place, 0, WORD)))
        part = _value(word)
        number += part * _POWERS[place]
        is_sound &= _all_digits(word) & ((found < 0) | (dot < 0))
        if place == WORD * (WORDS - 1):
            is_sound &= part < _MOST_ABOVE
        dot = np.where(found >= 0, found + place, dot)
    return number, dot, is_sound


def _quotients(number: WordArray, places: IntArray) -> tuple[npt.NDArray[np.float64], BoolArray]:
    """Integers over powers of ten, and for which of them the rounding is certain.

    The first quotient is corrected by its remainder, for which Dekker's splitting gives the product exactly. The sum is
    rounded right unless the exact quotient lies at the middle of two doubles or next to a power of two.
    """
    over = _FLOAT_POWERS[places]
    top = number.astype(np.float64)
    rest = (number - top.astype(np.uint64)).view(np.int64).astype(np.float64)
    first = top / over
    product = first * over
    first_high, over_high = _upper_half(first), _upper_half(over)
    first_low, over_low = first - first_high, over - over_high
    lost = ((first_high * over_high - product) + first_high * over_low + first_low * over_high) + first_low * over_low
    second = (((top - product) - lost) + rest) / over
    value = first + second
    error = np.abs((first - value) + second)
    unit = np.spacing(value)
    certain = (np.abs(error - unit / 2) > unit * _DOUBT) & (np.frexp(value)[0] != 0.5)
    return value, certain


def _upper_half(value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    scaled = value * _SPLITTER
    return np.asarray(scaled - (scaled - value))


def _digits(buffer: ByteArray, end: IntArray, kept: IntArray) -> WordArray:
    """Eight characters before each end; those that do not belong to the number are the digit 0."""
    return words_before(buffer, end, kept) | (_ZEROS & ~_LAST_BYTES[kept])


def _without_dot(word: WordArray) -> tuple[WordArray, IntArray]:
    """The word with its first dot made a digit 0, and how many characters follow that dot, -1 where there is none."""
    differs = word ^ _DOTS
    marked = (differs - _ONES) & ~differs & _HIGHS
    if not marked.any():
        return word, np.full(len(word), -1, dtype=np.int64)
    mark = marked & (~marked + np.uint64(1))
    after = (WORD - 1) - (np.bitwise_count(mark - np.uint64(1)) >> 3).astype(np.int64)
    return word ^ ((mark >> np.uint64(7)) * _DOT_TO_ZERO), after


def _all_digits(word: WordArray) -> BoolArray:
    return np.asarray((((word + _ABOVE_NINE) | (word - _ZEROS)) & _HIGHS) == 0)


def _value(word: WordArray) -> WordArray:
    """The integer that eight digits write: pairs, then fours, then all eight."""
    pairs = (word & _each(0x0F)) * np.uint64(10 * 256 + 1) >> np.uint64(8)
    fours = (pairs & np.uint64(0x00FF00FF00FF00FF)) * np.uint64(100 * 65536 + 1) >> np.uint64(16)
    return np.asarray((fours & np.uint64(0x0000FFFF0000FFFF)) * np.uint64(10_000 * (1 << 32) + 1) >> np.uint64(32))


def _read_others(
    buffer: ByteArray, start: IntArray, end: IntArray, value: npt.NDArray[np.float64], is_number: BoolArray
) -> None:
    """Reads what has an exponent, many digits, or is no number."""
    others = np.flatnonzero(~is_number)
    begins, ends = start[others], np.minimum(end[others], start[others] + MAX_CHARACTERS + 1)
    origin = int(begins.min())
    around = buffer[origin : int(ends.max())].tobytes()
    spans = zip((begins - origin).tolist(), (ends - origin).tolist(), strict=True)
    texts = [around[low:high] for low, high in spans]
    # One match over all is much quicker than one for each, and hardly ever fails.
    joined = b"\n".join(texts) + b"\n"
    are_fit = joined.count(b"\n") == len(texts) and max(map(len, texts)) <= MAX_CHARACTERS
    if are_fit and _NUMBERS.fullmatch(joined):
        written = [True] * len(texts)
    else:
        written = [_NUMBER.fullmatch(text) is not None and len(text) <= MAX_CHARACTERS for text in texts]
    is_number[others] = written
    value[others] = [float(text) if fits else 0.0 for text, fits in zip(texts, written, strict=True)]
