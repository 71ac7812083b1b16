"""Stopping as soon as a decision is settled: what a policy fixes before the first look, and what looks showed (P7)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.model import StoredModel

LEAST_STEP = 0.02
"""Looks closer together than this share of the cases tell nothing new."""


class SequentialPlan(StoredModel):
    """At which shares of the cases judged metrics are looked at, and how the allowed error is spread over the looks."""

    looks: Annotated[tuple[Annotated[float, Field(gt=0, le=1)], ...], Field(min_length=2, max_length=20)] = (
        0.2, 0.4, 0.6, 0.8, 1.0,
    )  # fmt: skip
    """The share of the cases that is judged at each look; the last one is all of them."""
    spending: Literal["pocock", "obrien_fleming"] = "pocock"
    """``pocock`` spends the error about evenly and stops earlier, ``obrien_fleming`` stops early only for what is
    overwhelming and loses less power at the end."""
    zero_tolerance: Literal["all", "judged"] = "all"
    """Whether a judged count that must be 0 passes only when all cases were judged, or over those that were."""

    @model_validator(mode="after")
    def _rises_to_all(self) -> Self:
        steps = [later - earlier for earlier, later in zip((0.0, *self.looks), self.looks, strict=False)]
        if self.looks[-1] != 1.0 or min(steps) < LEAST_STEP - 1e-9:
            raise ValueError(f"looks rise by {LEAST_STEP:g} or more and end with 1.0")
        return self


class LookTaken(StoredModel):
    """What one look showed."""

    number: Annotated[int, Field(ge=1)]
    """Which look it was, counted from 1."""
    cases: Annotated[int, Field(ge=0)]
    """How many cases had been judged by then."""
    passed: Annotated[int, Field(ge=0)]
    """How many judged checks passed at the level of this look."""
    failed: Annotated[int, Field(ge=0)]
    """How many failed."""
    open: Annotated[int, Field(ge=0)]
    """How many were not settled."""


class SequentialRecord(StoredModel):
    """The looks that led to a decision; anybody can take them again from the stored rows."""

    plan: SequentialPlan
    """What the policy fixed."""
    order_digest: str
    """The content address of the order in which cases are judged; it follows from the suite and the policy's seed."""
    looks: tuple[LookTaken, ...]
    """Every look that was taken, in order."""
    planned_cases: tuple[int, ...]
    """How many cases each planned look holds."""
    outcome: Literal["settled", "exhausted", "waiting", "pointless"]
    """``settled`` at the last look taken; ``exhausted`` after all looks; ``waiting`` for cases that are not judged yet;
    ``pointless`` where judging more cannot settle anything."""
    cases_saved: Annotated[int, Field(ge=0)]
    """How many cases need not be judged."""
