"""Where a quote stands in a passage, for marking it."""

from __future__ import annotations

import re
from functools import lru_cache

_LIKE = {"'": "['’‘‚‛´`]", '"': '["“”„‟«»]', "-": "[-‐‑‒–—−]"}
_LIKE_EACH = {character: pattern for pattern in _LIKE.values() for character in pattern[1:-1]}


def quote_span(text: str, quote: str) -> tuple[int, int] | None:
    r"""Where a quote stands in a text, as UTF-16 offsets (which a browser counts in).

    Whitespace, typographic quotes and dashes may differ; anything else is no match.

    Example:
        >>> quote_span("Preis:  4,90\u00a0€ pro Paket", "4,90 €")
        (8, 14)
    """
    found = quote_place(text, quote)
    if found is None:
        return None
    start = utf16_length(text[: found[0]])
    return start, start + utf16_length(text[slice(*found)])


def quote_place(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, in code points, by the same rule."""
    found = _pattern(quote).search(text)
    return None if found is None or found.start() == found.end() else found.span()


@lru_cache(maxsize=4_096)
def _pattern(quote: str) -> re.Pattern[str]:
    words = ("".join(_LIKE_EACH.get(character) or re.escape(character) for character in word) for word in quote.split())
    return re.compile(r"\s+".join(words))


def utf16_length(text: str) -> int:
    """How long a text is for a browser, which counts in UTF-16 units.

    Example:
        >>> utf16_length("\U0001f4e6")
        2
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
