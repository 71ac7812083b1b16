"""How much of the reference answer the delivered passages hold, from a judge's verdict on each sentence (A2)."""

from __future__ import annotations

from beleg.core.case import Identifier
from beleg.core.findings import Quote
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column


class ReferenceSentence(StoredModel):
    """The verdict on one sentence of the reference answer."""

    sentence_id: Identifier
    sentence: str
    attributed: bool
    """Whether a delivered passage says it."""
    quotes: tuple[Quote, ...] = ()
    """The words that say it."""
    reason: str | None = None
    """Why, in the judge's words."""


class ReferenceAttribution(StoredModel):
    """The evidence of the measure ``reference_attribution``: every sentence of the reference answer."""

    sentences: tuple[ReferenceSentence, ...]


def context_recall(found: ReferenceAttribution) -> Score:
    """Share of the sentences of the reference answer that the delivered passages hold.

    Formula: attributed sentences / all sentences, as Ragas' ContextRecall; here the sentences are split before the
    judge is asked, so that none can go missing. Range: 0 to 1, higher is better; 0 where nothing was delivered.
    Undefined (``not_applicable``) for a reference without a sentence.

    Example:
        >>> held = [ReferenceSentence(sentence_id=str(i), sentence="s", attributed=i < 3) for i in range(4)]
        >>> context_recall(ReferenceAttribution(sentences=tuple(held))).value
        0.75
    """
    if not found.sentences:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the reference answer holds no sentence")
    return Score.of(sum(sentence.attributed for sentence in found.sentences) / len(found.sentences))


def context_recall_column(batch: Batch) -> ScoreColumn:
    """`context_recall` of every row.

    Undefined: where the case has no reference answer; missing where no judge was asked.
    """
    return finding_column(
        batch, "reference_attribution", ReferenceAttribution, lambda _row, found: context_recall(found)
    )
