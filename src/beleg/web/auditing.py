"""Noting who did what: sign-ins, reads of packs and files, tokens, overrides."""

from __future__ import annotations

from fastapi import Request

from beleg.core.access import Principal
from beleg.core.workbench_state import ApiToken, AuditAction, AuditEvent
from beleg.web.access import principal_of
from beleg.web.sessions import Sessions

MAX_TARGET_CHARS = 1_000


def note(request: Request, action: AuditAction, target: str = "") -> None:
    """Notes what the person or program behind a request does; it is on the disk before they get an answer."""
    note_of(request, principal_of(request), action, target)


def note_of(request: Request, principal: Principal, action: AuditAction, target: str = "") -> None:
    """The same where somebody is not signed in yet, or not any more."""
    sessions: Sessions = request.app.state.sessions
    token: ApiToken | None = request.state.token
    event = AuditEvent(
        at=sessions.clock(),
        actor=principal.name,
        action=action,
        target=target[:MAX_TARGET_CHARS],
        token_id=None if token is None else token.token_id,
    )
    sessions.state.note(principal.tenant, event)


def looked_at(before: int | None, actor: str, action: str) -> str:
    """Which part of the audit log somebody read, as its own line tells it.

    Example:
        >>> looked_at(200, "ada", ""), looked_at(None, "", "")
        ('before 200, actor ada', '')
    """
    parts = (("before", "" if before is None else str(before)), ("action", action), ("actor", actor))
    return ", ".join(f"{name} {value}" for name, value in parts if value)


def note_refusal(request: Request, tenant: str, name: str) -> None:
    """Notes that somebody did not get in under a name; whoever they are, it is only what they said."""
    sessions: Sessions = request.app.state.sessions
    client = request.client.host if request.client is not None else "unknown"
    said = "".join(character for character in name if character.isprintable())[:MAX_TARGET_CHARS]
    event = AuditEvent(at=sessions.clock(), actor=client, action=AuditAction.SIGN_IN_REFUSED, target=said)
    sessions.state.note(tenant, event)
