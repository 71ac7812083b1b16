"""Long passages in windows that a model can read, each ending at a sentence where it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from beleg.text.sentences import Span, sentence_spans

TokenOffsets = Callable[[Sequence[str]], Sequence[Sequence[tuple[int, int]]]]
"""For each text the range of every token in it."""


class PassageWindows:
    """Cuts passages, and remembers how many tokens their sentences have."""

    def __init__(self, offsets: TokenOffsets) -> None:
        self._offsets = offsets
        self._sentences: dict[str, tuple[list[Span], list[Sequence[tuple[int, int]]]]] = {}

    def cut(self, text: str, budget: int) -> list[Span]:
        """The windows of a text with at most ``budget`` tokens each.

        Whole sentences are put together as long as they fit, and each window begins with the last sentence of the one
        before where there is room, so that no two neighbours are always apart. A sentence that is longer than the
        budget is cut between tokens. Every visible character is in a window.

        Args:
            text: a passage.
            budget: how many tokens a window may have; at least 1.

        Returns:
            Ranges of code points; one, the whole text, where it fits.
        """
        if text not in self._sentences:
            spans = sentence_spans(text)
            self._sentences[text] = (spans, list(self._offsets([text[start:end] for start, end in spans])))
        spans, tokens = self._sentences[text]
        pieces = [
            piece for span, offsets in zip(spans, tokens, strict=True) for piece in _pieces(span, offsets, budget)
        ]
        return _packed(pieces, budget) or [Span(0, len(text))]


def _pieces(span: Span, offsets: Sequence[tuple[int, int]], budget: int) -> list[tuple[Span, int]]:
    """A sentence, or parts of one that is too long, each with its number of tokens."""
    if len(offsets) <= budget:
        return [(span, len(offsets))]
    cuts = [*range(0, len(offsets), budget), len(offsets)]
    found = []
    for first, last in pairwise(cuts):
        start = span.start if first == 0 else span.start + offsets[first][0]
        end = span.end if last == len(offsets) else span.start + offsets[last][0]
        found.append((Span(start, end), last - first))
    return found


def _packed(pieces: Sequence[tuple[Span, int]], budget: int) -> list[Span]:
    windows: list[Span] = []
    held: list[tuple[Span, int]] = []
    total = 0
    for span, count in pieces:
        if held and total + count > budget:
            windows.append(Span(held[0][0].start, held[-1][0].end))
            held = held[-1:] if held[-1][1] + count <= budget and len(held) > 1 else []
            total = sum(number for _, number in held)
        held.append((span, count))
        total += count
    return [*windows, Span(held[0][0].start, held[-1][0].end)] if held else windows
