"""An override as reports show it: who let what pass, why, until when (P6)."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.model import StoredModel


class OverrideNote(StoredModel):
    """What an override says. Whether its signatures count is for the controller to say, who has the trust file."""

    owner: ShortText
    """Who answers for it."""
    reason: LongText
    """Why it may pass nevertheless."""
    ticket: ShortText
    """Where it is followed up."""
    compensating_control: LongText
    """What protects users in the meantime."""
    checks: tuple[Identifier, ...]
    """The checks that it covers."""
    environment: Identifier
    """Where it holds."""
    issued_at: datetime
    """When it was signed."""
    expires_at: datetime
    """When it ends."""
    signatures: Annotated[int, Field(ge=1)]
    """By how many keys it is signed."""

    def is_over(self, at: datetime) -> bool:
        """Whether it lets nothing through any more."""
        return at >= self.expires_at

    def hours_left(self, at: datetime) -> float:
        """The hours until it ends; 0 once it has."""
        return max(0.0, (self.expires_at - at).total_seconds() / 3_600)
