from __future__ import annotations

from dataclasses import fields

from beleg.gating.facts import NO_FACTS


def test_what_nobody_gave_is_not_taken_for_nothing_there() -> None:
    assert all(getattr(NO_FACTS, field.name) is None for field in fields(NO_FACTS))
