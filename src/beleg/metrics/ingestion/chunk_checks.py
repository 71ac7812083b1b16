"""Promises that every chunker must keep, checked on what it made of one text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from beleg.core.chunks import TextChunk, TokenCounter
from beleg.core.errors import UsageError


class Fault(StrEnum):
    """What a chunker did wrong.

    ``offset``: the text does not stand where the chunk says. ``order``: a chunk begins before the one in front of it,
    or at the same character. ``dropped``: words stand in no chunk. ``empty``: a chunk has no word. ``oversize``: it has
    more tokens than allowed. ``overlap``: it repeats more tokens than allowed. ``contained``: all of it stands in the
    chunk in front of it.
    """

    OFFSET = "offset"
    ORDER = "order"
    DROPPED = "dropped"
    EMPTY = "empty"
    OVERSIZE = "oversize"
    OVERLAP = "overlap"
    CONTAINED = "contained"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFault:
    """One broken promise.

    Attributes:
        fault: which one.
        chunk: the number of the chunk; for dropped words that of the chunk behind them.
        start: where it begins in the text.
        end: one behind where it ends.
        amount: characters that were dropped, or tokens of the chunk or of what it repeats; 0 for the others.
    """

    fault: Fault
    chunk: int
    start: int
    end: int
    amount: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkCheck:
    """What was found in the chunks of one text.

    Attributes:
        chunks: how many there are.
        characters: characters of the text that are no white space.
        kept: those of them that stand in a chunk which says truly where it stands.
        repeated: how many of them stand in more than one.
        faults: every broken promise, in the order of the text.
    """

    chunks: int
    characters: int
    kept: int
    repeated: int
    faults: tuple[ChunkFault, ...]

    @property
    def lossless(self) -> bool:
        """Whether every word stands in a chunk that says truly where it stands."""
        return self.kept == self.characters

    def counts(self) -> dict[Fault, int]:
        """How often each promise was broken."""
        return dict(Counter(found.fault for found in self.faults))


def check_chunks(
    text: str,
    chunks: Sequence[TextChunk],
    *,
    count_tokens: TokenCounter | None = None,
    most_tokens: int | None = None,
    most_overlap: int | None = None,
) -> ChunkCheck:
    """Holds chunks against the text they were cut from.

    A chunk whose text stands elsewhere counts as one that says nothing: what only it holds is dropped. Repeated text
    does not help either: four chunks that all say they begin at the same character leave the rest uncovered.

    Args:
        text: the text that was cut.
        chunks: what was made of it, in the chunker's order.
        count_tokens: how many tokens a text has.
        most_tokens: how many a chunk may have.
        most_overlap: how many it may repeat of the chunk in front of it.

    Returns:
        Counts, and every broken promise.

    Raises:
        UsageError: if a limit is given and no way to count tokens.

    Example:
        >>> pieces = [TextChunk(text="abc", start=0, end=3), TextChunk(text="abc", start=0, end=3)]
        >>> told = check_chunks("abc abc", pieces)
        >>> told.lossless, [found.fault.value for found in told.faults]
        (False, ['order', 'contained', 'dropped'])
    """
    if count_tokens is None and (most_tokens is not None or most_overlap is not None):
        raise UsageError("a limit in tokens needs a way to count them: give count_tokens")
    faults: list[ChunkFault] = []
    sound: list[tuple[int, TextChunk]] = []
    for number, chunk in enumerate(chunks):
        if not 0 <= chunk.start <= chunk.end or text[chunk.start : chunk.end] != chunk.text:
            faults.append(ChunkFault(fault=Fault.OFFSET, chunk=number, start=chunk.start, end=chunk.end))
        else:
            sound.append((number, chunk))
        if not chunk.text.strip():
            faults.append(ChunkFault(fault=Fault.EMPTY, chunk=number, start=chunk.start, end=chunk.end))
        if count_tokens is not None and most_tokens is not None and (tokens := count_tokens(chunk.text)) > most_tokens:
            faults.append(
                ChunkFault(fault=Fault.OVERSIZE, chunk=number, start=chunk.start, end=chunk.end, amount=tokens)
            )
    faults += _neighbours(text, sound, count_tokens, most_overlap)
    gaps, repeated = _covered(text, sound, len(chunks))
    faults += gaps
    characters = _words(text, 0, len(text))
    return ChunkCheck(
        chunks=len(chunks),
        characters=characters,
        kept=characters - sum(gap.amount for gap in gaps),
        repeated=repeated,
        faults=tuple(sorted(faults, key=lambda found: found.chunk)),
    )


def _neighbours(
    text: str, sound: Sequence[tuple[int, TextChunk]], count_tokens: TokenCounter | None, most_overlap: int | None
) -> Iterator[ChunkFault]:
    """What is wrong between a chunk and the one in front of it."""
    for (_, before), (number, chunk) in pairwise(sound):
        place = {"chunk": number, "start": chunk.start, "end": chunk.end}
        if chunk.start <= before.start:
            yield ChunkFault(fault=Fault.ORDER, **place)
        if chunk.end <= before.end and chunk.start >= before.start:
            yield ChunkFault(fault=Fault.CONTAINED, **place)
        elif count_tokens is not None and most_overlap is not None and before.start <= chunk.start < before.end:
            tokens = count_tokens(text[chunk.start : before.end])
            if tokens > most_overlap:
                yield ChunkFault(fault=Fault.OVERLAP, amount=tokens, **place)


def _covered(text: str, sound: Sequence[tuple[int, TextChunk]], chunks: int) -> tuple[list[ChunkFault], int]:
    """The words that no chunk holds, and how many characters stand in more than one."""
    gaps: list[ChunkFault] = []
    reached = repeated = 0
    for number, chunk in [*sorted(sound, key=lambda one: (one[1].start, one[1].end)), (chunks, None)]:
        start = len(text) if chunk is None else chunk.start
        missing = _words(text, reached, start)
        if missing:
            gaps.append(ChunkFault(fault=Fault.DROPPED, chunk=number, start=reached, end=start, amount=missing))
        if chunk is not None:
            repeated += _words(text, chunk.start, min(reached, chunk.end))
            reached = max(reached, chunk.end)
    return gaps, repeated


def _words(text: str, start: int, end: int) -> int:
    """How many characters of a stretch are no white space."""
    return sum(map(len, text[start:end].split())) if start < end else 0
