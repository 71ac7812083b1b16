"""Word tokens of any script."""

from __future__ import annotations

import re

# A word is letters or digits with their combining marks, joined inside by an apostrophe or hyphen; a number keeps
# its separators, so that 1.000,50 is one token.
_LETTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)+(?!\w)|(?:{_LETTER})+(?:['’\-‐‑](?:{_LETTER})+)*")


def words(text: str) -> list[str]:
    """The words of a text in order, as they stand there.

    Example:
        >>> words("E-Mail-Adresse: 1.000,50 € – don't ask.")
        ['E-Mail-Adresse', '1.000,50', "don't", 'ask']
    """
    return _WORD.findall(text)


def word_starts(text: str) -> list[int]:
    """Where each word begins, in code points.

    Example:
        >>> word_starts("a/b")
        [0, 2]
    """
    return [match.start() for match in _WORD.finditer(text)]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends, in code points.

    Example:
        >>> word_spans("a/bc")
        [(0, 1), (2, 4)]
    """
    return [match.span() for match in _WORD.finditer(text)]
