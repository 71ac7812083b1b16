"""Titles: equal in the form, alike, missing."""

from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.error_rates import TextForm
from beleg.metrics.ingestion.titles import NO_TITLE, NONE_FOUND, title_scores


@pytest.mark.parametrize(
    ("gold", "predicted", "exact", "similarity"),
    [
        ("kitten", "sitting", 0, 1 - 3 / 7),
        ("Jahresbericht\n2024", " Jahresbericht 2024", 1, 1),
        ("Cafe\u0301", "Caf\u00e9", 1, 1),
        ("Bericht", "bericht", 0, 1 - 1 / 7),
        ("Bericht", None, 0, 0),
        ("Bericht", " ", 0, 0),
    ],
)
def test_titles_are_compared_in_the_form(gold: str, predicted: str | None, exact: float, similarity: float) -> None:
    told = title_scores([gold], [predicted])
    assert told.exact.values.tolist() == [exact]
    assert told.similarity.values.tolist() == pytest.approx([similarity])


def test_case_counts_unless_the_form_folds_it() -> None:
    assert title_scores(["Bericht"], ["BERICHT"], TextForm(case_folded=True)).exact.values.tolist() == [1]


def test_a_document_without_a_title_has_no_score_and_one_that_was_not_found_has() -> None:
    told = title_scores([None, "", "A"], ["x", None, None])
    assert [told.exact.score_at(row).status for row in range(3)] == [
        ScoreStatus.NOT_APPLICABLE, ScoreStatus.NOT_APPLICABLE, ScoreStatus.SCORED,
    ]  # fmt: skip
    assert [told.similarity.score_at(row).detail for row in range(3)] == [NO_TITLE, NO_TITLE, NONE_FOUND]


def test_both_sides_are_of_the_same_documents() -> None:
    with pytest.raises(ValueError, match="shorter"):
        title_scores(["a"], [])
