"""Promises of chunkers: each broken one is found, and sound chunks break none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.chunks import TextChunk
from beleg.core.errors import UsageError
from beleg.metrics.ingestion.chunk_checks import Fault, check_chunks


def cut(text: str, *bounds: tuple[int, int]) -> list[TextChunk]:
    return [TextChunk(text=text[start:end], start=start, end=end) for start, end in bounds]


def words(text: str) -> int:
    return len(text.split())


@given(st.text(alphabet="ab \n\u00e4\U0001f600\u0308", max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_a_text_cut_into_pieces_is_whole(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(place for place in cuts if place < len(text))})
    bounds = [(start, end) for start, end in pairwise(places) if text[start:end].strip()]
    told = check_chunks(text, cut(text, *bounds), count_tokens=words, most_tokens=40, most_overlap=0)
    assert (told.lossless, told.faults, told.repeated) == (True, (), 0)
    assert told.characters == sum(not letter.isspace() for letter in text)


def test_repeated_text_does_not_hide_a_false_offset() -> None:
    # As a text splitter does that looks for its chunk from the beginning.
    text = "abc abc abc abc"
    told = check_chunks(text, [TextChunk(text="abc", start=0, end=3)] * 4)
    assert not told.lossless
    assert (told.kept, told.characters) == (3, 12)
    assert told.counts() == {Fault.ORDER: 3, Fault.CONTAINED: 3, Fault.DROPPED: 1}


def test_dropped_words_are_told_with_their_place() -> None:
    text = "One. Two. Three. Four."
    told = check_chunks(text, cut(text, (0, 4), (10, 16)))
    gaps = [(found.chunk, text[found.start : found.end].strip(), found.amount) for found in told.faults]
    assert gaps == [(1, "Two.", 4), (2, "Four.", 5)]
    assert check_chunks(text, []).kept == 0
    assert check_chunks("  \n", []).lossless


@pytest.mark.parametrize("start", [-1, 1, 99])
def test_a_chunk_that_stands_elsewhere_holds_nothing(start: int) -> None:
    told = check_chunks("abc", [TextChunk(text="abc", start=start, end=start + 3)])
    assert told.counts() == {Fault.OFFSET: 1, Fault.DROPPED: 1}


def test_a_chunk_that_changed_its_words_is_found() -> None:
    # Composed and decomposed letters are not the same words.
    assert check_chunks("cafe\u0301", [TextChunk(text="caf\u00e9", start=0, end=4)]).counts()[Fault.OFFSET] == 1


def test_limits_are_held_in_the_unit_of_the_caller() -> None:
    text = "a b c d e f"
    chunks = cut(text, (0, 7), (2, 11))
    told = check_chunks(text, chunks, count_tokens=words, most_tokens=4, most_overlap=2)
    assert [(found.fault, found.chunk, found.amount) for found in told.faults] == [
        (Fault.OVERSIZE, 1, 5),
        (Fault.OVERLAP, 1, 3),
    ]
    assert told.repeated == 3
    with pytest.raises(UsageError, match="count_tokens"):
        check_chunks(text, chunks, most_tokens=4)


def test_empty_chunks_and_wrong_order_are_found() -> None:
    text = "a b"
    told = check_chunks(text, cut(text, (2, 3), (0, 1), (1, 2)))
    assert told.counts() == {Fault.ORDER: 1, Fault.EMPTY: 1}
    assert told.lossless
