"""Whether a passage contains a quote, word for word."""

from __future__ import annotations

from enum import StrEnum

from beleg.text.edges import stands_whole
from beleg.text.normalise import fold_typography


class QuoteMatch(StrEnum):
    """How a quote stands in a passage."""

    EXACT = "exact"
    FOLDED = "folded"
    """Only after folding whitespace, composed characters, and typographic quotes and dashes."""
    ABSENT = "absent"


def match_quote(passage: str, quote: str) -> QuoteMatch:
    r"""Whether a passage contains a quote: exactly, else after folding typography; never approximately.

    The quote must stand with word edges: ``4,90 €`` is not in ``14,90 €``, nor ``5 euros`` in ``15 euros``.

    Args:
        passage: the text searched.
        quote: the words looked for; a quote of nothing but whitespace is in no passage.

    Returns:
        Which of the two comparisons found it, or that neither did.

    Example:
        >>> match_quote("Versand: 4,90\u00a0€", "4,90 €").value
        'folded'
        >>> match_quote("Versand: 4,90 €", "4,80 €").value
        'absent'
    """
    return QuoteFinder().match(passage, quote)


class QuoteFinder:
    """Finds quotes in passages and remembers folded texts, for a run that asks about the same passages many times."""

    def __init__(self) -> None:
        self._folded: dict[str, str] = {}
        self._found: dict[tuple[str, str], QuoteMatch] = {}

    def folded(self, text: str) -> str:
        """The text with typography folded."""
        if text not in self._folded:
            self._folded[text] = fold_typography(text)
        return self._folded[text]

    def match(self, passage: str, quote: str) -> QuoteMatch:
        """As `match_quote`."""
        key = (passage, quote)
        if key not in self._found:
            self._found[key] = self._search(passage, quote)
        return self._found[key]

    def contains(self, passage: str, quote: str) -> bool:
        """Whether the quote stands in the passage in either way."""
        return self.match(passage, quote) is not QuoteMatch.ABSENT

    def _search(self, passage: str, quote: str) -> QuoteMatch:
        # Of plain letters folding leaves nothing only where there was nothing but space: most quotes need no folding.
        if not (quote.strip() if quote.isascii() else self.folded(quote)):
            return QuoteMatch.ABSENT
        if stands_whole(passage, quote):
            return QuoteMatch.EXACT
        wanted = self.folded(quote)
        if not wanted:
            return QuoteMatch.ABSENT
        return QuoteMatch.FOLDED if stands_whole(self.folded(passage), wanted) else QuoteMatch.ABSENT
