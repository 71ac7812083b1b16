"""Which sentence of an answer cites what: marks in the text and recorded citations brought together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from beleg.core.trace import Citation, Output, Passage
from beleg.text.citation_marks import CitationMark, bare, citation_marks
from beleg.text.normalise import fold_whitespace
from beleg.text.sentences import Span, sentence_spans

MAX_SOURCES_OF_A_MARKER = 16
"""A marker that names more sources than these names none in particular, and counts as one that names nothing."""

_MAX_PLACES = 50
_SPACE_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceCitation:
    """A citation on a sentence, with the delivered passages that it names."""

    marker: str
    passages: tuple[Passage, ...]
    """Empty for a citation that names nothing that was delivered: fabricated, out of range, or without a source."""
    mark: CitationMark | None = field(default=None, compare=False)
    """The mark in the answer; ``None`` where the citation was recorded beside the text."""
    recorded: Citation | None = field(default=None, compare=False)
    """The citation as it was recorded; ``None`` for a mark that was resolved by its label."""

    @property
    def is_resolvable(self) -> bool:
        """Whether it names a delivered passage."""
        return bool(self.passages)

    @property
    def target(self) -> tuple[str, ...]:
        """What makes two citations of one sentence the same: the passages, or the marker where there are none."""
        return tuple(passage.passage_id for passage in self.passages) or ("", self.marker)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """A sentence without its marks, and what it cites, each source once, in the order of the text."""

    text: str
    citations: tuple[SentenceCitation, ...]
    span: Span = field(default=Span(0, 0), compare=False)
    """Where it stands in the answer, marks inside it included."""
    shown: tuple[SentenceCitation, ...] = field(default=(), compare=False)
    """The citations as a reader sees them: every mark, also where two of them name one source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedAnswer:
    """An answer as sentences with citations."""

    sentences: tuple[CitedSentence, ...]
    unplaced: tuple[SentenceCitation, ...]
    """Recorded citations that stand on no sentence: their marker is not in the answer, nor is their sentence."""
    marks: tuple[CitationMark, ...] = ()
    """All marks of the answer, in order."""

    @property
    def unresolvable(self) -> int:
        """How many citations name nothing that was delivered, wherever they stand."""
        placed = [citation for sentence in self.sentences for citation in sentence.citations]
        return sum(not citation.is_resolvable for citation in (*placed, *self.unplaced))

    @property
    def stands_on_nothing(self) -> bool:
        """Whether citations were recorded and none of them can be tied to a sentence."""
        return bool(self.unplaced) and not any(sentence.citations for sentence in self.sentences)


@dataclass(slots=True)
class _Place:
    span: Span
    core: str
    marks: list[CitationMark] = field(default_factory=list)


def cited_answer(output: Output) -> CitedAnswer:
    """Finds the sentences of an answer and what each of them cites.

    The marks that a reader sees decide. A mark resolves through the recorded citation of its label, else through the
    passage or document of that id; a mark of which nobody recorded what it names is a citation that names nothing. A
    recorded citation with its sentence stands on that sentence, marked or not. A mark behind the full stop belongs to
    the sentence before it. A source that a sentence cites twice counts once.

    Args:
        output: what the candidate returned, with recorded citations.

    Example:
        >>> passage = Passage(passage_id="p1", document_id="d1")
        >>> output = Output(answer="A holds. [1] B holds [9].", delivered=(passage,),
        ...                 citations=(Citation(marker="1", passage_id="p1"),))
        >>> [(s.text, [c.is_resolvable for c in s.citations]) for s in cited_answer(output).sentences]
        [('A holds.', [True]), ('B holds.', [False])]
    """
    text = output.answer or ""
    sources = _Sources(output)
    marks_found = citation_marks(text, sources.labels)
    places = _places(text, marks_found)
    recorded = _Recorded(output.citations or (), places, sources)
    sentences = []
    for number, place in enumerate(places):
        marks = {label: mark for mark in reversed(place.marks) for label in mark.labels}
        labels = dict.fromkeys(label for mark in place.marks for label in mark.labels)
        marked = [
            replace(citation, mark=marks[label]) for label in labels for citation in recorded.behind(label, number)
        ]
        found: dict[tuple[str, ...], SentenceCitation] = {}
        for citation in marked:
            found.setdefault(citation.target, citation)
        beside = [citation for citation in recorded.standing_on(number) if citation.target not in found]
        for citation in beside:
            found.setdefault(citation.target, citation)
        sentences.append(
            CitedSentence(text=place.core, citations=tuple(found.values()), span=place.span, shown=(*marked, *beside))
        )
    return CitedAnswer(sentences=tuple(sentences), unplaced=recorded.unplaced(), marks=tuple(marks_found))


class _Sources:
    """What was delivered, by every name under which a mark may ask for it."""

    def __init__(self, output: Output) -> None:
        self._by_name: dict[str, list[Passage]] = {}
        seen: set[str] = set()
        for passage in output.final_passages():
            if passage.passage_id not in seen:
                seen.add(passage.passage_id)
                for name in {passage.passage_id, passage.document_id, *_addresses(passage)}:
                    self._by_name.setdefault(name, []).append(passage)
        self.labels = frozenset({*self._by_name, *(citation.marker for citation in output.citations or ())})

    def named(self, label: str) -> tuple[Passage, ...]:
        """The passage of that id, else those of the document of that id or address."""
        found = self._by_name.get(label, [])
        return tuple([passage for passage in found if passage.passage_id == label] or found)

    def resolved(self, citation: Citation) -> SentenceCitation:
        """A recorded citation with the passages that it names."""
        if citation.passage_id is not None:
            found = [
                item for item in self._by_name.get(citation.passage_id, []) if item.passage_id == citation.passage_id
            ]
        else:
            named = self._by_name.get(citation.document_id or "", [])
            found = [item for item in named if item.document_id == citation.document_id]
        return SentenceCitation(marker=citation.marker, passages=tuple(found), recorded=citation)


