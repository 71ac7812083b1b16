"""What is known around a decision beside the scored runs: reviews, incidents, when a policy was registered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from beleg.core.decision import Decision
from beleg.core.governance import Incident, PolicyRegistration, ReviewedClaim
from beleg.core.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a decision may rest on beside the scores. ``None`` means that nobody gave it, which is not the same as none.

    Example:
        >>> Facts().incidents is None
        True
    """

    reviews: Mapping[str, tuple[ReviewedClaim, ...]] | None = None
    """By case id: every claim of the run's sheet, with what people decided about it."""
    reviews_digest: str | None = None
    """The content address of the verdicts."""
    incidents: tuple[Incident, ...] | None = None
    """What used up the error budget."""
    registrations: tuple[PolicyRegistration, ...] | None = None
    """Which policy was registered when."""
    earlier: Decision | None = None
    """What was decided on the same run before."""
    earlier_policy: Policy | None = None
    """By which policy, where it was kept."""


NO_FACTS = Facts()
