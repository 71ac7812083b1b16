"""Answers by quoting: picks the sentences of the delivered passages that cover the question, or abstains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from beleg.core.trace import Citation
from beleg.reference.analysis import plain_words, stem
from beleg.reference.frames import ABSTENTION, PARTIAL, framed
from beleg.reference.generate import Draft, Evidence
from beleg.reference.language import OTHER_LANGUAGE, Language
from beleg.reference.question import Part, holds_kind, question_parts
from beleg.reference.quotable import Quotable, as_sentence, quotables
from beleg.reference.settings import GeneratorSettings
from beleg.reference.term_weights import TermWeights

COMPOUND_MATCH = 0.6
"""What a word counts that is part of a longer word of the passage, as in German compounds."""
SHORTEST_COMPOUND = 4
LEAST_ALIKE = 0.4
"""The least Dice share of common trigrams at which two stems count as related."""
CONTEXT_SHARE = 0.7
"""What a word counts that stands only in the headings above a sentence, when sentences are compared."""
PASSAGE_SHARE = 0.2
"""What a word counts that stands elsewhere in the passage, when sentences are compared."""
PASSAGE_COVER = 0.7
"""What such a word counts as evidence."""
UNKNOWN_SHARE = 0.5
FOREIGN_FACTOR = 0.85
RANK_DISCOUNT = 0.02
STANDING_SHARE = 0.5
"""By how much the standing of its passage raises a sentence when sentences are compared."""
STANDING_WEIGHT = 0.75
"""The share of the lanes' standing in the evidence for a part; the rest is the coverage of its words."""
WRONG_KIND_FACTOR = 0.5
RUNNER_UP = 0.7
"""A further sentence is quoted when its score reaches this share of the best one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """A quotable with how well it answers one part of the question."""

    quotable: Quotable
    score: float
    evidence: float
    """Whether it can answer at all: standing of the passage and weighted share of the part's words that it holds."""


class ExtractiveGenerator:
    """Quotes sentences, list items and table rows, each with its citation.

    For each part of the question every quotable gets the idf-weighted share of the part's words that it holds; words in
    its headings or elsewhere in its passage count less. The standing of its passage with the lanes raises the score; a
    late rank, the other language, and an amount, a time or a ruling that is asked for and not there lower it. Where
    standing and coverage together reach ``minimum_evidence``, the best is quoted with what is nearly as good. A part
    without evidence is named as open; if no part has any, the answer is a fixed sentence and ``abstained`` is true.
    Passage text is only ever quoted, never followed.
    """

    def __init__(self, weights: TermWeights, settings: GeneratorSettings) -> None:
        self._weights = weights
        self._settings = settings

    async def write(self, question: str, language: Language, evidence: Sequence[Evidence]) -> Draft:
        """Answers in the language of the question, or abstains."""
        candidates = [quotable for each in evidence for quotable in quotables(each)]
        picked: list[Quotable] = []
        parts = question_parts(question, language)
        open_parts = 0
        for part in parts:
            found = self._for_part(part, language, candidates)
            open_parts += not found
            picked += (quotable for quotable in found if quotable not in picked)
        if not picked:
            return Draft(answer=ABSTENTION[language], abstained=True)
        return self._draft(picked[: self._settings.max_sentences], language, is_partial=open_parts > 0)

    async def close(self) -> None:
        """There is nothing to release."""

    def _for_part(self, part: Part, language: Language, candidates: Sequence[Quotable]) -> list[Quotable]:
        weighed = [self._weigh(part, language, quotable) for quotable in candidates]
        weighed.sort(key=lambda each: (-each.score, each.quotable.evidence.number, each.quotable.position))
        if not weighed or max(each.evidence for each in weighed) < self._settings.minimum_evidence:
            return []
        room = max(1, self._settings.max_sentences // 2)
        return [each.quotable for each in weighed[:room] if each.score >= RUNNER_UP * weighed[0].score]

    def _weigh(self, part: Part, language: Language, quotable: Quotable) -> _Weighed:
        source = quotable.evidence
        held = [_stems(text, source.language) for text in (quotable.text, quotable.context, source.chunk.text)]
        reached = covered = total = 0.0
        for word, share in part.words.items():
            weight = self._weight(word, language)
            in_text, in_context, in_passage = (_match(word, each, source.language) for each in held)
            reached += share * weight * max(in_text, CONTEXT_SHARE * in_context, PASSAGE_SHARE * in_passage)
            if share == 1.0:
                total += weight
                covered += weight * max(in_text, in_context, PASSAGE_COVER * in_passage)
        if not total:
            return _Weighed(quotable=quotable, score=0.0, evidence=0.0)
        right_kind = 1.0 if holds_kind(quotable.text, part.kind) else WRONG_KIND_FACTOR
        factor = right_kind / (1 + RANK_DISCOUNT * (source.number - 1))
        factor *= 1 + STANDING_SHARE * source.standing
        if source.language != language:
            factor *= FOREIGN_FACTOR
        evidence = STANDING_WEIGHT * source.standing + (1 - STANDING_WEIGHT) * covered / total
        return _Weighed(quotable=quotable, score=factor * reached / total, evidence=evidence)

    def _weight(self, word: str, language: Language) -> float:
        """The smaller of the word's weights in both languages: a word that is common in either says little.

        A word that stands nowhere in the corpus may be another name for what is asked, so that it counts less.
        """
        stems = {stem(word, each) for each in (language, OTHER_LANGUAGE[language])}
        weight = min(self._weights.of(each) for each in stems)
        return weight if any(self._weights.knows(each) for each in stems) else UNKNOWN_SHARE * weight

    def _draft(self, picked: Sequence[Quotable], language: Language, *, is_partial: bool) -> Draft:
        sentences: list[str] = []
        citations: list[Citation] = []
        for quotable in picked:
            foreign = quotable.evidence.language != language
            sentence = framed(quotable.text, language) if foreign else as_sentence(quotable.text)
            sentences.append(f"{sentence} {quotable.evidence.marker}")
            citations.append(quotable.evidence.cited_for(sentence))
        if is_partial:
            sentences.append(PARTIAL[language])
        return Draft(answer=" ".join(sentences), abstained=False, citations=tuple(citations))


@lru_cache(maxsize=20_000)
def _stems(text: str, language: Language) -> frozenset[str]:
    return frozenset(stem(word, language) for word in plain_words(text))


def _match(word: str, held: frozenset[str], language: Language) -> float:
    wanted = stem(word, language)
    if wanted in held:
        return 1.0
    if len(wanted) < SHORTEST_COMPOUND or wanted.isdigit():
        return 0.0
    return max((_kinship(wanted, other) for other in held), default=0.0)


@lru_cache(maxsize=400_000)
def _kinship(one: str, other: str) -> float:
    """How alike two stems are: part of a compound, or a shared stem as in "zurückgeben" and "Rückgabe"."""
    if len(other) < SHORTEST_COMPOUND:
        return 0.0
    if one in other or other in one:
        return COMPOUND_MATCH
    first, second = _trigrams(one), _trigrams(other)
    alike = 2 * len(first & second) / (len(first) + len(second))
    return alike if alike >= LEAST_ALIKE else 0.0


@lru_cache(maxsize=100_000)
def _trigrams(word: str) -> frozenset[str]:
    return frozenset(word[at : at + 3] for at in range(len(word) - 2))
