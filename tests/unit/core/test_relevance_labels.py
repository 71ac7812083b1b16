"""What a label says, and what a suite keeps of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.case import Case
from beleg.core.relevance_labels import RelevanceLabel, RelevanceVerdict, question_digest


def label(**fields: Any) -> RelevanceLabel:
    given: dict[str, Any] = {
        "suite_name": "s", "suite_digest": "sha256:s", "case_id": "c", "question_digest": "sha256:q",
        "document_id": "d", "passage_id": "p", "verdict": RelevanceVerdict.PARTLY, "actor": "ada",
        "at": datetime(2026, 12, 1, tzinfo=UTC),
    }  # fmt: skip
    return RelevanceLabel(**{**given, **fields})


def test_evidence_names_the_words_where_they_are_known_and_else_the_passage() -> None:
    assert label().evidence().passage_id == "p"
    quoted = label(quote="so it is").evidence()
    assert (quoted.passage_id, quoted.quote, quoted.required) == (None, "so it is", False)


@pytest.mark.parametrize(("verdict", "grade"), [("0", 0), ("1", 1), ("3", 3), ("admissible", 1)])
def test_the_grade_of_a_verdict(verdict: str, grade: int) -> None:
    assert RelevanceVerdict(verdict).grade == grade


def test_what_is_not_relevant_quotes_nothing() -> None:
    with pytest.raises(ValidationError, match="no words that carry it"):
        label(verdict=RelevanceVerdict.NOT_RELEVANT, quote="x")


def test_another_question_is_another_digest() -> None:
    assert question_digest(Case(case_id="c", user_input="a")) != question_digest(Case(case_id="c", user_input="b"))
