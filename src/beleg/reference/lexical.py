"""The lexical lane: BM25 by bm25s over stemmed terms."""

from __future__ import annotations

from collections.abc import Sequence

import bm25s
import numpy as np
import numpy.typing as npt

from beleg.reference.analysis import Analyser, plain_words
from beleg.reference.language import OTHER_LANGUAGE, Language
from beleg.reference.settings import Bm25Settings

METHOD = "lucene"


class LexicalIndex:
    """BM25 scores of all passages for a question.

    Formula: sum over the question's terms of ``idf(t) * tf / (tf + k1 * (1 - b + b * length / mean length))`` with
    ``idf(t) = ln(1 + (N - df + 0.5) / (df + 0.5))``, the form of Lucene, whose idf is never negative.
    Source: Robertson and Zaragoza, 2009; Kamphuis et al., 2020, variant "Lucene (accurate)".
    Range: 0 and more, higher is better; 0 means that no term is shared.

    Passages are stemmed in their own language and the question in the asker's. A word of the question whose stem
    stands nowhere is tried with the stem of the other language, so that a German term in an English question is found.

    Example:
        >>> index = LexicalIndex(["red tent", "blue tent"], ["en", "en"], Bm25Settings())
        >>> [bool(score > 0) for score in index.scores("Red?", "en")]
        [True, False]
    """

    def __init__(self, texts: Sequence[str], languages: Sequence[Language], settings: Bm25Settings) -> None:
        self.analyser = Analyser(stemming=settings.stemming, stopwords=settings.stopwords)
        terms = [self.analyser.terms(text, language) for text, language in zip(texts, languages, strict=True)]
        self._size = len(terms)
        self._vocabulary = {term: None for listed in terms for term in listed}
        self._engine = bm25s.BM25(k1=settings.k1, b=settings.b, method=METHOD)
        if self._vocabulary:
            self._engine.index(terms, show_progress=False)

    def scores(self, question: str, language: Language) -> npt.NDArray[np.float32]:
        """One score per passage, in the order they were given."""
        terms = self._known_terms(question, language)
        if not terms:
            return np.zeros(self._size, dtype=np.float32)
        found: npt.NDArray[np.float32] = self._engine.get_scores(terms)
        return found

    def _known_terms(self, question: str, language: Language) -> list[str]:
        other = OTHER_LANGUAGE[language]
        return [
            term
            for word in plain_words(question)
            for term in self.analyser.terms(word, language)
            for term in ((term,) if term in self._vocabulary else self.analyser.terms(word, other))
            if term in self._vocabulary
        ]
