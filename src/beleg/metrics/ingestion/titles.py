"""Titles and headings against those that were extracted: equal, and how alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.ingestion.error_rates import DEFAULT_FORM, TextForm

NO_TITLE = "the document has no title"
NONE_FOUND = "no title was found"


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleScores:
    """One score a document in each column.

    Attributes:
        exact: 1 if both titles are equal in the form, else 0.
        similarity: 1 less the edit distance over the length of the longer title.
    """

    exact: ScoreColumn
    similarity: ScoreColumn


def title_scores(
    gold: Sequence[str | None], predicted: Sequence[str | None], form: TextForm = DEFAULT_FORM
) -> TitleScores:
    """Compares the title of each document with the one that was extracted.

    Formula: similarity = 1 - edits / length of the longer title, in the form. A document without a title has no score,
    whatever was extracted; one with a title of which none was found scores 0, and the reason says so.

    Args:
        gold: the title of each document.
        predicted: what was extracted, in the same order.
        form: the form in which both are compared.

    Returns:
        Both columns.

    Raises:
        ValueError: if both are not of the same number.

    Example:
        >>> told = title_scores(["Annual report", None], ["Annual  report", "x"])
        >>> told.exact.values.tolist(), told.similarity.score_at(1).detail
        ([1.0], 'the document has no title')
    """
    pairs = [_pair(right, found, form) for right, found in zip(gold, predicted, strict=True)]
    return TitleScores(
        exact=ScoreColumn.from_scores(exact for exact, _ in pairs),
        similarity=ScoreColumn.from_scores(similarity for _, similarity in pairs),
    )


def _pair(gold: str | None, predicted: str | None, form: TextForm) -> tuple[Score, Score]:
    right = form.of(gold or "").strip()
    if not right:
        nothing = Score.without(ScoreStatus.NOT_APPLICABLE, NO_TITLE)
        return nothing, nothing
    found = form.of(predicted or "").strip()
    if not found:
        return Score.of(0, NONE_FOUND), Score.of(0, NONE_FOUND)
    return Score.of(float(right == found)), Score.of(Levenshtein.normalized_similarity(right, found))
