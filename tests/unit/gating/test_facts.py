"""What is known around a decision, and what nobody gave."""

from __future__ import annotations

from beleg.gating.facts import NO_FACTS, Facts


def test_what_nobody_gave_is_not_taken_for_nothing_there() -> None:
    assert NO_FACTS.to_json_dict() == {"decided_before": []}
    assert Facts(incidents=()) != NO_FACTS


def test_facts_have_an_address_and_the_absence_of_any_has_none() -> None:
    assert NO_FACTS.digest is None
    assert Facts(incidents=()).digest is not None
    assert Facts(incidents=()).digest != Facts(registrations=()).digest