class _Recorded:
    """The recorded citations: by label, and by the sentences that they were recorded for."""

    def __init__(self, citations: Sequence[Citation], places: Sequence[_Place], sources: _Sources) -> None:
        self._sources = sources
        self._all = [sources.resolved(citation) for citation in citations]
        self._by_label: dict[str, list[int]] = {}
        self._by_sentence: dict[int, list[int]] = {}
        self._used: set[int] = set()
        finder = _Finder(places)
        for at, citation in enumerate(citations):
            self._by_label.setdefault(bare(citation.marker), []).append(at)
            for number in finder.sentences_with(citation.sentence, sources.labels):
                self._by_sentence.setdefault(number, []).append(at)

    def behind(self, label: str, number: int) -> list[SentenceCitation]:
        """What a mark on a sentence cites: what was recorded for that sentence, else for the label, else by id."""
        named = self._by_label.get(label)
        if named is None:
            return [SentenceCitation(marker=label, passages=self._sources.named(label))]
        here = [at for at in self._by_sentence.get(number, ()) if bare(self._all[at].marker) == label]
        self._used.update(here or named)
        distinct: dict[tuple[str, ...], SentenceCitation] = {}
        for at in here or named[: MAX_SOURCES_OF_A_MARKER + 1]:
            distinct.setdefault(self._all[at].target, self._all[at])
        if len(distinct) > MAX_SOURCES_OF_A_MARKER:
            return [SentenceCitation(marker=label, passages=())]
        return list(distinct.values())

    def standing_on(self, number: int) -> list[SentenceCitation]:
        """What was recorded for a sentence by name."""
        places = self._by_sentence.get(number, [])
        self._used.update(places)
        return [self._all[at] for at in places]

    def unplaced(self) -> tuple[SentenceCitation, ...]:
        """What stands on no sentence."""
        return tuple(citation for at, citation in enumerate(self._all) if at not in self._used)


class _Finder:
    """Finds the sentences of an answer that a recorded sentence means, each search in one pass over the text."""

    def __init__(self, places: Sequence[_Place]) -> None:
        self._same: dict[str, list[int]] = {}
        for number, place in enumerate(places):
            self._same.setdefault(place.core, []).append(number)
        self._text = " ".join(place.core for place in places)
        self._starts = [0, *accumulate(len(place.core) + 1 for place in places)][: len(places)]

    def sentences_with(self, sentence: str | None, labels: frozenset[str]) -> list[int]:
        """The sentences that are it, else those that hold it or that it holds."""
        wanted = "" if sentence is None else _tidy(_blanked(sentence, citation_marks(sentence, labels)))
        if not wanted or wanted in self._same:
            return self._same.get(wanted, [])[:_MAX_PLACES]
        found: list[int] = []
        at = self._text.find(wanted)
        while at >= 0 and len(found) < _MAX_PLACES:
            first = bisect_right(self._starts, at) - 1
            last = bisect_right(self._starts, at + len(wanted) - 1) - 1
            found.extend(number for number in range(first, last + 1) if number not in found[-1:])
            at = self._text.find(wanted, at + len(wanted))
        return found


def _addresses(passage: Passage) -> Iterator[str]:
    return (value for value in passage.metadata.values() if isinstance(value, str) and "://" in value)


def _places(text: str, marks: Sequence[CitationMark]) -> list[_Place]:
    """The sentences of the text without its marks, each with the marks that stand on it."""
    blank = _blanked(text, marks)
    places = [
        _Place(span, core)
        for span in sentence_spans(blank)
        if _WORD.search(core := _tidy(blank[span.start : span.end]))
    ]
    at = 0
    for mark in marks:
        while at < len(places) and places[at].span.end <= mark.start:
            at += 1
        if places:
            places[_home(text, places, at, mark)].marks.append(mark)
    return places


def _home(text: str, places: Sequence[_Place], following: int, mark: CitationMark) -> int:
    """The sentence of a mark: the one around it, else the one before it, unless it opens a line of the next one."""
    if following == len(places):
        return following - 1
    if following == 0 or places[following].span.start <= mark.start:
        return following
    opens_line = "\n" in text[places[following - 1].span.end : mark.start]
    same_line = "\n" not in text[mark.end : places[following].span.start]
    return following if opens_line and same_line else following - 1


def _blanked(text: str, marks: Sequence[CitationMark]) -> str:
    pieces, end = [], 0
    for mark in marks:
        pieces.append(text[end : mark.start])
        start, stop = mark.words or (mark.end, mark.end)
        pieces.extend((" " * (start - mark.start), text[start:stop], " " * (mark.end - stop)))
        end = mark.end
    return "".join((*pieces, text[end:]))


def _tidy(text: str) -> str:
    return _SPACE_BEFORE_STOP.sub(r"\1", fold_whitespace(text))
