"""The citations of a claim as a reader saw them: the mark, where it stands, and what it names (E2)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from beleg.core.evidence import ShownCitation
from beleg.core.locators import Span
from beleg.evidence.claims import AnswerClaim
from beleg.metrics.generation.cited_sentences import CitedAnswer, SentenceCitation

MAX_MARKER_CHARS = 512

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def citations_of(claim: AnswerClaim, cited: CitedAnswer) -> tuple[ShownCitation, ...]:
    """The citations on the sentences of a claim, in the order of the answer.

    A citation stands on the claim or on the sentence that it is a part of; the parts of one sentence share its marks.
    """
    shown = (each for number in claim.sentences for each in cited.sentences[number].shown)
    return tuple(dict.fromkeys(shown_citation(each) for each in shown))


def shown_citation(citation: SentenceCitation) -> ShownCitation:
    """One citation for the sheet.

    Example:
        >>> from beleg.core.trace import Passage
        >>> passage = Passage(passage_id="p04", document_id="D-01")
        >>> found = shown_citation(SentenceCitation(marker="D-01", passages=(passage,)))
        >>> found.marker, found.document_id, found.passage_id, found.passages
        ('D-01', 'D-01', None, ('p04',))
    """
    mark, recorded, passages = citation.mark, citation.recorded, citation.passages
    documents = {passage.document_id for passage in passages}
    named_passage = next((each.passage_id for each in passages if each.passage_id == citation.marker), None)
    return ShownCitation(
        marker=storable(citation.marker),
        span=None if mark is None else Span(start=mark.start, end=mark.end),
        document_id=(recorded.document_id if recorded else None) or (documents.pop() if len(documents) == 1 else None),
        passage_id=recorded.passage_id if recorded else named_passage,
        passages=tuple(dict.fromkeys(passage.passage_id for passage in passages)),
    )


def storable(marker: str) -> str:
    r"""A marker of the text as an identifier: a link may be longer than one, and hold what no identifier may.

    Example:
        >>> storable("a" * 600) == "a" * 512, storable("\x07")
        (True, '�')
    """
    return _CONTROL.sub("\ufffd", marker)[:MAX_MARKER_CHARS]


def cited_passages(citations: Iterable[ShownCitation]) -> tuple[str, ...]:
    """The returned passages that citations stand for, each once."""
    return tuple(dict.fromkeys(name for citation in citations for name in citation.passages))
