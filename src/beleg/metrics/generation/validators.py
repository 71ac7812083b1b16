"""Checks that need no judge and cost nothing: they run first and can block at once (A10)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row
from beleg.metrics.generation.refusal import answer_gap, refused


def empty_retrieval_column(batch: Batch) -> ScoreColumn:
    """1 when no passage reached the answer, else 0. Lower is better.

    It looks at the last ranked list there is: delivered, else reranked, else retrieved.
    Undefined: never for an attempt that ended well.
    """
    return batch.column(lambda row: Score.of(float(not row.output.final_passages())))


def missing_citations_column(batch: Batch) -> ScoreColumn:
    """1 when a question was answered without any citation, else 0; a refusal needs none. Lower is better.

    Undefined: missing where the answer or its citations were not recorded, invalid for an empty answer.
    """
    return batch.column(_missing_citations)


def _missing_citations(row: Row) -> Score:
    declined = refused(row.output, language=row.case.language)
    if isinstance(declined, Score):
        # Where nobody can tell whether it declines, a citation still settles the question.
        is_settled = answer_gap(row.output) is None and declined.status is ScoreStatus.MISSING and row.output.citations
        return Score.of(0.0) if is_settled else declined
    if declined:
        return Score.of(0.0)
    if row.output.citations is None:
        return Score.without(ScoreStatus.MISSING, "citations were not recorded")
    return Score.of(float(not row.output.citations))
