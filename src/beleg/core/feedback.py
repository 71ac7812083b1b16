"""What users said of answers: thumbs up or down, kept beside the run (E7)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints, field_validator

from beleg.core.case import Identifier
from beleg.core.model import StoredModel

MAX_COMMENT_CHARS = 4_000


class Rating(StrEnum):
    """What a user said of a whole answer."""

    UP = "up"
    DOWN = "down"


class Feedback(StoredModel):
    """One user on one answer of a run. It is never changed: whoever thinks otherwise later says so in another line."""

    case_id: Identifier
    """The case that was answered."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which attempt at it, counted from 0."""
    rating: Rating
    """``up`` or ``down``."""
    comment: Annotated[str, StringConstraints(min_length=1, max_length=MAX_COMMENT_CHARS)] | None = None
    """What the user wrote; leave out names and what people could be found by."""
    at: datetime
    """When it was given, with its time zone."""
    source: Identifier
    """Where it comes from, such as ``shop-widget``."""

    @field_validator("at")
    @classmethod
    def _names_its_zone(cls, at: datetime) -> datetime:
        if at.tzinfo is None:
            raise ValueError("the time names its time zone, such as 2026-12-01T08:00:00Z")
        return at


class StoredFeedback(StoredModel):
    """Feedback as it stands beside the run."""

    feedback: Feedback
    imported_at: datetime
    """When it was taken in."""
