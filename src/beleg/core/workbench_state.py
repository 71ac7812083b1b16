"""What the workbench remembers beside runs: who is signed in, who may be, programs with a token, and who read what.

Everything belongs to one tenant, and each call names it: nothing here can be asked for across tenants.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import Field, StringConstraints

from beleg.core.access import Principal, Role
from beleg.core.case import Identifier
from beleg.core.model import StoredModel

TenantName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""Short and plain, since it stands in cookies, tokens and addresses."""
SecretHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""The SHA-256 of something random: what is stored of it can open nothing."""

PROGRAM = "program:"
"""Begins the names of programs; the name of no person does."""
LOCAL_TENANT = "local"
"""The one tenant of a workbench on a laptop."""


class OpenSession(StoredModel):
    """A person who has signed in."""

    principal: Principal
    form_token: str = Field(repr=False)
    """What every form of theirs carries, so that no other site can send one for them."""
    began_at: datetime
    seen_at: datetime


class ApiToken(StoredModel):
    """A program that may ask; the secret is told once and only its hash is kept."""

    token_id: Identifier
    """By which it is named and revoked; it opens nothing."""
    tenant: TenantName
    label: Identifier
    """What it is for. Where that is its maker's own name, the program acts as they do."""
    roles: frozenset[Role]
    created_by: Identifier
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_open(self, at: datetime) -> bool:
        """Whether it lets somebody in at a moment."""
        return self.revoked_at is None and at < self.expires_at

    @property
    def principal(self) -> Principal:
        """The program as routes, reviews and the audit log name it: never like a person who did not make it."""
        name = self.label if self.label == self.created_by else f"{PROGRAM}{self.label}"
        return Principal(name=name, tenant=self.tenant, roles=self.roles)


class Account(StoredModel):
    """A person with a password of this workbench; only where the settings allow it."""

    tenant: TenantName
    name: Identifier
    roles: frozenset[Role]
    password_hash: str = Field(repr=False)
    """With its salt and cost, as the hashing writes it."""
    created_at: datetime
    is_disabled: bool = False


class AuditAction(StrEnum):
    """What the audit log notes."""

    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGNED_OUT = "signed_out"
    PACK_READ = "pack_read"
    """An audit pack, or the evidence sheet of a run, was handed out."""
    DECISION_FILE_READ = "decision_file_read"
    TOKEN_CREATED = "token_created"  # noqa: S105 - the name of an event
    TOKEN_REVOKED = "token_revoked"  # noqa: S105 - the name of an event
    ACCOUNT_CREATED = "account_created"
    ACCOUNT_CHANGED = "account_changed"
    OVERRIDE_ASKED = "override_asked"
    OVERRIDE_SIGNED = "override_signed"
    AUDIT_LOG_READ = "audit_log_read"


class AuditEvent(StoredModel):
    """One line of the audit log; it is added and never changed."""

    at: datetime
    """When."""
    actor: Identifier
    """Who did it."""
    action: AuditAction
    """What was done."""
    target: Annotated[str, StringConstraints(max_length=1_000)] = ""
    """What it was done to, such as the name of a run and a file."""
    token_id: Identifier | None = None
    """The token of the program that did it; ``None`` for a person."""


class NumberedAuditEvent(StoredModel):
    """A line of the audit log with its place."""

    number: Annotated[int, Field(ge=1)]
    """Its place, counted from 1."""
    event: AuditEvent
    """What was noted."""


class WorkbenchState(Protocol):
    """Where all of that is kept."""

    def begin_session(self, tenant: str, key: str, session: OpenSession) -> None:
        """Keeps a session under the hash of its id."""

    def session(self, tenant: str, key: str) -> OpenSession | None:
        """The session under a hash."""

    def see_session(self, tenant: str, key: str, at: datetime) -> None:
        """Notes that a session was used."""

    def end_session(self, tenant: str, key: str) -> None:
        """Forgets a session; one that is not there stays so."""

    def forget_sessions(self, tenant: str, *, seen_before: datetime, began_before: datetime) -> None:
        """Forgets the sessions that are over by either limit."""

    def end_sessions_of(self, tenant: str, name: str) -> None:
        """Forgets every session of a person, as when their account is disabled."""

    def create_token(self, token: ApiToken, secret_hash: str) -> None:
        """Keeps a token under the hash of its secret."""

    def token(self, tenant: str, secret_hash: str) -> ApiToken | None:
        """The token under a hash, whether it still opens anything or not."""

    def tokens(self, tenant: str) -> tuple[ApiToken, ...]:
        """Every token, the newest first."""

    def see_token(self, tenant: str, token_id: str, at: datetime) -> None:
        """Notes that a token was used."""

    def revoke_token(self, tenant: str, token_id: str, at: datetime) -> ApiToken | None:
        """Takes a token back, once; ``None`` where there is none."""

    def put_account(self, account: Account) -> None:
        """Keeps an account in place of the one with its name."""

    def account(self, tenant: str, name: str) -> Account | None:
        """The account with a name."""

    def accounts(self, tenant: str) -> tuple[Account, ...]:
        """Every account by name."""

    def note(self, tenant: str, event: AuditEvent) -> None:
        """Adds a line to the audit log."""

    def audit_log(
        self,
        tenant: str,
        *,
        before: int | None = None,
        actor: str | None = None,
        action: AuditAction | None = None,
        limit: int = 100,
    ) -> tuple[NumberedAuditEvent, ...]:
        """The newest lines, or the newest before a number; those of one actor or action where they are named."""

    def close(self) -> None:
        """Lets go of files and connections."""
