"""Whether the sources that the sentences of an answer cite carry them: precision, recall and F1 (A5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

import numpy as np

from beleg.core.case import Identifier
from beleg.core.findings import Quote
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.findings import finding_column
from beleg.metrics.generation.citation_kernels import (
    ALCE_CITATIONS,
    FULL,
    NONE,
    PARTIAL,
    PARTIAL_WEIGHT,
    UNJUDGED,
    UNRESOLVABLE,
    CitationColumns,
    Flavour,
    SupportCounts,
    support_counts,
)
from beleg.metrics.generation.cited_sentences import cited_answer
from beleg.metrics.generation.refusal import answer_gap

Figure = Literal["precision", "recall", "f1"]


class Carries(StrEnum):
    """How far the words of a source carry a sentence."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


class CitationFinding(StoredModel):
    """One citation of a sentence with its verdict."""

    marker: Identifier
    passage_ids: tuple[Identifier, ...] = ()
    """The delivered passages that it names; empty for a citation that names nothing that was delivered."""
    support: Carries | None = None
    """How far those passages carry the sentence by themselves; ``None`` where nobody judged it."""
    without_it: Carries | None = None
    """How far the others of the first three carry the sentence without this one; ``None`` where nobody asked."""
    quote: Quote | None = None
    """The words that carry the verdict."""
    rationale: str | None = None
    flags: tuple[str, ...] = ()
    """What a deterministic check found against full support, such as a number that the quoted words do not hold."""

    @property
    def is_resolvable(self) -> bool:
        """Whether it names a delivered passage."""
        return bool(self.passage_ids)


class SentenceFinding(StoredModel):
    """One sentence of an answer with its citations."""

    sentence_id: Identifier
    text: str
    """The sentence without its marks."""
    citations: tuple[CitationFinding, ...] = ()
    joint: Carries | None = None
    """How far the first three citations together carry the sentence; ``None`` where nobody asked."""

    @property
    def has_unresolvable(self) -> bool:
        """Whether a citation of the sentence names nothing that was delivered."""
        return any(not citation.is_resolvable for citation in self.citations)


class CitationSupport(StoredModel):
    """The evidence of the measures ``citation_support`` and ``citation_entailment``: every sentence of an answer."""

    sentences: tuple[SentenceFinding, ...]

    @property
    def unresolvable(self) -> int:
        """How many citations name nothing that was delivered."""
        return sum(not citation.is_resolvable for sentence in self.sentences for citation in sentence.citations)

    @property
    def citations(self) -> int:
        """How many citations there are."""
        return sum(len(sentence.citations) for sentence in self.sentences)


_CODES = {Carries.FULL: FULL, Carries.PARTIAL: PARTIAL, Carries.NONE: NONE, None: UNJUDGED}


def joint_support(sentence: SentenceFinding) -> Carries | None:
    """How far the first three citations of a sentence carry it together.

    A single citation carries what it carries alone; several need a verdict of their own.
    """
    first = sentence.citations[:ALCE_CITATIONS]
    return first[0].support if len(first) == 1 else sentence.joint


def support_without(sentence: SentenceFinding, place: int) -> Carries | None:
    """How far the first three citations carry a sentence without one of them.

    Of two citations the other one's own verdict says it; of three it needs a verdict of its own.
    """
    first = sentence.citations[:ALCE_CITATIONS]
    others = [citation for other, citation in enumerate(first) if other != place]
    return others[0].support if len(others) == 1 else first[place].without_it


def undecided_in_alce(sentence: SentenceFinding) -> bool:
    """Whether a verdict is missing without which ALCE's figures for the sentence cannot be told."""
    first = sentence.citations[:ALCE_CITATIONS]
    if not first or sentence.has_unresolvable or any(citation.support is None for citation in first):
        return False
    joint = joint_support(sentence)
    if joint is not Carries.FULL or len(first) == 1:
        return joint is None
    return any(
        citation.support is not Carries.FULL and support_without(sentence, place) is None
        for place, citation in enumerate(first)
    )


def citation_columns(answers: Sequence[CitationSupport]) -> CitationColumns:
    """The evidence of many answers as columns for the kernels.

    Example:
        >>> answer = CitationSupport(sentences=(SentenceFinding(sentence_id="1", text="A."),))
        >>> citation_columns([answer, answer]).answer.tolist()
        [0, 1]
    """
    sentences = [(at, sentence) for at, answer in enumerate(answers) for sentence in answer.sentences]
    cited = [
        (at, place, sentence, citation)
        for at, (_, sentence) in enumerate(sentences)
        for place, citation in enumerate(sentence.citations)
    ]
    codes = (_CODES[item.support] if item.is_resolvable else UNRESOLVABLE for _, _, _, item in cited)
    necessary = (
        place < ALCE_CITATIONS and support_without(sentence, place) is not Carries.FULL
        for _, place, sentence, _ in cited
    )
    return CitationColumns(
        answers=len(answers),
        answer=np.array([at for at, _ in sentences], dtype=np.intp),
        sentence=np.array([at for at, _, _, _ in cited], dtype=np.intp),
        verdict=np.fromiter(codes, dtype=np.int8, count=len(cited)),
        joint=np.array(
            [bool(one.citations) and joint_support(one) is Carries.FULL for _, one in sentences], dtype=np.bool_
        ),
        necessary=np.fromiter(necessary, dtype=np.bool_, count=len(cited)),
    )


