"""Structures that stay whole, are cut, are too large or are lost."""

from __future__ import annotations

import pytest

from beleg.core.chunks import TextChunk
from beleg.core.errors import DataError
from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.chunk_structures import Structure, StructureCounts, structures_kept

TEXT = "# Fees\n\n| a | 1 |\n| b | 2 |\n\n- one\n- two\n"
HEADING, TABLE, LIST = (0, 6), (8, 27), (29, 41)


def kept(kind: str, place: tuple[int, int], *bounds: tuple[int, int], most_tokens: int | None = None) -> str:
    chunks = [TextChunk(text=TEXT[start:end], start=start, end=end) for start, end in bounds]
    structure = Structure(kind=kind, start=place[0], end=place[1])
    told = structures_kept(
        TEXT, chunks, [structure], count_tokens=lambda text: len(text.split()), most_tokens=most_tokens
    )
    counts = told[kind]
    return next(name for name in ("whole", "split", "too_large", "lost") if getattr(counts, name))


@pytest.mark.parametrize(
    ("kind", "place", "bounds", "fate"),
    [
        ("table", TABLE, [(0, 28), (28, 41)], "whole"),
        # Whatever else overlaps it, one chunk that holds all of it suffices.
        ("table", TABLE, [(0, 18), (8, 27), (19, 41)], "whole"),
        ("table", TABLE, [(0, 18), (18, 41)], "split"),
        ("table", TABLE, [(8, 26)], "split"),
        ("table", TABLE, [(29, 41)], "lost"),
        ("list", LIST, [(29, 40)], "whole"),
        ("list", LIST, [(29, 35), (35, 41)], "split"),
        ("heading", HEADING, [(0, 9), (9, 41)], "whole"),
        ("heading", HEADING, [(0, 8), (8, 41)], "split"),
    ],
)
def test_a_structure_is_whole_where_one_chunk_holds_it(
    kind: str, place: tuple[int, int], bounds: list[tuple[int, int]], fate: str
) -> None:
    assert kept(kind, place, *bounds) == fate


def test_what_fits_into_no_chunk_is_counted_apart() -> None:
    assert kept("table", TABLE, (0, 18), (18, 41), most_tokens=9) == "too_large"
    assert kept("table", TABLE, (0, 18), (18, 41), most_tokens=10) == "split"
    assert StructureCounts(too_large=3).kept().status is ScoreStatus.NOT_APPLICABLE
    assert StructureCounts(whole=1, split=2, lost=1, too_large=9).kept().value == 0.25


def test_a_heading_at_the_end_of_the_text_has_nothing_to_stay_with() -> None:
    text = "a\n# End\n"
    chunk = TextChunk(text=text, start=0, end=len(text))
    told = structures_kept(text, [chunk], [Structure(kind="heading", start=2, end=7)])
    assert told == {"heading": StructureCounts(whole=1)}


@pytest.mark.parametrize("place", [(6, 8), (0, 0), (5, 3), (-2, 4), (40, 99)])
def test_a_structure_without_words_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(DataError, match=r"structure 0 \(table\) holds no word"):
        structures_kept(TEXT, [], [Structure(kind="table", start=place[0], end=place[1])])
