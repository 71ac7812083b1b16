"""Who asks, for programs that want to know what their token lets them do."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from beleg.core.access import GRANTS, Access
from beleg.core.workbench_state import ApiToken
from beleg.web.access import principal_of, requires
from beleg.web.api.base import Asked, Told
from beleg.web.api.operations import API, operation, tell

router = APIRouter(prefix=API, tags=["Identity"])


class IdentityTold(Told):
    """The program behind the token."""

    name: str
    """As reviews and the audit log name it."""
    tenant: str
    """Whose project it sees."""
    roles: tuple[str, ...]
    """What it is to the project: ``reviewer``, ``owner`` or ``auditor``."""
    grants: tuple[Access, ...]
    """What these roles let it do."""
    expires_at: datetime | None
    """When its token ends."""


@router.get("/whoami")
@requires(Access.READ)
@operation("who_am_i", IdentityTold)
def whoami(request: Request, asked: Annotated[Asked, Query()]) -> Response:
    """The name, tenant and roles behind the token, and when it ends."""
    principal = principal_of(request)
    token: ApiToken | None = request.state.token
    granted = {access for role in principal.roles for access in GRANTS[role]}
    found = {
        "name": principal.name,
        "tenant": principal.tenant,
        "roles": sorted(role.value for role in principal.roles),
        "grants": sorted(granted),
        "expires_at": None if token is None else token.expires_at,
    }
    return tell(request, asked, found)
