"""Whether a claim denies or restricts what its evidence states, or the other way round, where that is plain to see."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from beleg.text.content import ContentWord, content_words
from beleg.text.negations import Negation, Polarity, may_deny, negations_of
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


class _Sentence:
    """A sentence; what only a comparison asks for is read when one does."""

    __slots__ = ("negations", "stems", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.negations = negations_of(text)
        cues = {(found.start, found.end) for found in self.negations}
        self.words = [word for word in content_words(text) if (word.start, word.end) not in cues]
        self.stems = frozenset(word.stem for word in self.words)

    @property
    def denies_by_itself(self) -> bool:
        return _DENIES_BY_ITSELF.search(self.text) is not None

    @property
    def is_universal(self) -> bool:
        return _UNIVERSAL.search(self.text) is not None

    def of_kind(self, kind: Polarity) -> list[Negation]:
        return [found for found in self.negations if found.kind is kind]


class PolarityCheck:
    """The sentences of an evidence, asked for the polarity of claims."""

    def __init__(self, evidence: str) -> None:
        self._text = evidence

    @cached_property
    def _has_cue(self) -> bool:
        return may_deny(self._text)

    @cached_property
    def _sentences(self) -> tuple[_Sentence, ...]:
        return tuple(_read(self._text))

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, sentence in enumerate(self._sentences):
            for stem in sentence.stems:
                places[stem].append(at)
        return dict(places)

    def reasons(self, claim: str) -> Iterator[str]:
        """What a claim denies or restricts differently from every sentence that could carry it.

        Nothing is said where less than three quarters of a claim's content words stand in one sentence, where several
        sentences that do so differ, or where either side holds two negations.
        """
        # Every reason rests on a word that denies or restricts, on either side.
        if not self._has_cue and not may_deny(claim):
            return
        for sentence in _read(claim):
            near = [self._sentences[at] for at in self._near(sentence.stems)]
            if near:
                yield from _compared(sentence, near)

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


def _read(text: str) -> Iterable[_Sentence]:
    return (_Sentence(text[start:end]) for start, end in sentence_spans(text))


def _compared(claim: _Sentence, near: Sequence[_Sentence]) -> Iterator[str]:
    if not claim.negations and not any(sentence.negations for sentence in near):
        return
    if any(sentence.denies_by_itself for sentence in (claim, *near)):
        return
    denied = claim.of_kind(Polarity.NEGATION)
    if all(_only_the_first_denies(claim, other) for other in near):
        yield f"negation: the claim denies what the evidence states ({denied[0].text})"
    elif all(_only_the_first_denies(other, claim) for other in near):
        yield "negation: the claim states what the evidence denies"
    restricted = claim.of_kind(Polarity.RESTRICTION)
    if restricted and not any(_holds(other, Polarity.RESTRICTION, Polarity.EXCEPTION) for other in near):
        yield f"restriction: the claim says '{restricted[0].text}' and the evidence does not"
    excepts = _holds(claim, Polarity.EXCEPTION)
    if not excepts and all(_holds(other, Polarity.EXCEPTION) for other in near) and claim.is_universal:
        yield "exception: the evidence makes an exception that the claim leaves out"


def _holds(sentence: _Sentence, *kinds: Polarity) -> bool:
    return any(found.kind in kinds for found in sentence.negations)


def _only_the_first_denies(first: _Sentence, second: _Sentence) -> bool:
    """Whether one sentence holds exactly one plain negation, of something that the other states without any."""
    denied = first.of_kind(Polarity.NEGATION)
    if len(denied) != 1 or denied[0].is_doubled or _holds(second, Polarity.NEGATION, Polarity.EXCEPTION):
        return False
    word = _denied_word(first, denied[0])
    return word is not None and word.stem in second.stems


def _denied_word(sentence: _Sentence, negation: Negation) -> ContentWord | None:
    """The content word that a negation is about: the next one in its clause, else the one before."""
    after = next((word for word in sentence.words if word.start >= negation.end), None)
    if after is not None and not _CLAUSE_END.search(sentence.text, negation.end, after.start):
        return after
    before = [word for word in sentence.words if word.end <= negation.start]
    if before and not _CLAUSE_END.search(sentence.text, before[-1].end, negation.start):
        return before[-1]
    return None
