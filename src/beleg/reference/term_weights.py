"""How informative a term is in this corpus, for reranking and for picking sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from beleg.reference.analysis import Analyser
from beleg.reference.language import Language


class TermWeights:
    """Inverse document frequencies over the passages of an index.

    Formula: ``idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))``; a term that no passage holds has ``df = 0``.

    Example:
        >>> weights = TermWeights(["red tent", "blue tent"], ["en", "en"])
        >>> weights.of("red") > weights.of("tent")
        True
    """

    def __init__(self, texts: Sequence[str], languages: Sequence[Language]) -> None:
        self.analyser = Analyser(stemming=True, stopwords=True)
        self._frequency: Counter[str] = Counter()
        for text, language in zip(texts, languages, strict=True):
            self._frequency.update(set(self.analyser.terms(text, language)))
        self._size = len(texts)

    def of(self, term: str) -> float:
        """The weight of a term."""
        frequency = self._frequency[term]
        return math.log1p((self._size - frequency + 0.5) / (frequency + 0.5))

    def knows(self, term: str) -> bool:
        """Whether any passage holds the term."""
        return term in self._frequency

    def terms(self, text: str, language: Language) -> list[str]:
        """The stemmed informative terms of a text."""
        return self.analyser.terms(text, language)
