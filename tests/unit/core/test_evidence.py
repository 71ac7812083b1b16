"""The rules of the evidence sheet that its types enforce."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from beleg.core import evidence
from beleg.core.evidence import (
    AttributionDecision,
    AttributionVerdict,
    ClaimRow,
    Decider,
    SupportDecision,
    SupportVerdict,
)

PERSON = Decider(kind="human", name="R. Ito")
CODE = Decider(kind="code", name="citations", version="1")


def _support(**given):
    fields = {"verdict": SupportVerdict.SUPPORTED, "rationale": "The passage says so.", "decider": PERSON}
    return SupportDecision(**fields | given)


@pytest.mark.parametrize("rationale", ["", "   ", "\n\t"])
def test_no_verdict_stands_without_a_rationale(rationale):
    with pytest.raises(ValidationError):
        _support(rationale=rationale)
    with pytest.raises(ValidationError):
        AttributionDecision(verdict=AttributionVerdict.ATTACHED, rationale=rationale, decider=PERSON)


def test_not_assessable_names_what_is_missing_and_nothing_else_does():
    assert _support(verdict=SupportVerdict.NOT_ASSESSABLE, missing=("the text of p04",)).missing
    with pytest.raises(ValidationError, match="names what is missing"):
        _support(verdict=SupportVerdict.NOT_ASSESSABLE)
    with pytest.raises(ValidationError, match="names what is missing"):
        _support(missing=("the text of p04",))


def test_attribution_and_support_are_two_fields():
    row = ClaimRow.model_fields
    assert row["attribution"].annotation is AttributionDecision
    assert row["attribution"].is_required()
    assert row["support"].annotation == SupportDecision | None


def test_support_has_the_four_words_of_the_article():
    assert [verdict.value for verdict in SupportVerdict] == [
        "supported", "partially_supported", "not_supported", "not_assessable",
    ]  # fmt: skip


def test_the_sheet_holds_nothing_that_could_pass_for_a_score():
    fields = [
        name
        for model in vars(evidence).values()
        if isinstance(model, type) and model.__module__ == evidence.__name__ and hasattr(model, "model_fields")
        for name in model.model_fields
    ]
    assert fields
    assert not [name for name in fields if any(word in name for word in ("score", "rate", "mean", "share", "rating"))]


def test_a_verdict_of_a_person_says_what_they_had_seen():
    decided = _support(condition=evidence.Condition.BLIND, decided_at=datetime(2026, 1, 1, tzinfo=UTC))
    assert SupportDecision.model_validate_json(decided.model_dump_json()) == decided
