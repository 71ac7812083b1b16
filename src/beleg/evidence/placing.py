"""Restated claims put back on the answer: by strict rules onto the words they came from, or not at all (E2).

A judge states a claim as a sentence that stands by itself. The sheet shows the words of the answer, so every such
sentence is brought back to the stretch that it came from; wording that the answer does not hold is never shown as its.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from beleg.core.findings import ClaimFinding
from beleg.core.locators import Span
from beleg.evidence.claims import AnswerClaim, pieces, visible_spans
from beleg.metrics.generation.cited_sentences import CitedAnswer
from beleg.text.content import FUNCTION_WORDS, stem
from beleg.text.number_words import cardinal
from beleg.text.tokens import unspaced_letters, word_spans


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


MIN_SHARED_WORDS = 2
"""A sentence that shares fewer content words with a claim is not where it came from, unless the claim is as short."""
MAX_TIED_SENTENCES = 3
"""A claim that fits more sentences than these equally well cannot be placed."""
MAX_POSTINGS = 200
"""A word that stands in more sentences than these tells nothing of where a claim came from."""
MAX_PARTING_STEPS = 200_000
"""Claims times words of a sentence; a sentence beyond that is not parted."""

# They open what follows them, and go with it when a sentence is parted.
_LEADING = _listed(
    """
    innerhalb außerhalb binnen einschließlich inklusive ausschließlich zuzüglich abzüglich laut gemäß mindestens
    höchstens nur nicht kein keine including excluding within plus only not no except without ohne außer
    """
)


@dataclass(frozen=True, slots=True)
class Placement:
    """The claims of a judge on the answer, and those whose place was not found."""

    claims: tuple[AnswerClaim, ...]
    unplaced: tuple[ClaimFinding, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    keys: frozenset[str]
    """Empty for a function word."""
    opens: bool
    """Whether it goes with the word behind it."""


def place_claims(answer: str, cited: CitedAnswer, findings: Sequence[ClaimFinding]) -> Placement:
    """Places every claim of a judge on the words of the answer that it restates.

    1. A claim that stands in the answer word for word is placed there; one that is listed as often as it stands, each
       on its own.
    2. Else it is placed on the sentence that shares most of its content words, by stem and value of number: at least
       two, or half of those that it has. Where up to three sentences share equally many, it keeps them all; a tie of
       more, or too few shared words, leaves it without a place.
    3. Several claims on one sentence part it: each keeps the sentence without those words that only others of them
       hold, and without the function words that lead to these. No word of the sentence is lost to all of them.

    Returns:
        The placed claims in the order of the judge, and the claims that have no place; never any wording that is not
        in the answer.

    Example:
        >>> from beleg.core.findings import Support
        >>> from beleg.core.trace import Output
        >>> from beleg.evidence.claims import wording
        >>> from beleg.metrics.generation.cited_sentences import cited_answer
        >>> text = "You can return any article within 30 days, including sale items."
        >>> stated = ("Any article, including sale items, is returnable.", "The window is 30 days.", "It rains.")
        >>> found = place_claims(text, cited_answer(Output(answer=text)), [
        ...     ClaimFinding(claim_id=str(at), claim=claim, support=Support.SUPPORTED)
        ...     for at, claim in enumerate(stated)
        ... ])
        >>> [wording(text, claim.spans) for claim in found.claims]
        ['You can return any article including sale items.', 'You can return within 30 days']
        >>> [finding.claim for finding in found.unplaced]
        ['It rains.']
    """
    return _Placer(answer, cited).place(findings)


@dataclass(slots=True)
class _Placer:
    answer: str
    cited: CitedAnswer
    words: dict[int, list[_Word]] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    postings: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.starts = [sentence.span.start for sentence in self.cited.sentences]
        self.ends = [sentence.span.end for sentence in self.cited.sentences]
        for number, sentence in enumerate(self.cited.sentences):
            self.words[number] = list(_words(self.answer, *sentence.span))
            for key in {key for word in self.words[number] for key in word.keys}:
                self.postings.setdefault(key, []).append(number)

    def place(self, findings: Sequence[ClaimFinding]) -> Placement:
        wanted = Counter(_bare(finding.claim) for finding in findings)
        verbatim = {text: self._verbatim(text, count) for text, count in wanted.items()}
        placed: list[AnswerClaim | None] = []
        by_words: dict[int, frozenset[str]] = {}
        for number, finding in enumerate(findings):
            found = verbatim[_bare(finding.claim)]
            if found:
                placed.append(self._on_words(finding, found))
                continue
            keys = _keys_of(finding.claim)
            sentences = self._sentences(keys)
            by_words[number] = keys
            placed.append(self._on_sentences(finding, sentences) if sentences else None)
        self._part(placed, by_words)
        return Placement(
            claims=tuple(claim for claim in placed if claim is not None),
            unplaced=tuple(finding for finding, claim in zip(findings, placed, strict=True) if claim is None),
        )

    def _verbatim(self, text: str, count: int) -> list[list[Span]]:
        """Where a claim stands word for word: for each time that it is listed, the places that are its own."""
        if len(text.split()) < MIN_SHARED_WORDS and not unspaced_letters(text):
            return []
        found = (Span(start=at, end=at + len(text)) for at in _occurrences(self.answer, text, count))
        places = [place for place in found if self._numbers(place) and self._visible(place)]
        if not places:
            return []
        if count == 1:
            return [places[:MAX_TIED_SENTENCES]]
        return [[place] for place in places] + [[places[-1]]] * (count - len(places))

    def _on_words(self, finding: ClaimFinding, found: list[list[Span]]) -> AnswerClaim:
        places = found.pop(0) if len(found) > 1 else found[0]
        spans = tuple(span for place in places for span in self._visible(place))
        numbers = dict.fromkeys(number for place in places for number in self._numbers(place))
        return AnswerClaim(spans=spans, sentences=tuple(numbers), finding=finding)

    def _visible(self, place: Span) -> tuple[Span, ...]:
        return visible_spans(self.answer, place, self.cited.marks)

    def _numbers(self, place: Span) -> list[int]:
        """The sentences that a stretch of the answer stands in."""
        first = bisect_right(self.ends, place.start)
        last = bisect_left(self.starts, place.end)
        return list(range(first, last))

    def _sentences(self, keys: frozenset[str]) -> tuple[int, ...]:
        listed = [self.postings.get(key, []) for key in keys]
        shared = Counter(number for numbers in listed if len(numbers) <= MAX_POSTINGS for number in numbers)
        most = max(shared.values(), default=0)
        needed = 1 if len(self.cited.sentences) == 1 else min(MIN_SHARED_WORDS, (len(keys) + 1) // 2)
        best = sorted(number for number, count in shared.items() if count == most)
        return tuple(best) if most >= needed and len(best) <= MAX_TIED_SENTENCES else ()

    def _on_sentences(self, finding: ClaimFinding, numbers: tuple[int, ...]) -> AnswerClaim | None:
        spans = tuple(span for number in numbers for span in self._whole(number))
        return AnswerClaim(spans=spans, sentences=numbers, finding=finding) if spans else None

    def _whole(self, number: int) -> tuple[Span, ...]:
        start, end = self.cited.sentences[number].span
        return self._visible(Span(start=start, end=end))

    def _part(self, placed: list[AnswerClaim | None], by_words: Mapping[int, frozenset[str]]) -> None:
        """Parts every sentence on which several claims were placed by their words, and none otherwise."""
        on: dict[int, list[int]] = {}
        for number, claim in enumerate(placed):
            if claim is not None and number in by_words and len(claim.sentences) == 1:
                on.setdefault(claim.sentences[0], []).append(number)
        for sentence, numbers in on.items():
            if len(numbers) < 2 or len(numbers) * len(self.words[sentence]) > MAX_PARTING_STEPS:
                continue
            held = [by_words[number] for number in numbers]
            for number, keys in zip(numbers, held, strict=True):
                claim = placed[number]
                spans = self._without_others(sentence, keys, frozenset().union(*held))
                if claim is not None and spans:
                    placed[number] = AnswerClaim(spans=spans, sentences=claim.sentences, finding=claim.finding)

    def _without_others(self, sentence: int, own: frozenset[str], held: frozenset[str]) -> tuple[Span, ...]:
        others = list(_others(self.words[sentence], own, held))
        return tuple(span for whole in self._whole(sentence) for span in pieces(self.answer, whole, others))


def _others(listed: Sequence[_Word], own: frozenset[str], held: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The stretches of a sentence that belong to other claims: their words, and what leads to these."""
    lead: int | None = None
    end = 0
    start: int | None = None
    for word in listed:
        is_other = bool(word.keys & held) and not word.keys & own
        if is_other:
            start = start if start is not None else lead if lead is not None else word.start
            end = word.end
            lead = None
        elif word.opens and not word.keys & own:
            lead = word.start if lead is None else lead
        else:
            if start is not None:
                yield start, end
            start, lead = None, None
    if start is not None:
        yield start, end


