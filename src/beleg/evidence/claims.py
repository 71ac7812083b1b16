"""Claims as words copied from the answer: where nobody listed them, sentences and their separable parts (E2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from beleg.core.findings import ClaimFinding
from beleg.core.locators import Span
from beleg.metrics.generation.cited_sentences import CitedAnswer, CitedSentence
from beleg.text.citation_marks import CitationMark
from beleg.text.refusal import only_declines_or_greets
from beleg.text.tokens import has_word, words

MIN_PART_WORDS = 3
"""A part with fewer words is no statement."""
MAX_SENTENCE_CHARS = 10_000
"""A longer sentence is not parted; nobody wrote it as one."""

_JOINT = re.compile(
    r"(?P<stop>;)\s+|,?\s+(?P<word>und|aber|sondern|jedoch|sowie|denn|weil|während|"
    r"and|but|because|while|whereas|although)\s+",
    re.IGNORECASE,
)
# Only where both sides have a verb of this list are they two statements; anything else stays whole.
_VERB = re.compile(
    r"\b(?:ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|kann|können|darf|dürfen|muss|müssen|soll|sollen|gilt|"
    r"gelten|beträgt|betragen|kostet|kosten|beginnt|beginnen|endet|enden|dauert|dauern|liegt|liegen|enthält|enthalten|"
    r"is|are|was|were|has|have|can|may|must|shall|should|will|does|costs?|begins?|starts?|ends?|takes?|applies|apply|"
    r"contains?|includes?|expires?)\b",
    re.IGNORECASE,
)
_OPENING, _CLOSING = "([{„“«", ")]}“”»"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerClaim:
    """One material claim of an answer."""

    spans: tuple[Span, ...]
    """The words, in code points of the answer, in order and without overlap."""
    sentences: tuple[int, ...]
    """The sentences that they stand in; several where the words do not tell which of them is meant."""
    finding: ClaimFinding | None = None
    """What a judge or verifier found, and its restatement of the claim."""


def wording(answer: str, spans: Iterable[Span]) -> str:
    """The words of a claim: the text of its spans, joined by a space.

    Example:
        >>> wording("free, and fast", [Span(start=0, end=4), Span(start=10, end=14)])
        'free fast'
    """
    return " ".join(answer[span.start : span.end] for span in spans)


def claims_by_sentence(answer: str, cited: CitedAnswer) -> list[AnswerClaim]:
    """The claims of an answer that nobody has split: its sentences, parted where two statements are joined.

    A sentence is parted at a semicolon or a conjunction with a whole statement on each side. Questions, courtesies
    and refusals claim nothing. The same answer always gives the same claims.

    Example:
        >>> from beleg.core.trace import Output
        >>> from beleg.metrics.generation.cited_sentences import cited_answer
        >>> text = "Returns are free, and shipping costs 5 euros. Anything else?"
        >>> found = claims_by_sentence(text, cited_answer(Output(answer=text)))
        >>> [wording(text, claim.spans) for claim in found]
        ['Returns are free', 'shipping costs 5 euros.']
    """
    found = []
    for number, sentence in enumerate(cited.sentences):
        if not _claims_something(sentence.text):
            continue
        for part in _parts(answer, sentence):
            spans = visible_spans(answer, part, cited.marks)
            if spans:
                found.append(AnswerClaim(spans=spans, sentences=(number,)))
    return found


def visible_spans(answer: str, within: Span, marks: Sequence[CitationMark]) -> tuple[Span, ...]:
    """A stretch of an answer without the citation marks in it; the words of a link are no mark.

    Example:
        >>> mark = CitationMark(start=2, end=5, labels=("1",))
        >>> visible_spans("A [1] is so.", Span(start=0, end=12), (mark,))
        (Span(start=0, end=1), Span(start=6, end=12))
    """
    return pieces(answer, within, _hidden(marks, within))


def pieces(answer: str, within: Span, left_out: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """What remains of a stretch without some ranges, which are in order; pieces without a word are dropped."""
    found, at = [], within.start
    for start, end in (*left_out, (within.end, within.end)):
        if start > at:
            found.append((at, min(start, within.end)))
        at = max(at, end)
    trimmed = (_trimmed(answer, start, end) for start, end in found)
    return tuple(span for span in trimmed if span.end > span.start and has_word(answer[span.start : span.end]))


def _hidden(marks: Sequence[CitationMark], within: Span) -> Iterator[tuple[int, int]]:
    for mark in marks_within(marks, within.start, within.end):
        if mark.words is None:
            yield mark.start, mark.end
        else:
            yield mark.start, mark.words[0]
            yield mark.words[1], mark.end


def marks_within(marks: Sequence[CitationMark], start: int, end: int) -> Iterator[CitationMark]:
    """The marks in a stretch of the answer; marks are in order."""
    low, high = 0, len(marks)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if marks[middle].end <= start else (low, middle)
    while low < len(marks) and marks[low].start < end:
        yield marks[low]
        low += 1


def _trimmed(answer: str, start: int, end: int) -> Span:
    part = answer[start:end]
    begin = start + len(part) - len(part.lstrip(" \t\r\n\u00a0,;"))
    return Span(start=min(begin, end), end=max(begin, start + len(part.rstrip(" \t\r\n\u00a0,;"))))


def _claims_something(sentence: str) -> bool:
    short = sentence[:MAX_SENTENCE_CHARS]
    return not short.rstrip().endswith(("?", "？", "؟")) and not only_declines_or_greets(short)


def _parts(answer: str, sentence: CitedSentence) -> Iterator[Span]:
    start, end = sentence.span
    if end - start <= MAX_SENTENCE_CHARS:
        for cut, behind in _joints(answer, start, end):
            if _states(answer[start:cut]) and _states(answer[behind:end]):
                yield Span(start=start, end=cut)
                start = behind
    yield Span(start=start, end=end)


def _joints(answer: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where statements may be parted: outside brackets and quotation marks, and not before a verb without a subject."""
    depth, at = 0, start
    for match in _JOINT.finditer(answer, start, end):
        depth += sum((each in _OPENING) - (each in _CLOSING) for each in answer[at : match.start()])
        at = match.start()
        behind = match.end()
        elided = _VERB.match(answer, behind, end) is not None
        if depth <= 0 and not elided:
            yield match.start(), behind


def _states(part: str) -> bool:
    return _VERB.search(part) is not None and len(words(part)) >= MIN_PART_WORDS
