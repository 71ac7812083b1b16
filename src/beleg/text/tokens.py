"""Word tokens of any script."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A word is letters or digits with their combining marks, joined inside by an apostrophe or hyphen; a number keeps
# its separators, so that 1.000,50 is one token.
_LETTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)+(?!\w)|(?:{_LETTER})+(?:['’\-‐‑](?:{_LETTER})+)*")

# Thai, Lao, Burmese, Khmer, Japanese and Chinese: no space stands between their words.
_UNSPACED = re.compile(
    r"[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf"
    r"\u1000-\u102a\u1780-\u17b3\u3041-\u3096\u30a1-\u30fa\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
    r"\U00020000-\U0003ffff]"
)


def words(text: str) -> list[str]:
    """The words of a text in order, as they stand there.

    Example:
        >>> words("E-Mail-Adresse: 1.000,50 € – don't ask.")
        ['E-Mail-Adresse', '1.000,50', "don't", 'ask']
    """
    return _WORD.findall(text)


def has_word(text: str) -> bool:
    """Whether a text holds a word at all; looks no further than its first.

    Example:
        >>> has_word(" – "), has_word("– so")
        (False, True)
    """
    return _WORD.search(text) is not None


def each_word(text: str) -> Iterator[str]:
    """The words of a text one by one, for whoever may be done with the first.

    Example:
        >>> next(each_word("only the first"))
        'only'
    """
    return (match.group() for match in _WORD.finditer(text))


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


def unspaced_letters(text: str) -> int:
    """How many letters of scripts without spaces between words a text holds: there a whole sentence is one "word".

    Example:
        >>> unspaced_letters("返品は無料です。"), unspaced_letters("Returns are free.")
        (7, 0)
    """
    return len(_UNSPACED.findall(text))