def _words(text: str, start: int, end: int) -> Iterator[_Word]:
    for first, last in word_spans(text[start:end]):
        word = text[start + first : start + last]
        is_function = word.lower() in FUNCTION_WORDS
        yield _Word(
            start=start + first,
            end=start + last,
            keys=frozenset() if is_function else _keys(word),
            opens=is_function or word.lower() in _LEADING,
        )


def _keys_of(claim: str) -> frozenset[str]:
    return frozenset(key for word in _words(claim, 0, len(claim)) for key in word.keys)


@lru_cache(maxsize=65_536)
def _keys(word: str) -> frozenset[str]:
    """By what a word is known again: the stems of its parts, the value of a number, pairs of letters without spaces."""
    if unspaced_letters(word):
        return frozenset(word[at : at + 2] for at in range(max(1, len(word) - 1)))
    value = cardinal(word.lower())
    if value is not None:
        return frozenset((str(value),))
    parts = [part for part in word.replace("\u2010", "-").replace("\u2011", "-").split("-") if part]
    return frozenset(_key(part) for part in parts)


def _key(part: str) -> str:
    short = stem(part)
    return short.removesuffix("n") if len(short) > 4 else short


def _bare(claim: str) -> str:
    return claim.strip().rstrip(".!?…").strip()


def _occurrences(text: str, words: str, count: int) -> Iterator[int]:
    """Where words stand with word edges: as many places as are asked for, and at least three where there are."""
    if not words:
        return
    at, most = text.find(words), max(count, MAX_TIED_SENTENCES)
    tried = 0
    while at >= 0 and most and tried < MAX_POSTINGS * max(1, count):
        tried += 1
        if _has_edges(text, at, at + len(words)):
            yield at
            most -= 1
            at = text.find(words, at + len(words))
        else:
            at = text.find(words, at + 1)


def _has_edges(text: str, start: int, end: int) -> bool:
    before, behind = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (behind.isalnum() and text[end - 1].isalnum())
