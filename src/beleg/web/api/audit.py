"""The audit log for programs: who signed in, who read packs and files, who made tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction, NumberedAuditEvent
from beleg.web.access import principal_of, requires
from beleg.web.api.base import Asked, Limit, Told
from beleg.web.api.operations import API, operation, tell
from beleg.web.auditing import looked_at, note
from beleg.web.sessions import Sessions

router = APIRouter(prefix=API, tags=["Audit"])

LARGEST = 2**62


class AuditAsked(Asked):
    """A part of the audit log."""

    before: Annotated[int, Field(ge=1, le=LARGEST)] | None = None
    """Only lines with a lower number; the newest where it is left out."""
    actor: Annotated[str, Field(min_length=1, max_length=512)] | None = None
    """Only what this person or program did, named to the letter."""
    action: AuditAction | None = None
    """Only lines of this kind."""
    limit: Limit = 100
    """How many lines at most."""


class AuditLogTold(Told):
    """A part of the audit log."""

    lines: tuple[NumberedAuditEvent, ...]
    """The newest first."""
    before: int | None
    """The number to ask on with; ``None`` where there is nothing older."""


@router.get("/audit")
@requires(Access.AUDIT)
@operation("list_audit_log", AuditLogTold, asks=AuditAsked)
def audit(request: Request, asked: Annotated[AuditAsked, Query()]) -> Response:
    """The newest lines of the audit log, or those before a number; whoever looks is noted too."""
    sessions: Sessions = request.app.state.sessions
    lines = sessions.state.audit_log(
        principal_of(request).tenant,
        before=asked.before,
        actor=asked.actor,
        action=asked.action,
        limit=asked.limit,
    )
    note(request, AuditAction.AUDIT_LOG_READ, looked_at(asked.before, asked.actor or "", asked.action or ""))
    is_more = len(lines) == asked.limit and lines[-1].number > 1
    return tell(request, asked, {"lines": lines, "before": lines[-1].number if is_more else None})
