"""What a deployment controller answers, and what it remembers from one deployment to the next (P5, P6)."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from beleg.core.attestation import AdmissionReason, Counter, Instant, Sha256Hex
from beleg.core.case import Identifier, ShortText
from beleg.core.decision import EXIT_CODES, EXIT_UNDECIDED, Verdict
from beleg.core.model import StoredModel


class SeenDecision(StoredModel):
    """A decision that a controller has acted on."""

    sequence: Counter
    """Nothing below it counts any more."""
    statement: Sha256Hex
    """SHA-256 of its payload: another one under the same sequence is refused."""


class EnvironmentMemory(StoredModel):
    """What a controller remembers of one environment."""

    admitted: SeenDecision | None = None
    """The newest decision by which something was let in."""
    held_back: dict[Sha256Hex, SeenDecision] = Field(default_factory=dict)
    """By the digest of a candidate: the newest decision by which it was not let in. It binds this candidate alone, so
    that what is running now can be rolled out again after another one was blocked."""


class ControllerState(StoredModel):
    """What a controller remembers, so that nobody can bring back what was replaced."""

    trust_version: Counter | None = None
    """The highest version of a trust file seen; ``None`` before the first."""
    trust_payload: Sha256Hex | None = None
    """SHA-256 of the payload of that trust file."""
    environments: dict[Identifier, EnvironmentMemory] = Field(default_factory=dict)
    """By environment."""


class StatementKind(StrEnum):
    """What an envelope turned out to hold."""

    DECISION = "decision"
    OVERRIDE = "override"


class EnvelopeFinding(StoredModel):
    """What became of one envelope."""

    name: ShortText
    """The file that it stood in."""
    kind: StatementKind | None = None
    """``None`` where its signature does not count, so that nobody may ask what it says."""
    statement: Sha256Hex | None = None
    """SHA-256 of its payload; ``None`` where it is no envelope at all."""
    refused: AdmissionReason | None = None
    """Why it counts for nothing; ``None`` where it counts."""


class Waiver(StoredModel):
    """The override that let a candidate in."""

    owner: ShortText
    """Who answers for it."""
    reason: str
    """Why, in the owner's words."""
    ticket: ShortText
    """Where it is followed up."""
    compensating_control: str
    """What is done instead."""
    checks: tuple[Identifier, ...]
    """What it lets pass."""
    expires_at: Instant
    """Until when it counts."""
    statement: Sha256Hex
    """SHA-256 of its payload."""


class Admission(StoredModel):
    """May this candidate be deployed here and now?"""

    admitted: bool
    """Only ``True`` deploys."""
    reason: AdmissionReason
    """Why, in one word that is the same in every implementation."""
    subject: Sha256Hex
    """The digest of what is about to be deployed."""
    environment: Identifier
    """Where to."""
    at: Instant
    """When it was asked."""
    trust_version: Counter | None = None
    """The version of the trust file; ``None`` where it was refused."""
    decision: Verdict | None = None
    """What the decision in force says; ``None`` where there is none."""
    statement: Sha256Hex | None = None
    """SHA-256 of the payload of the newest decision on this candidate."""
    sequence: Counter | None = None
    """Its sequence."""
    issued_at: Instant | None = None
    """When it was signed."""
    not_before: Instant | None = None
    """From when on it counts."""
    expires_at: Instant | None = None
    """Until when it counts."""
    waiver: Waiver | None = None
    """The override that let the candidate in; ``None`` where none was needed or none counts."""
    envelopes: tuple[EnvelopeFinding, ...] = ()
    """What became of each envelope, in the order given."""

    @property
    def exit_code(self) -> int:
        """0 where admitted; 10 or 20 where a decision in force says REVIEW or BLOCK; 30 for everything else."""
        if self.admitted:
            return 0
        return EXIT_UNDECIDED if self.decision in (None, Verdict.PASS) else EXIT_CODES[self.decision]
