"""Plain text to blocks: paragraphs at empty lines, questions and short titles as headings."""

from __future__ import annotations

import re

from beleg.reference.blocks import Block, BlockBuilder

_EMPTY_LINES = re.compile(r"\n[ \t]*\n")
_ENDS_SENTENCE = (".", "!", "?", ":", ";")
MAX_HEADING_CHARS = 120
WRAPPED_LINE_CHARS = 60


def plain_blocks(text: str) -> tuple[Block, ...]:
    r"""Parses plain text.

    The first line of a paragraph is a heading when it asks a question and an answer follows, or when it stands alone,
    is short and ends no sentence. Long lines without a sentence end are taken as wrapped and joined.

    Example:
        >>> [(block.kind.value, block.text) for block in plain_blocks("Can I swap?\nNo.\n")]
        [('heading', 'Can I swap?'), ('paragraph', 'No.')]
    """
    builder = BlockBuilder()
    paragraphs = [part.strip() for part in _EMPTY_LINES.split(text) if part.strip()]
    for position, paragraph in enumerate(paragraphs):
        first, _, rest = paragraph.partition("\n")
        if _is_heading(first, rest, is_last=position == len(paragraphs) - 1):
            builder.heading(first, 2 if position else 1)
            builder.paragraph(_unwrapped(rest))
        else:
            builder.paragraph(_unwrapped(paragraph))
    return tuple(builder.blocks)


def _is_heading(first: str, rest: str, *, is_last: bool) -> bool:
    if len(first) > MAX_HEADING_CHARS or (is_last and not rest):
        return False
    return first.endswith("?") or (not rest and not first.endswith(_ENDS_SENTENCE))


def _unwrapped(text: str) -> str:
    lines = [line.strip() for line in text.split("\n")]
    parts: list[str] = []
    for line in lines:
        if parts and len(parts[-1]) >= WRAPPED_LINE_CHARS and not parts[-1].endswith(_ENDS_SENTENCE):
            parts[-1] = f"{parts[-1]} {line}"
        else:
            parts.append(line)
    return "\n".join(parts)
