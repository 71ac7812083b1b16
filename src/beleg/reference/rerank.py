"""Orders the fused list anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from beleg.reference.documents import Chunk
from beleg.reference.language import Language
from beleg.reference.term_weights import TermWeights

PAIR_SHARE = 0.25
RANK_SHARE = 0.25


class Reranker(Protocol):
    """Scores passages for a question; the list is given best first."""

    async def scores(self, question: str, passages: Sequence[Chunk]) -> Sequence[float]:
        """One finite score per passage, higher is better."""
        ...


class OverlapReranker:
    """Orders by how much of the question a passage holds.

    Formula: ``coverage + 0.25 * pairs + 0.25 / rank``, where coverage is the idf-weighted share of the question's
    terms in the passage and pairs the share of the question's neighbouring terms that are neighbours there too.
    Range: 0 to 1.5, higher is better.
    """

    def __init__(self, weights: TermWeights, language: Language) -> None:
        self._weights = weights
        self._language = language

    async def scores(self, question: str, passages: Sequence[Chunk]) -> Sequence[float]:
        """One score per passage."""
        asked = self._weights.terms(question, self._language)
        total = sum(self._weights.of(term) for term in set(asked))
        pairs = set(pairwise(asked))
        scored = []
        for rank, chunk in enumerate(passages, start=1):
            held = self._weights.terms(chunk.text, self._language)
            coverage = sum(self._weights.of(term) for term in set(asked) & set(held)) / total if total else 0.0
            neighbours = len(pairs & set(pairwise(held))) / len(pairs) if pairs else 0.0
            scored.append(coverage + PAIR_SHARE * neighbours + RANK_SHARE / rank)
        return scored