def citation_score(found: CitationSupport, figure: Figure, flavour: Flavour, *, partial: float = 0.0) -> Score:
    """Citation precision, recall or F1 of one answer; see `support_counts` for the flavours.

    Range: 0 to 1, higher is better. The detail of the score says how many citations name nothing that was delivered.
    Undefined: precision where nothing was cited, everything where the answer has no sentence or nothing was judged,
    and invalid where a verdict that ``alce`` needs is not in the evidence.

    F1 is the harmonic mean of precision and recall, and 0 where recall is 0, also for an answer that cites nothing.

    Args:
        found: the evidence.
        figure: which of the three.
        flavour: the rules.
        partial: the credit of partial support.

    Example:
        >>> one = SentenceFinding(sentence_id="1", text="A.", citations=(
        ...     CitationFinding(marker="1", passage_ids=("p1",), support=Carries.PARTIAL),))
        >>> answer = CitationSupport(sentences=(one, SentenceFinding(sentence_id="2", text="B.")))
        >>> [citation_score(answer, figure, "all-judged", partial=0.5).value for figure in ("precision", "recall")]
        [0.5, 0.25]
    """
    if not found.sentences:
        return Score.without(ScoreStatus.NO_CLAIMS, "the answer has no sentence")
    if flavour == "alce" and any(map(undecided_in_alce, found.sentences)):
        return Score.without(ScoreStatus.INVALID, "the evidence lacks a verdict on citations taken together")
    counts = support_counts(citation_columns([found]), flavour, partial=partial)
    return _score(counts, figure, f"{found.unresolvable} of {found.citations} citations name nothing delivered")


def _score(counts: SupportCounts, figure: Figure, detail: str) -> Score:
    precision = _ratio(float(counts.precision_credit[0]), int(counts.precision_of[0]))
    recall = _ratio(float(counts.recall_credit[0]), int(counts.recall_of[0]))
    if unjudged := int(counts.unjudged[0]):
        detail = f"{detail}; {unjudged} were not judged"
    if recall is None:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "no citation was judged")
    value = {"precision": precision, "recall": recall, "f1": _harmonic(precision, recall)}[figure]
    if value is None:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "nothing was cited")
    return Score.of(value, detail)


def _ratio(credit: float, of: int) -> float | None:
    return credit / of if of else None


def _harmonic(precision: float | None, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def citation_precision_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Share of the citations that carry the sentence they stand on in full; see `citation_score`.

    Undefined: where nothing was cited, for an answer that declines or has no sentence; missing where
    nobody judged, or citations, the sentence they stand on, or the text of a cited passage was not recorded.
    """
    return _column(batch, "citation_support", "precision", flavour, 0.0)


def citation_recall_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Share of the sentences that their citations carry in full; see `citation_score`.

    Undefined: for an answer that declines or has no sentence; missing where nobody judged, or citations, the
    sentence they stand on, or the text of a cited passage was not recorded.
    """
    return _column(batch, "citation_support", "recall", flavour, 0.0)


def citation_f1_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Harmonic mean of citation precision and recall; see `citation_score`.

    Undefined: as for `citation_recall_column`.
    """
    return _column(batch, "citation_support", "f1", flavour, 0.0)


def weighted_citation_precision_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Citation precision in which partial support counts half, as in TREC's support evaluation.

    Undefined: as for `citation_precision_column`.
    """
    return _column(batch, "citation_support", "precision", flavour, PARTIAL_WEIGHT)


def weighted_citation_recall_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Citation recall in which partial support counts half, as in TREC's support evaluation.

    Undefined: as for `citation_recall_column`.
    """
    return _column(batch, "citation_support", "recall", flavour, PARTIAL_WEIGHT)


def weighted_citation_f1_column(batch: Batch, *, flavour: Flavour) -> ScoreColumn:
    """Harmonic mean of weighted citation precision and recall.

    Undefined: as for `citation_recall_column`.
    """
    return _column(batch, "citation_support", "f1", flavour, PARTIAL_WEIGHT)


def entailed_citation_precision_column(batch: Batch) -> ScoreColumn:
    """ALCE's citation precision with a dedicated verifier's verdicts.

    Undefined: as for `citation_precision_column`.
    """
    return _column(batch, "citation_entailment", "precision", "alce", 0.0)


def entailed_citation_recall_column(batch: Batch) -> ScoreColumn:
    """ALCE's citation recall with a dedicated verifier's verdicts.

    Undefined: as for `citation_recall_column`.
    """
    return _column(batch, "citation_entailment", "recall", "alce", 0.0)


def entailed_citation_f1_column(batch: Batch) -> ScoreColumn:
    """Harmonic mean of ALCE's citation precision and recall with a dedicated verifier's verdicts.

    Undefined: as for `citation_recall_column`.
    """
    return _column(batch, "citation_entailment", "f1", "alce", 0.0)


def unresolvable_citations_column(batch: Batch) -> ScoreColumn:
    """How many citations of an answer name nothing that was delivered. Lower is better, 0 is best.

    Marks in the text that nobody recorded are counted as well, such as ``[9]`` where eight passages were delivered,
    and links to addresses that no delivered passage has. Each counts once per sentence. No judge is needed.
    Undefined: missing where the answer or its citations were not recorded, invalid for an empty answer.
    """

    def score(row: Row) -> Score:
        gap = answer_gap(row.output)
        if gap is not None:
            return gap
        if row.output.citations is None:
            return Score.without(ScoreStatus.MISSING, "citations were not recorded")
        return Score.of(cited_answer(row.output).unresolvable)

    return batch.column(score)


def _column(batch: Batch, measure: str, figure: Figure, flavour: Flavour, partial: float) -> ScoreColumn:
    return finding_column(
        batch, measure, CitationSupport, lambda _row, found: citation_score(found, figure, flavour, partial=partial)
    )
