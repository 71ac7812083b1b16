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
from beleg.core.locators import Span

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


def _row(**given):
    decided = AttributionDecision(verdict=AttributionVerdict.MISSING, rationale="No mark.", decider=CODE)
    fields = {
        "case_id": "c", "answer_id": "A-c", "claim_id": "C-c-1", "text": "so", "answer_digest": "sha256:0",
        "spans": (Span(start=0, end=2),), "attribution": decided,
    }  # fmt: skip
    return ClaimRow(**fields | given)


def test_a_row_holds_what_machines_propose_and_never_what_a_person_decided():
    assert _row(support=_support(decider=CODE)).support
    with pytest.raises(ValidationError, match="review ledger"):
        _row(support=_support(decider=PERSON))


@pytest.mark.parametrize("spans", [((0, 2), (1, 4)), ((4, 6), (0, 2)), ((3, 3),), ()])
def test_the_words_of_a_row_stand_in_order_and_without_overlap(spans):
    with pytest.raises(ValidationError):
        _row(spans=tuple(Span(start=start, end=end) for start, end in spans))
