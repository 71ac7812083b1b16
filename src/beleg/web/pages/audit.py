"""The audit log: who signed in, who read packs and files, who made tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.auditing import note
from beleg.web.rendering import render
from beleg.web.sessions import Sessions

router = APIRouter()

LINES = 100
LARGEST = 2**62


@router.get("/audit")
@requires(Access.AUDIT)
def audit(request: Request, before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None) -> Response:
    """The newest lines, or those before a number; whoever looks is noted too."""
    sessions: Sessions = request.app.state.sessions
    tenant = principal_of(request).tenant
    lines = sessions.state.audit_log(tenant, before=before, limit=LINES)
    note(request, AuditAction.AUDIT_LOG_READ, "" if before is None else f"before {before}")
    older = lines[-1].number if len(lines) == LINES and lines[-1].number > 1 else None
    return render(request, "audit.html", lines=lines, older=older, is_newest=before is None)
