"""What both citation measures share: the sentences of an answer, the sources they cite, and what must be judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from beleg.core.findings import Quote
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Passage
from beleg.metrics.batch import Row
from beleg.metrics.generation.citation_kernels import ALCE_CITATIONS
from beleg.metrics.generation.citation_support import Carries, CitationFinding, SentenceFinding
from beleg.metrics.generation.cited_sentences import CitedAnswer, CitedSentence, SentenceCitation, cited_answer
from beleg.metrics.generation.refusal import answer_gap, refused

MAX_MARKER_CHARS = 512

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Source = tuple[str, ...]
"""The ids of the passages that are held against a sentence together."""

Asked = tuple[int, Source]
"""The number of a sentence and the source that is held against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How far a source carries a sentence, and by which words."""

    support: Carries
    quote: Quote | None = None
    rationale: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedSources:
    """An answer whose citations can be judged."""

    answer: CitedAnswer
    passages: Mapping[str, Passage]
    verdicts: dict[Asked, Verdict] = field(default_factory=dict)

    def text(self, source: Source) -> str:
        """The words of a source."""
        return "\n\n".join(self.passages[name].text or "" for name in source)

    def alone(self) -> list[Asked]:
        """Every sentence with every source that it cites."""
        return self._open(
            (number, source_of([citation]))
            for number, sentence in enumerate(self.answer.sentences)
            for citation in sentence.citations
            if citation.is_resolvable
        )

    def joint(self) -> list[Asked]:
        """Every sentence that cites several sources, with the first three of them together."""
        return self._open((number, source_of(first)) for number, first in self._several())

    def without_one(self) -> list[Asked]:
        """Where three sources carry a sentence together and one of them not alone: the other two of them."""
        return self._open(
            (number, others)
            for number, first in self._several()
            if self.support(number, source_of(first)) is Carries.FULL
            for place, citation in enumerate(first)
            if self.support(number, source_of([citation])) is not Carries.FULL
            for others in [source_of([*first[:place], *first[place + 1 :]])]
        )

    def most_without_one(self) -> int:
        """How many verdicts `without_one` may ask for, before anything is known."""
        return sum(len(first) for _, first in self._several() if len(first) == ALCE_CITATIONS)

    def support(self, number: int, source: Source) -> Carries | None:
        """The verdict, where it is known."""
        found = self.verdicts.get((number, source))
        return None if found is None else found.support

    def findings(self) -> tuple[SentenceFinding, ...]:
        """All sentences with the verdicts that are known."""
        return tuple(self._sentence(number, sentence) for number, sentence in enumerate(self.answer.sentences))

    def _several(self) -> Iterator[tuple[int, list[SentenceCitation]]]:
        """The sentences for which ALCE looks at several citations, with those."""
        for number, sentence in enumerate(self.answer.sentences):
            first = list(sentence.citations[:ALCE_CITATIONS])
            if len(first) > 1 and all(citation.is_resolvable for citation in sentence.citations):
                yield number, first

    def _open(self, asked: Iterable[Asked]) -> list[Asked]:
        return [one for one in dict.fromkeys(asked) if one not in self.verdicts]

    def _sentence(self, number: int, sentence: CitedSentence) -> SentenceFinding:
        first = list(sentence.citations[:ALCE_CITATIONS])
        is_whole = all(citation.is_resolvable for citation in sentence.citations)
        return SentenceFinding(
            sentence_id=str(number + 1),
            text=sentence.text,
            citations=tuple(self._citation(number, sentence, place) for place in range(len(sentence.citations))),
            joint=self.support(number, source_of(first)) if is_whole and len(first) > 1 else None,
        )

    def _citation(self, number: int, sentence: CitedSentence, place: int) -> CitationFinding:
        citation = sentence.citations[place]
        source = source_of([citation])
        found = self.verdicts.get((number, source))
        first = sentence.citations[:ALCE_CITATIONS]
        others = source_of([*first[:place], *first[place + 1 :]]) if place < len(first) else ()
        return CitationFinding(
            marker=_storable(citation.marker),
            passage_ids=source,
            support=found.support if found else None,
            without_it=self.support(number, others) if others else None,
            quote=found.quote if found else None,
            rationale=found.rationale if found else None,
            flags=found.flags if found else (),
        )


def _storable(marker: str) -> str:
    """A marker of the text as an identifier: a link may be longer than one, and hold what no identifier may."""
    return _CONTROL.sub("\ufffd", marker)[:MAX_MARKER_CHARS]


def source_of(citations: Iterable[SentenceCitation]) -> Source:
    """The passages that citations name together, each once."""
    return tuple(dict.fromkeys(passage.passage_id for citation in citations for passage in citation.passages))


def cited_sources(row: Row) -> CitedSources | Score:
    """The citations of a row, ready to be judged, or the reason why they cannot be.

    Not applicable for an answer that declines, which needs no citation; missing where citations were not recorded,
    where none of them can be tied to a sentence, and where the text of a cited passage was not recorded.
    """
    gap = answer_gap(row.output)
    if gap is not None:
        return gap
    if refused(row.output, language=row.case.language) is True:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the answer declines; it needs no citation")
    if row.output.citations is None:
        return Score.without(ScoreStatus.MISSING, "citations were not recorded")
    answer = cited_answer(row.output)
    if not answer.sentences:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer has no sentence")
    if answer.stands_on_nothing:
        return Score.without(
            ScoreStatus.MISSING,
            "no citation stands on a sentence; record the sentence of each, or its marker as it stands in the answer",
        )
    cited = [passage for sentence in answer.sentences for one in sentence.citations for passage in one.passages]
    if any(passage.text is None for passage in cited):
        return Score.without(ScoreStatus.MISSING, "the text of a cited passage was not recorded")
    return CitedSources(answer, {passage.passage_id: passage for passage in cited})
