"""A registration is complete or refused; other terms have another digest."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from beleg.core.filter_test import FilterRegistration

TERMS = {
    "predicate": "locale",
    "k": 10,
    "precision_gain_min": 0.02,
    "exclusion_rate_max": 0.02,
    "recall_loss_max": 0.02,
    "confidence": 0.95,
    "minimum_queries": 100,
    "seed": 7,
    "owner": "search team",
    "registered_on": "2026-11-01",
}


def read(**changes: object) -> FilterRegistration:
    return FilterRegistration.model_validate_json(json.dumps(TERMS | changes))


@pytest.mark.parametrize("field", TERMS)
def test_a_registration_that_lacks_a_term_is_refused(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        FilterRegistration.model_validate_json(json.dumps({k: v for k, v in TERMS.items() if k != field}))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("exclusion_rate_max", 0),
        ("recall_loss_max", 0),
        ("precision_gain_min", -0.01),
        ("precision_gain_min", 1),
        ("confidence", 0.5),
        ("confidence", 1),
        ("confidence", 0.9999999999999999),
        ("k", 0),
        ("minimum_queries", 1),
        ("owner", ""),
        ("predicate", "a\nb"),
        ("epsilon", 0.02),
    ],
)
def test_terms_that_could_not_decide_are_refused(field: str, value: object) -> None:
    with pytest.raises(ValidationError):
        read(**{field: value})


def test_other_terms_have_another_digest() -> None:
    assert read().digest == read().digest
    assert len({read().digest, read(exclusion_rate_max=0.05).digest, read(owner="somebody else").digest}) == 3
