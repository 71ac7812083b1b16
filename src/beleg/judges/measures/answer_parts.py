"""A long answer in parts that a judge can read with care, cut at the ends of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from beleg.text.sentences import sentence_spans

PART_CHARS = 3_000
"""How long a part is at most: its claims fit into one reply of ordinary length."""

BEFORE_CHARS = 500
"""How much of the text before a part is shown with it, so that pronouns can be replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPart:
    """A piece of an answer, and the end of what stands before it."""

    text: str
    before: str | None


def answer_parts(answer: str, *, part_chars: int = PART_CHARS) -> tuple[AnswerPart, ...]:
    """The answer in parts of bounded length that together hold every visible character once and in order.

    A part ends with a sentence; a sentence that is longer than a part ends at a space, and one without spaces anywhere.

    Args:
        answer: the whole answer.
        part_chars: the length that no part exceeds.

    Returns:
        The parts; none for an answer of nothing but whitespace.

    Example:
        >>> [part.text for part in answer_parts("Ja. Das geht. Immer!", part_chars=14)]
        ['Ja. Das geht.', 'Immer!']
    """
    bare = answer.strip()
    if len(bare) <= part_chars:
        # Most answers: one part, whose sentences need not be told apart.
        return (AnswerPart(text=bare, before=None),) if bare else ()
    pieces = [piece for start, end in sentence_spans(answer) for piece in _cut(answer, start, end, part_chars)]
    parts: list[AnswerPart] = []
    begin = 0
    while begin < len(pieces):
        stop = begin + 1
        while stop < len(pieces) and pieces[stop][1] - pieces[begin][0] <= part_chars:
            stop += 1
        start, end = pieces[begin][0], pieces[stop - 1][1]
        before = answer[max(0, start - BEFORE_CHARS) : start].strip() or None
        parts.append(AnswerPart(text=answer[start:end], before=before))
        begin = stop
    return tuple(parts)


def _cut(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    while end - start > most:
        space = text.rfind(" ", start + 1, start + most)
        stop = space if space > start else start + most
        yield start, stop
        start = stop + len(text[stop:end]) - len(text[stop:end].lstrip())
    if end > start:
        yield start, end
