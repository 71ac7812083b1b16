"""What may leave a sealed suite is a closed list of figures."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from beleg.core.sealed import LEAST_CASES, SealTerms, ToldCheck, ToldDecision
from beleg.core.suite import SuiteHeader

FREE_TEXT_OF_CASES = {"reason", "worst_cases", "headline", "lost_cases", "waterfall", "case_ids", "traces_digest"}


def test_nothing_that_is_told_can_name_or_quote_a_case() -> None:
    assert not FREE_TEXT_OF_CASES & (ToldCheck.model_fields.keys() | ToldDecision.model_fields.keys())
    with pytest.raises(ValidationError):
        ToldCheck.model_validate_json('{"check_id":"a","kind":"band","state":"pass","worst_cases":["c1"]}')


def test_a_seal_cannot_ask_for_less_than_the_least() -> None:
    fields = {"header": SuiteHeader(name="h"), "suite_digest": "d", "cases": 40, "recipient": "ab" * 32}
    assert SealTerms.model_validate(fields).minimum_cases == LEAST_CASES
    with pytest.raises(ValidationError):
        SealTerms.model_validate({**fields, "minimum_cases": LEAST_CASES - 1})
