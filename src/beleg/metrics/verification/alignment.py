"""How far passages carry a claim, by aligned words and compared facts: a deterministic proxy without a model (A3).

A sentence of a passage carries a claim as far as it holds the claim's content words, each weighted by how rare it is in
the passages, and as far as it holds them in the same order. A number, date, negation or name of the claim that the
passages lack lowers the support. What this does not see: who did what to whom, inference, paraphrase in other words,
most antonyms. It is therefore a proxy, and its figures on real labels stand in the guide "Verify without a judge".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from beleg.text.content import content_words, likely_language
from beleg.text.facts import EvidenceFacts
from beleg.text.sentences import sentence_spans

Floats = npt.NDArray[np.float64]

MISMATCH_FACTOR = 0.4
"""By what the support is multiplied for each number, date or denial of the claim that the evidence lacks."""
NAME_FACTOR = 0.6
"""By what it is multiplied for each name: people call a claim supported in other names more often than in other
numbers. Both factors were chosen on RAGTruth, SciFact and FActScore together."""
MAX_FACTORS = 2
"""How many mismatches of each of the two sorts count."""
ORDER_WEIGHT = 0.2
"""How much the order of the words counts beside the words themselves."""
NEAR_CREDIT = 0.6
"""What a word counts for that only shares its beginning or its end with a word of the sentence, such as a compound."""
PAIR_CREDIT = 0.95
"""What words count for that only two neighbouring sentences hold together."""
NEAR_LETTERS = 5
UNSEEN_COUNT = 0.5
MAX_CLAIM_WORDS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How far passages carry a claim, and where."""

    support: float
    """From 0 (nothing of it stands there) to 1 (every word stands in one sentence, and no fact differs)."""
    coverage: float
    """The support before facts were compared."""
    passage_id: str | None
    """The passage that carries most of it; ``None`` where none holds any of its words."""
    start: int
    """Where the sentence or pair of sentences begins in the passage."""
    end: int
    mismatches: tuple[str, ...]
    """What the claim says that all passages together lack."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: int
    start: int
    end: int
    stems: tuple[str, ...]


class AlignedPassages:
    """Passages prepared once, asked for many claims.

    Example:
        >>> passages = AlignedPassages([("faq", "Returns are free. You have 30 days to return an item.")])
        >>> found = passages.align("You have 30 days to return an item.")
        >>> round(found.support, 2), found.passage_id, (found.start, found.end)
        (1.0, 'faq', (18, 53))
        >>> passages.align("You have 60 days to return an item.").mismatches
        ('number: 60 days is not in the evidence',)
    """

    def __init__(self, passages: Sequence[tuple[str, str]], *, question: str = "", language: str | None = None) -> None:
        self._passages = tuple(passages)
        self._language = language
        self._question = question
        self._question_stems = frozenset(word.stem for word in content_words(question))
        self._sentences = [
            _Sentence(number, start, end, tuple(word.stem for word in content_words(text[start:end])))
            for number, (_, text) in enumerate(self._passages)
            for start, end in sentence_spans(text)
        ]
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, sentence in enumerate(self._sentences):
            for stem in set(sentence.stems):
                places[stem].append(at)
        self._places = {stem: np.array(at, dtype=np.intp) for stem, at in places.items()}
        self._near: defaultdict[str, list[str]] = defaultdict(list)
        for stem in self._places:
            for key in _near_keys(stem):
                self._near[key].append(stem)

    @cached_property
    def _facts(self) -> EvidenceFacts:
        return EvidenceFacts("\n\n".join([*(text for _, text in self._passages), self._question]))

    def align(self, claim: str) -> Alignment:
        """How far the passages carry a claim, with the place that carries most of it."""
        stems = [word.stem for word in content_words(claim)][:MAX_CLAIM_WORDS]
        stems = [stem for stem in stems if stem in self._places or stem not in self._question_stems]
        wanted = list(dict.fromkeys(stems))
        language = self._language or likely_language(claim)
        mismatches = self._facts.mismatches(claim, language)
        if not wanted or not self._sentences:
            return Alignment(support=0.0, coverage=0.0, passage_id=None, start=0, end=0, mismatches=mismatches)
        credit = self._credit(wanted)
        weights = self._weights(wanted)
        covered, first, last = self._best(weights @ credit, self._pairs(weights, credit))
        place = self._sentences[first]
        ordered = _ordered(stems, [stem for at in range(first, last + 1) for stem in self._sentences[at].stems])
        coverage = float((1 - ORDER_WEIGHT) * covered + ORDER_WEIGHT * covered * ordered)
        return Alignment(
            support=coverage * _fact_factor(mismatches),
            coverage=coverage,
            passage_id=self._passages[place.passage][0] if covered > 0 else None,
            start=place.start,
            end=self._sentences[last].end,
            mismatches=mismatches,
        )

    def _weights(self, wanted: list[str]) -> Floats:
        """The share of each word in the claim: the logarithm of how rare it is among the sentences."""
        counts = np.array([len(self._places[stem]) if stem in self._places else UNSEEN_COUNT for stem in wanted])
        rarity: Floats = np.log1p(len(self._sentences) / counts)
        shares: Floats = rarity / rarity.sum()
        return shares

    def _credit(self, wanted: list[str]) -> Floats:
        credit = np.zeros((len(wanted), len(self._sentences)))
        for row, stem in enumerate(wanted):
            for near in {other for key in _near_keys(stem) for other in self._near.get(key, ())}:
                credit[row, self._places[near]] = NEAR_CREDIT
            if stem in self._places:
                credit[row, self._places[stem]] = 1.0
        return credit

    def _pairs(self, weights: Floats, credit: Floats) -> Floats:
        """What each sentence and the next one of the same passage hold together."""
        passage = np.array([sentence.passage for sentence in self._sentences])
        together: Floats = weights @ np.maximum(credit[:, :-1], credit[:, 1:])
        return np.where(passage[:-1] == passage[1:], PAIR_CREDIT * together, 0.0)

    @staticmethod
    def _best(single: Floats, pairs: Floats) -> tuple[float, int, int]:
        at = int(np.argmax(single))
        if len(pairs):
            pair = int(np.argmax(pairs))
            if pairs[pair] > single[at]:
                return float(pairs[pair]), pair, pair + 1
        return float(single[at]), at, at


def _fact_factor(mismatches: Sequence[str]) -> float:
    names = sum(reason.startswith("entity") for reason in mismatches)
    others = len(mismatches) - names
    return float(NAME_FACTOR ** min(names, MAX_FACTORS) * MISMATCH_FACTOR ** min(others, MAX_FACTORS))


def _near_keys(stem: str) -> tuple[str, ...]:
    if len(stem) < NEAR_LETTERS or stem[0].isdigit():
        return ()
    return f"^{stem[:NEAR_LETTERS]}", f"{stem[-NEAR_LETTERS:]}$"


def _ordered(claim: list[str], window: list[str]) -> float:
    """The share of the claim's neighbouring word pairs that also stand in this order, close together, in the window."""
    pairs = list(pairwise(claim))
    if not pairs:
        return 1.0
    close = {(first, second) for at, first in enumerate(window) for second in window[at + 1 : at + 4]}
    return sum(pair in close for pair in pairs) / len(pairs)
