"""How similar an answer is to a reference in the space of an embedding model (A2, A6)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from beleg.core.errors import ConfigError, Problem, shown
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

Cosine = Annotated[float, Field(ge=-1.000001, le=1.000001)]

BERT_PARTS = ("f1", "precision", "recall")


class SimilarTo(StoredModel):
    """One reference and how similar the answer is to it."""

    reference: str
    """The reference."""
    similarity: Cosine
    """Cosine similarity of the two vectors."""
    flags: tuple[str, ...] = ()
    """What of the reference's numbers, negations and names the answer does not carry."""


class AnswerSimilarity(StoredModel):
    """The evidence of the measure ``answer_similarity``."""

    embedder: str
    """The model that gave the vectors."""
    references: Annotated[tuple[SimilarTo, ...], Field(min_length=1)]


class MatchedTo(StoredModel):
    """One reference with the BERTScore of the answer against it."""

    reference: str
    """The reference."""
    precision: Cosine
    """Mean best similarity over the tokens of the answer."""
    recall: Cosine
    """Mean best similarity over the tokens of the reference."""
    flags: tuple[str, ...] = ()
    """What of the reference's numbers, negations and names the answer does not carry."""

    @property
    def f1(self) -> float:
        """Harmonic mean of both, 0 where their sum is not above 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0


class TokenSimilarity(StoredModel):
    """The evidence of the measure ``bert_score``."""

    embedder: str
    """The model that gave the vectors."""
    references: Annotated[tuple[MatchedTo, ...], Field(min_length=1)]


def semantic_similarity(found: AnswerSimilarity) -> Score:
    """Cosine similarity of answer and most similar reference, with what the answer's facts lack as detail.

    Same definition as Ragas' SemanticSimilarity where the case has one reference; of several accepted answers the most
    similar one counts. Range: -1 to 1, higher is better. It is similarity and no correctness: a negation or a wrong
    number hardly lowers it, so read it beside the flags and never alone. Undefined: without a reference, and for a case
    that expects a refusal.

    Example:
        >>> one = SimilarTo(reference="It is effective.", similarity=0.98, flags=("negation",))
        >>> semantic_similarity(AnswerSimilarity(embedder="m", references=(one,))).detail
        'negation'
    """
    best = max(found.references, key=lambda each: each.similarity)
    return _scored(best.similarity, best.flags)


def bert_score_of(found: TokenSimilarity, *, part: str = "f1", baseline: float = 0.0) -> Score:
    """BERTScore against the best reference, rescaled by (x - baseline) / (1 - baseline).

    Source: Zhang et al. 2020. Range: up to 1; without a baseline from -1. Higher is better.
    Undefined: without a reference, for a case that expects a refusal, and where the model gives no vectors of tokens.

    Args:
        found: precision and recall against each reference.
        part: ``f1``, ``precision`` or ``recall``; the reference with the best F1 counts for each.
        baseline: the mean score of unrelated texts in the same model, 0 for none.

    Example:
        >>> one = MatchedTo(reference="r", precision=0.9, recall=0.9)
        >>> round(bert_score_of(TokenSimilarity(embedder="m", references=(one,)), baseline=0.8).value, 6)
        0.5
    """
    stretched = [
        each.model_copy(update={side: (getattr(each, side) - baseline) / (1 - baseline) for side in BERT_PARTS[1:]})
        for each in found.references
    ]
    best = max(stretched, key=lambda each: each.f1)
    return _scored(float(getattr(best, part)), best.flags)


def semantic_similarity_column(batch: Batch) -> ScoreColumn:
    """`semantic_similarity` of every row.

    Undefined: where the case has no reference answer; missing where no embedding model was asked.
    """
    return finding_column(batch, "answer_similarity", AnswerSimilarity, lambda _row, found: semantic_similarity(found))


def bert_score_column(batch: Batch, *, part: str = "f1", baseline: str = "0") -> ScoreColumn:
    """`bert_score_of` every row; missing where no embedding model was asked.

    Raises:
        ConfigError: for a baseline that does not lie from -1 to below 1.
    """
    try:
        stretch = float(baseline)
    except ValueError:
        stretch = 1.0
    if not -1.0 <= stretch < 1.0:
        raise ConfigError(
            Problem(
                message="the baseline lies from -1 to below 1",
                field="baseline",
                value=shown(baseline),
                remedy="Give the mean score of unrelated texts, such as bert_score(baseline=0.83)",
            )
        )
    return finding_column(
        batch, "bert_score", TokenSimilarity, lambda _row, found: bert_score_of(found, part=part, baseline=stretch)
    )


def _scored(value: float, flags: tuple[str, ...]) -> Score:
    # Unit vectors of single precision may be a rounding longer than 1.
    return Score.of(min(1.0, value), "; ".join(flags) or None)
