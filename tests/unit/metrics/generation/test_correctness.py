from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.correctness import (
    MatchedStatement,
    StatementMatch,
    answer_correctness,
    statement_f1,
)


@pytest.mark.parametrize(
    ("counts", "expected"), [((2, 1, 1), 2 / 3), ((0, 3, 2), 0.0), ((3, 0, 0), 1.0), ((1, 0, 3), 0.4), ((0, 0, 2), 0.0)]
)
def test_worked_values(counts: tuple[int, int, int], expected: float) -> None:
    assert statement_f1(*counts).value == pytest.approx(expected)


def test_without_any_statement_there_is_no_score_where_ragas_gives_1() -> None:
    assert statement_f1(0, 0, 0).status is ScoreStatus.NO_CLAIMS
    assert answer_correctness(StatementMatch(statements=(), similarity=1.0)).status is ScoreStatus.NO_CLAIMS


def test_a_wrong_number_shows_in_the_statements_and_hardly_in_the_whole() -> None:
    wrong = (
        MatchedStatement(side="answer", statement="Returns take 60 days.", label="fp"),
        MatchedStatement(side="reference", statement="Returns take 30 days.", label="fn"),
    )
    found = StatementMatch(statements=wrong, similarity=0.98, embedder="e")
    assert found.f1().value == 0.0
    assert answer_correctness(found).value == pytest.approx(0.245)


def test_without_an_embedding_model_there_is_no_whole() -> None:
    said = (MatchedStatement(side="answer", statement="s", label="tp"),)
    assert answer_correctness(StatementMatch(statements=said)).status is ScoreStatus.MISSING


def test_a_cosine_beyond_1_is_refused() -> None:
    with pytest.raises(ValidationError):
        StatementMatch(statements=(), similarity=1.2, embedder="e")
