"""The words of a document that mix scripts, or look as if they were of its main script and are not."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from beleg.text.scripts import EVERY_SCRIPT, script_sets, skeleton

Points = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]
Starts = npt.NDArray[np.int64]

BLOCK = 1 << 20
"""How many code points are looked at together, which bounds the memory; a longer word is looked at in parts."""
MOST_WORDS_SHOWN = 20
"""How many different words are kept as examples; all are counted."""
LONGEST_WORD_SHOWN = 64

_IN_WORDS = frozenset("'’-‐‑")
_MASK_BITS = 64
_WRITTEN_WITH_LATIN = ("Jpan", "Kore", "Hanb")
# Phonetic letters are Latin, and nobody takes them for Latin text: the Cyrillic "нет" looks like "ʜeᴛ" to the standard.
_PHONETIC = (range(0x0250, 0x02B0), range(0x1D00, 0x1DC0))


def code_points(text: str) -> Points:
    """The code points of a text, lone surrogates among them.

    Example:
        >>> code_points("a\u00df").tolist()
        [97, 223]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def words_of_note(text: str, main: str) -> tuple[int, int, tuple[tuple[str, str], ...]]:
    """Looks for words of mixed script and for lookalikes.

    A word is of mixed script where it is beyond the level "highly restrictive" of Unicode Technical Standard 39: in no
    single script, and not Latin beside Japanese, Korean or Chinese. It is a lookalike where it is in one script, and
    all its letters look like letters of the main one.

    Args:
        text: a document.
        main: the short name of its main script.

    Returns:
        How many words are of mixed script, how many are lookalikes, and examples, each with what it looks like.

    Example:
        >>> words_of_note("Visit p\u0430ypal or \u0441\u043e\u0440\u0430, \u043d\u0435\u0442", "Latn")[:2]
        (1, 1)
    """
    mixed = alike = 0
    shown: dict[str, None] = {}
    for block in _blocks(text):
        points = code_points(block)
        starts, ends = _word_edges(points)
        if not len(starts):
            continue
        is_mixed, is_alike = _flags(points, starts, main)
        mixed += int(np.count_nonzero(is_mixed))
        alike += int(np.count_nonzero(is_alike))
        for word in np.flatnonzero(is_mixed | is_alike).tolist():
            if len(shown) >= MOST_WORDS_SHOWN:
                break
            shown.setdefault(block[starts[word] : min(ends[word], starts[word] + LONGEST_WORD_SHOWN)])
    return mixed, alike, tuple((word, skeleton(word)) for word in shown)


def _blocks(text: str) -> Iterator[str]:
    """The text in parts that end where a word ends, unless a word is longer than a part."""
    start = 0
    while start < len(text):
        block = text[start : start + BLOCK]
        if start + BLOCK < len(text):
            gaps = np.flatnonzero(_separators()[code_points(block)])
            block = block[: int(gaps[-1]) + 1] if len(gaps) else block
        yield block
        start += len(block)


def _flags(points: Points, starts: Starts, main: str) -> tuple[Flags, Flags]:
    """Which words are written in no single script, and which look like the main script and are not in it."""
    numbers, sets = script_sets()
    scripts = np.where(_separators()[points], 0, numbers[points])
    used = np.flatnonzero(np.bincount(scripts, minlength=len(sets))).tolist()
    names = sorted({name for number in used for name in sets[number]})
    is_mixed = np.ones(len(starts), dtype=np.bool_)
    for first in range(0, max(len(names), 1), _MASK_BITS):
        bits = {name: 1 << bit for bit, name in enumerate(names[first : first + _MASK_BITS])}
        masks = np.full(len(sets), np.iinfo(np.uint64).max, dtype=np.uint64)
        for number in used:
            if sets[number] != EVERY_SCRIPT:
                masks[number] = sum(bits.get(name, 0) for name in sets[number])
        is_mixed &= np.bitwise_and.reduceat(masks[scripts], starts) == 0
    is_mixed &= ~_east_asian(scripts, starts, used)
    is_main = np.array([not names or main in names for names in sets], dtype=np.bool_)
    foreign = ~is_main[scripts]
    if not foreign.any():
        return is_mixed, np.zeros(len(starts), dtype=np.bool_)
    looks = np.ones(0x110000, dtype=np.bool_)
    strangers = np.flatnonzero(np.bincount(points[foreign], minlength=0x110000))
    looks[strangers] = [_looks_like(int(point), main) for point in strangers]
    alike = np.logical_and.reduceat(looks[points], starts) & np.logical_or.reduceat(foreign, starts)
    return is_mixed, alike & ~is_mixed


def _east_asian(scripts: npt.NDArray[np.uint16], starts: Starts, used: list[int]) -> Flags:
    """Which words are Latin beside Japanese, Korean or Chinese alone, which is how those are written."""
    _, sets = script_sets()
    if not any("Latn" in sets[number] for number in used):
        return np.zeros(len(starts), dtype=np.bool_)
    masks = np.zeros(len(sets), dtype=np.uint8)
    for number in used:
        names = sets[number]
        is_beside = names == EVERY_SCRIPT or "Latn" in names
        masks[number] = (
            0b111 if is_beside else sum(1 << bit for bit, name in enumerate(_WRITTEN_WITH_LATIN) if name in names)
        )
    is_written: Flags = np.bitwise_and.reduceat(masks[scripts], starts) != 0
    return is_written


@lru_cache(maxsize=65_536)
def _looks_like(point: int, main: str) -> bool:
    """Whether a character looks like characters that the main script uses."""
    numbers, sets = script_sets()
    looks = [ord(letter) for letter in skeleton(chr(point))]
    written = [sets[numbers[each]] for each in looks if not any(each in phonetic for phonetic in _PHONETIC)]
    return len(written) == len(looks) and all(not names or main in names for names in written)


def _word_edges(points: Points) -> tuple[Starts, Starts]:
    """Where words begin and end."""
    inside = np.concatenate([[False], ~_separators()[points], [False]])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    return edges[::2], edges[1::2]


@lru_cache(maxsize=1)
def _separators() -> Flags:
    """Which code points end a word: whitespace, and punctuation and symbols beside apostrophe and hyphen."""
    ends = np.zeros(0x110000, dtype=np.bool_)
    for first, last in ((0, 0x3100), (0xA000, 0xAC00), (0xFE10, 0x10000), (0x1F000, 0x1FB00)):
        for point in range(first, last):
            letter = chr(point)
            is_mark = unicodedata.category(letter)[0] in "PSZ" and letter not in _IN_WORDS
            ends[point] = is_mark or letter.isspace()
    return ends
