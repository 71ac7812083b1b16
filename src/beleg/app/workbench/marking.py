"""Long texts of strangers as parts: what is quoted is marked, what is too long is left out and said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from beleg.report.evidence import quote_place
from beleg.text.markers import rendered

TEXT_CHARS = 4_000
"""How much of a stretch without a mark is shown."""
MAX_QUOTES = 50
_OPENING = re.compile(r"[\[(【<{]")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text."""

    text: str
    is_quoted: bool = False
    left_out: int = 0
    """How many characters are not shown here; such a part has no text."""
    target: str | None = None
    """For a citation: where on the page stands what it names; empty where it names nothing that is there."""


def marked(text: str, quotes: Sequence[str] = (), *, limit: int = TEXT_CHARS) -> tuple[Part, ...]:
    """A text with its quotes marked; of a long stretch between them only the ends are shown.

    Args:
        text: the text.
        quotes: what is looked for, by the rule of `quote_place`.
        limit: how many characters of a stretch are shown.

    Example:
        >>> [(part.text, part.is_quoted) for part in marked("It costs 5 euros.", ["5 euros"])]
        [('It costs ', False), ('5 euros', True), ('.', False)]
    """
    parts: list[Part] = []
    at = 0
    for start, end in _places(text, quotes):
        parts += _shortened(text[at:start], limit)
        parts += (
            Part(part.text, is_quoted=True, left_out=part.left_out) for part in _shortened(text[start:end], limit)
        )
        at = end
    return (*parts, *_shortened(text[at:], limit))


def cited(
    text: str, targets: Mapping[str, str], quotes: Sequence[str] = (), *, limit: int = TEXT_CHARS
) -> tuple[Part, ...]:
    """An answer with its quotes and its citations marked.

    Args:
        text: the answer.
        targets: for each marker of a citation where on the page stands what it names; empty where nothing does.
        quotes: what is marked besides.
        limit: how many characters of a stretch are shown.

    Example:
        >>> [part.target for part in cited("Five euros [1].", {"1": "passage-1"})]
        [None, 'passage-1', None]
    """
    parts: list[Part] = []
    at = 0
    for start, end, target in _citations(text, {rendered(name): where for name, where in targets.items()}):
        parts += marked(text[at:start], quotes, limit=limit)
        parts.append(Part(text[start:end], target=target))
        at = end
    return (*parts, *marked(text[at:], quotes, limit=limit))


def _citations(text: str, targets: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    lengths = sorted({len(form) for form in targets}, reverse=True)
    at = 0
    for opening in _OPENING.finditer(text) if lengths else ():
        start = opening.start()
        form = next((found for length in lengths if (found := text[start : start + length]) in targets), None)
        if form is not None and start >= at:
            at = start + len(form)
            yield start, at, targets[form]


def _places(text: str, quotes: Sequence[str]) -> list[tuple[int, int]]:
    """Where quotes stand, joined where they overlap."""
    found = [place for quote in quotes[:MAX_QUOTES] if (place := quote_place(text, quote)) is not None]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def _shortened(text: str, limit: int) -> list[Part]:
    if len(text) <= limit:
        return [Part(text)] if text else []
    head = limit * 3 // 4
    tail = limit - head
    return [Part(text[:head]), Part("", left_out=len(text) - limit), Part(text[-tail:])]
