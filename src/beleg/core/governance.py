"""What is known around a decision: incidents, registered policies, reviewed claims, waiting cases."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import AwareDatetime, Field

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.decision import CheckState, Sentence, Verdict
from beleg.core.evidence import SupportVerdict
from beleg.core.model import StoredModel
from beleg.core.policy import Policy


class IncidentKind(StrEnum):
    """What used up a part of the error budget."""

    FAILED_RELEASE = "failed_release"
    INCIDENT = "incident"


class Incident(StoredModel):
    """One line of the file of incidents."""

    at: AwareDatetime
    """When it happened."""
    kind: IncidentKind
    """A release that had to be taken back, or any other incident."""
    note: LongText
    """What happened, in words."""
    weight: Annotated[float, Field(gt=0)] = 1.0
    """How much of the budget it uses up."""
    reference: ShortText | None = None
    """Where more stands, such as a ticket or a run."""


class PolicyRegistration(StoredModel):
    """One line of the file of registered policies: which policy was known when."""

    policy: Identifier
    """The name of the policy."""
    version: int
    """Its version."""
    digest: Identifier
    """Its content address."""
    at: AwareDatetime
    """When it was registered."""
    content: Policy | None = None
    """The policy itself, so that a later one can be compared with it bar by bar."""


class DecidedBefore(StoredModel):
    """One line of the record of policies that a run was decided by, of each state the first decision."""

    policy: Identifier
    """The name of the policy."""
    version: int
    """Its version."""
    digest: Identifier
    """Its content address."""
    at: AwareDatetime
    """When it decided."""
    verdict: Verdict
    """What it said."""
    content: Policy | None = None
    """The policy itself, so that a later one can be compared with it bar by bar."""


class ReviewedClaim(StoredModel):
    """What people said about one claim of a run, together with what the claim says."""

    case_id: Identifier
    claim_id: Identifier
    wording: tuple[str, ...]
    """The claim as it stands in the answer, and as a judge was asked about it."""
    verdict: SupportVerdict | None = None
    """The verdict of people; ``None`` where nobody decided, or they differ and nobody settled it."""
    is_disputed: bool = False
    """Whether people differ and nobody settled it."""
    is_stale: bool = False
    """Whether the verdict was given on another wording or other evidence than the sheet holds now."""


class QueueItem(StoredModel):
    """One case that waits for a person."""

    owner: ShortText | None = None
    """Whose queue it stands in; ``None`` where the policy names nobody."""
    check: Identifier
    """The check that is open."""
    state: CheckState
    """How the check ended."""
    case: Identifier | None = None
    """The case to look at; ``None`` where the check is about no single case."""
    why: Sentence
    """What was found."""
    remedy: Sentence | None = None
    """What would change the decision."""
    review_by: date | None = None
    """The day by which the threshold is looked at again anyway."""
