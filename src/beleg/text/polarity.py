"""Whether a claim denies or restricts what its evidence states, or the other way round, where that is plain to see."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from beleg.text.content import ContentWord, content_words
from beleg.text.negations import Negation, Polarity, negations_of
from beleg.text.sentences import sentence_spans

MIN_COVERAGE = 0.75
"""How much of a claim's content words one sentence must hold before its polarity is compared."""
NEAR_BEST = 0.1
MIN_WORDS = 3
MAX_SENTENCES = 2_000
"""How many sentences a word may stand in before it tells nothing about which one carries a claim."""

# Words that deny without a negation; where one stands, nothing is said.
_DENIES_BY_ITSELF = re.compile(
    r"\b(?:lack|fail|absen|prevent|unable|hardly|barely|rarely|seldom|instead|rather|refus|den(?:y|ied|ies)|reject|"
    r"avoid|exclu|free of|little|few|stop|ceas|oppos|contra|kaum|selten|fehl|mangel|verweiger|statt|anstatt|verhinder|"
    r"verbot|verbiet|ablehn|abgelehnt|ausschl|wenig|un(?!d|ter|s|i)[a-zäöü]{4}|\w{3,20}(?:los|frei|less)\b)",
    re.IGNORECASE,
)
_UNIVERSAL = re.compile(
    r"\b(?:all|every|each|any|always|alle[nrsm]?|jede[nrsm]?|sämtliche[nrsm]?|immer)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[,;:–—()]")


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: tuple[ContentWord, ...]
    stems: frozenset[str]
    negations: tuple[Negation, ...]
    denies_by_itself: bool
    is_universal: bool

    def of_kind(self, kind: Polarity) -> list[Negation]:
        return [found for found in self.negations if found.kind is kind]


class PolarityCheck:
    """The sentences of an evidence, asked for the polarity of claims."""

    def __init__(self, evidence: str) -> None:
        self._text = evidence
        self._sentences = tuple(_read(evidence))
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for at, (_, sentence) in enumerate(self._sentences):
            for stem in sentence.stems:
                self._places[stem].append(at)

    def reasons(self, claim: str) -> Iterator[str]:
        """What a claim denies or restricts differently from every sentence that could carry it.

        Nothing is said where less than three quarters of a claim's content words stand in one sentence, where several
        sentences that do so differ, or where either side holds two negations.
        """
        for text, sentence in _read(claim):
            near = [(self._sentences[at]) for at in self._near(sentence.stems)]
            if near:
                yield from _compared((text, sentence), near)

    def _near(self, stems: frozenset[str]) -> list[int]:
        if len(stems) < MIN_WORDS:
            return []
        counted: Counter[int] = Counter()
        for stem in stems:
            places = self._places.get(stem, ())
            if len(places) <= MAX_SENTENCES:
                counted.update(places)
        best = max(counted.values(), default=0) / len(stems)
        if best < MIN_COVERAGE:
            return []
        least = max(MIN_COVERAGE, best - NEAR_BEST) * len(stems)
        return [at for at, count in counted.items() if count >= least]


def _read(text: str) -> Iterable[tuple[str, _Sentence]]:
    for start, end in sentence_spans(text):
        part = text[start:end]
        negations = negations_of(part)
        cues = {(found.start, found.end) for found in negations}
        kept = tuple(word for word in content_words(part) if (word.start, word.end) not in cues)
        yield (
            part,
            _Sentence(
                kept,
                frozenset(word.stem for word in kept),
                negations,
                _DENIES_BY_ITSELF.search(part) is not None,
                _UNIVERSAL.search(part) is not None,
            ),
        )


def _compared(claim: tuple[str, _Sentence], near: Sequence[tuple[str, _Sentence]]) -> Iterator[str]:
    if any(sentence.denies_by_itself for _, sentence in (claim, *near)):
        return
    denied = claim[1].of_kind(Polarity.NEGATION)
    if all(_only_the_first_denies(claim, other) for other in near):
        yield f"negation: the claim denies what the evidence states ({denied[0].text})"
    elif all(_only_the_first_denies(other, claim) for other in near):
        yield "negation: the claim states what the evidence denies"
    restricted = claim[1].of_kind(Polarity.RESTRICTION)
    if restricted and not any(_holds(other, Polarity.RESTRICTION, Polarity.EXCEPTION) for _, other in near):
        yield f"restriction: the claim says '{restricted[0].text}' and the evidence does not"
    excepts = bool(claim[1].of_kind(Polarity.EXCEPTION))
    if claim[1].is_universal and not excepts and all(_holds(other, Polarity.EXCEPTION) for _, other in near):
        yield "exception: the evidence makes an exception that the claim leaves out"


def _holds(sentence: _Sentence, *kinds: Polarity) -> bool:
    return any(found.kind in kinds for found in sentence.negations)


def _only_the_first_denies(first: tuple[str, _Sentence], second: tuple[str, _Sentence]) -> bool:
    """Whether one sentence holds exactly one plain negation, of something that the other states without any."""
    denied = first[1].of_kind(Polarity.NEGATION)
    if len(denied) != 1 or denied[0].is_doubled or _holds(second[1], Polarity.NEGATION, Polarity.EXCEPTION):
        return False
    word = _denied_word(*first, denied[0])
    return word is not None and word.stem in second[1].stems


def _denied_word(text: str, sentence: _Sentence, negation: Negation) -> ContentWord | None:
    """The content word that a negation is about: the next one in its clause, else the one before."""
    after = next((word for word in sentence.words if word.start >= negation.end), None)
    if after is not None and not _CLAUSE_END.search(text, negation.end, after.start):
        return after
    before = [word for word in sentence.words if word.end <= negation.start]
    if before and not _CLAUSE_END.search(text, before[-1].end, negation.start):
        return before[-1]
    return None
