"""What is known around a decision beside the scored runs: reviews, incidents, when a policy was registered."""

from __future__ import annotations

from pydantic import Field

from beleg.core.digest import digest_of
from beleg.core.governance import DecidedBefore, Incident, PolicyRegistration, ReviewedClaim
from beleg.core.model import StoredModel


class Facts(StoredModel):
    """What a decision may rest on beside the scores. ``None`` means that nobody gave it, which is not the same as none.

    It is stored beside the decision, which names its content address: whoever decides again takes the same facts.

    Example:
        >>> Facts().incidents is None
        True
    """

    reviews: dict[str, tuple[ReviewedClaim, ...]] | None = None
    """By case id: every claim of the run's sheet, with what people decided about it."""
    reviews_digest: str | None = None
    """The content address of the verdicts."""
    incidents: tuple[Incident, ...] | None = None
    """What used up the error budget."""
    registrations: tuple[PolicyRegistration, ...] | None = None
    """Which policy was registered when."""
    decided_before: tuple[DecidedBefore, ...] = Field(default=())
    """By which other states of a policy the same run was decided before."""

    @property
    def digest(self) -> str | None:
        """The content address; ``None`` where nothing is known."""
        return None if self == NO_FACTS else digest_of(self.to_json_dict())


NO_FACTS = Facts()
