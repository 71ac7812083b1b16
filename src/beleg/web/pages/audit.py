"""The audit log: who signed in, who read packs and files, who made tokens."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.core.access import Access
from beleg.core.workbench_state import AuditAction
from beleg.web.access import principal_of, requires
from beleg.web.auditing import looked_at, note
from beleg.web.rendering import render
from beleg.web.sessions import Sessions

router = APIRouter()

LINES = 100
LARGEST = 2**62
MAX_ACTOR_CHARS = 512


@router.get("/audit")
@requires(Access.AUDIT)
def audit(
    request: Request,
    before: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
    actor: Annotated[str, Query(max_length=MAX_ACTOR_CHARS)] = "",
    action: AuditAction | Literal[""] = "",
) -> Response:
    """The newest lines, or those before a number, of everybody or one actor or action; whoever looks is noted too."""
    sessions: Sessions = request.app.state.sessions
    tenant, actor = principal_of(request).tenant, actor.strip()
    lines = sessions.state.audit_log(tenant, before=before, actor=actor or None, action=action or None, limit=LINES)
    note(request, AuditAction.AUDIT_LOG_READ, looked_at(before, actor, action))
    chosen = {name: value for name, value in (("actor", actor), ("action", str(action))) if value}
    older = None
    if len(lines) == LINES and lines[-1].number > 1:
        older = f"/audit?{urlencode({'before': lines[-1].number, **chosen})}"
    newest = f"/audit?{urlencode(chosen)}" if chosen else "/audit"
    return render(
        request,
        "audit.html",
        lines=lines,
        older=older,
        newest=None if before is None else newest,
        actor=actor,
        action=str(action),
        actions=tuple(AuditAction),
    )
