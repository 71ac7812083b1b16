"""Whether tables, lists, code and sections stay whole when a text is cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.chunks import TextChunk, TokenCounter
from beleg.core.errors import DataError, Problem
from beleg.core.score import Score, ScoreStatus

Integers = npt.NDArray[np.int64]

_WORD = re.compile(r"\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """Something in a text that should stay whole.

    Attributes:
        kind: what it is, such as ``table``, ``list``, ``code``, ``section``; a ``heading`` should stay with what
            follows.
        start: its first character.
        end: one behind its last character.
    """

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureCounts:
    """What became of the structures of one kind.

    Attributes:
        whole: those that stand in one chunk altogether; headings whose chunk goes on behind them.
        split: those that fit into a chunk and were cut; headings that end their chunk.
        too_large: those that were cut and fit into no chunk.
        lost: those of which no chunk holds anything.
    """

    whole: int = 0
    split: int = 0
    too_large: int = 0
    lost: int = 0

    def kept(self) -> Score:
        """The share of those that fit that stayed whole; not applicable where none fits."""
        fitting = self.whole + self.split + self.lost
        if not fitting:
            return Score.without(ScoreStatus.NOT_APPLICABLE, "there is no such structure that fits into a chunk")
        return Score.of(self.whole / fitting)


def structures_kept(
    text: str,
    chunks: Sequence[TextChunk],
    structures: Sequence[Structure],
    *,
    count_tokens: TokenCounter | None = None,
    most_tokens: int | None = None,
) -> Mapping[str, StructureCounts]:
    r"""Counts, kind by kind, which structures stand in one chunk.

    Space at both ends of a structure need not stand in the chunk.

    Args:
        text: the text that was cut.
        chunks: what was made of it.
        structures: what should stay whole.
        count_tokens: how many tokens a text has.
        most_tokens: how many a chunk may have; without it, everything fits.

    Returns:
        Counts of every kind, by name.

    Raises:
        DataError: if a structure holds no word of the text.

    Example:
        >>> text = "| a |\\n| b |"
        >>> cut = [TextChunk(text=text[:5], start=0, end=5), TextChunk(text=text[6:], start=6, end=11)]
        >>> structures_kept(text, cut, [Structure(kind="table", start=0, end=11)])["table"].split
        1
    """
    order = sorted(chunks, key=lambda chunk: chunk.start)
    starts = np.array([chunk.start for chunk in order], dtype=np.int64)
    reached = np.maximum.accumulate(np.array([chunk.end for chunk in order], dtype=np.int64)) if order else starts
    found: dict[str, dict[str, int]] = {}
    for number, structure in enumerate(structures):
        start, end = _trimmed(text, structure, number)
        needed = _with_next_word(text, end) if structure.kind == "heading" else end
        fate = "whole"
        # Of all chunks that begin early enough, the one that reaches furthest.
        if _furthest(starts, reached, start + 1) < needed:
            large = count_tokens is not None and most_tokens is not None and count_tokens(text[start:end]) > most_tokens
            fate = "too_large" if large else "split" if _furthest(starts, reached, end) > start else "lost"
        of_kind = found.setdefault(structure.kind, {})
        of_kind[fate] = of_kind.get(fate, 0) + 1
    return {kind: StructureCounts(**found[kind]) for kind in sorted(found)}


def _trimmed(text: str, structure: Structure, number: int) -> tuple[int, int]:
    inside = text[structure.start : structure.end] if 0 <= structure.start <= structure.end <= len(text) else ""
    if not inside.strip():
        raise DataError(
            Problem(
                message=f"structure {number} ({structure.kind}) holds no word of the text",
                value=f"{structure.start} to {structure.end} of {len(text)} characters",
            )
        )
    start = structure.start + len(inside) - len(inside.lstrip())
    return start, start + len(inside.strip())


def _furthest(starts: Integers, reached: Integers, before: int) -> int:
    """How far a chunk reaches that begins before a place; -1 where none does."""
    place = int(np.searchsorted(starts, before, side="left")) - 1
    return int(reached[place]) if place >= 0 else -1


def _with_next_word(text: str, end: int) -> int:
    """One behind the first character of the next word, or the end itself where no word follows."""
    word = _WORD.search(text, end)
    return word.end() if word else end
