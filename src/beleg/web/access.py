"""Who may ask for what: every route says it, and a route that does not is never served."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from fastapi import APIRouter, HTTPException, Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from beleg.app.workbench.tokens import open_token
from beleg.core.access import Access, Principal
from beleg.core.workbench_state import ApiToken, OpenSession
from beleg.web.problems import API_PREFIX
from beleg.web.sessions import Sessions

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

FORM_FIELD = "form_token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_DECLARED = "__access__"


def requires(access: Access) -> Callable[[Endpoint], Endpoint]:
    """Says what an endpoint asks for."""

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _DECLARED, access)
        return endpoint

    return declare


def declared(route: APIRoute) -> Access:
    """What a route asks for.

    Raises:
        LookupError: if it does not say.
    """
    access: Access | None = getattr(route.endpoint, _DECLARED, None)
    if access is None:
        raise LookupError(f"{route.path} does not say who may ask for it: add @requires(Access.…)")
    return access


def served_routes(routers: Sequence[APIRouter]) -> list[APIRoute]:
    """Every route of some routers.

    Raises:
        LookupError: if one does not say who may ask for it, or is of a kind that cannot, such as a mounted folder.
    """
    every = [route for router in routers for route in router.routes]
    strange = [route for route in every if not isinstance(route, APIRoute)]
    if strange:
        raise LookupError(f"{strange[0]} is no route that could say who may ask for it")
    found = [route for route in every if isinstance(route, APIRoute)]
    for route in found:
        declared(route)
    return found


def session_cookie(request: Request) -> str:
    """The name of the cookie; with HTTPS it is one that no other host can set."""
    return "__Host-beleg" if request.app.state.settings.is_secure else "beleg-session"


def is_api(request: Request) -> bool:
    """Whether a program asks: by a token, in JSON, and never by the cookie of a browser."""
    return request.url.path.startswith(API_PREFIX)


def session_of(request: Request) -> OpenSession:
    """The session behind a request for a page that the guard let through."""
    session: OpenSession | None = request.state.session
    if session is None:
        raise HTTPException(401)
    return session


def principal_of(request: Request) -> Principal:
    """The person or program behind a request that the guard let through."""
    principal: Principal | None = request.state.principal
    if principal is None:
        raise HTTPException(401)
    return principal


async def guard(request: Request) -> None:
    """Lets a request through where its person or program may ask for the route.

    Pages know the cookie alone and routes for programs the token alone: a browser cannot be made to ask the latter in
    somebody's name, and a form must come from a page of ours.

    Raises:
        HTTPException: 401 where nobody is known, 403 where they may not, or another site sent the form.
    """
    request.state.session = request.state.token = request.state.principal = None
    route = request.scope.get("route")
    access = declared(route) if isinstance(route, APIRoute) else None
    if is_api(request):
        await run_in_threadpool(_know_program, request)
    else:
        await run_in_threadpool(_know_person, request)
    if access is None:
        raise HTTPException(403)
    principal: Principal | None = request.state.principal
    if access is not Access.PUBLIC:
        if principal is None:
            raise HTTPException(401)
        if not principal.may(access):
            raise HTTPException(403, detail=access.value)
    if request.method not in SAFE_METHODS and not is_api(request):
        await _require_own_form(request, request.state.session)


def _know_person(request: Request) -> None:
    sessions: Sessions = request.app.state.sessions
    session = sessions.find(request.cookies.get(session_cookie(request)))
    if session is not None and session.principal.tenant in request.app.state.installation.tenants:
        request.state.session, request.state.principal = session, session.principal


def _know_program(request: Request) -> None:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return
    sessions: Sessions = request.app.state.sessions
    token: ApiToken | None = open_token(sessions.state, given.strip(), sessions.clock())
    if token is not None and token.tenant in request.app.state.installation.tenants:
        request.state.token, request.state.principal = token, token.principal


async def _require_own_form(request: Request, session: OpenSession | None) -> None:
    fetched_from = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if fetched_from not in (None, "same-origin", "none"):
        raise HTTPException(403, detail="another site")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise HTTPException(403, detail="another site")
    if session is None:
        return
    given = request.headers.get("x-form-token") or (await request.form()).get(FORM_FIELD)
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), session.form_token.encode()):
        raise HTTPException(403, detail="form token")
