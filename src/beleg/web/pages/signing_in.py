"""Signing in and out, and the files that every page needs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from beleg.app.workbench.accounts import signed_in_by_password
from beleg.core.access import Access, Principal
from beleg.core.workbench_state import AuditAction
from beleg.web.access import requires, session_cookie
from beleg.web.auditing import note, note_of, note_refusal
from beleg.web.rendering import render, static_files
from beleg.web.sessions import Sessions

router = APIRouter()
MAX_TOKEN_CHARS = 200
START_TOKEN = "the start token"  # noqa: S105 - what failures are counted under


@router.get("/static/{name}")
@requires(Access.PUBLIC)
def static_file(name: str) -> Response:
    """A style sheet or script; its name holds its hash, so that it may be kept for good."""
    found = static_files().get(name)
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    text, kind = found
    return Response(text, media_type=kind, headers={"cache-control": "public, max-age=31536000, immutable"})


@router.get("/sign-in")
@requires(Access.PUBLIC)
def sign_in_page(request: Request, to: str = "/", token: str = "", out: str = "") -> Response:
    """The page to sign in; with the token that was printed at the start, it lets in at once."""
    if token:
        return _signed_in(request, token, to)
    return sign_in_form(request, to, is_out=bool(out))


@router.post("/sign-in")
@requires(Access.PUBLIC)
def sign_in(
    request: Request,
    token: Annotated[str, Form(max_length=MAX_TOKEN_CHARS)],
    to: Annotated[str, Form(max_length=1_000)] = "/",
) -> Response:
    """Signs in by the token."""
    return _signed_in(request, token.strip(), to)


@router.post("/sign-in/password")
@requires(Access.PUBLIC)
def sign_in_by_password(
    request: Request,
    name: Annotated[str, Form(max_length=MAX_TOKEN_CHARS)],
    password: Annotated[str, Form(max_length=MAX_TOKEN_CHARS)],
    tenant: Annotated[str, Form(max_length=MAX_TOKEN_CHARS)] = "",
    to: Annotated[str, Form(max_length=1_000)] = "/",
) -> Response:
    """Signs in by name and password; whatever is wrong, the answer and the time until it are the same."""
    if not request.app.state.settings.has_accounts:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    sessions: Sessions = request.app.state.sessions
    tenants = request.app.state.installation.tenants
    chosen = tenant.strip() or (next(iter(tenants)) if len(tenants) == 1 else "")
    client = request.client.host if request.client is not None else ""
    keys = (f"address {client}", f"account {chosen}/{name.strip()}")
    if sessions.attempts.is_guessing(*keys):
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
    principal = signed_in_by_password(sessions.state, chosen, name.strip(), password)
    if principal is not None and chosen in tenants:
        return let_in(request, principal, to)
    sessions.attempts.failed(*keys)
    if chosen in tenants:
        note_refusal(request, chosen, name.strip())
    return sign_in_form(request, to, status=HTTPStatus.FORBIDDEN, wrong="password")


def sign_in_form(
    request: Request,
    to: str,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    wrong: str = "",
    kept: tuple[str, ...] = (),
    is_out: bool = False,
) -> Response:
    """The page on which one signs in, with what was wrong before."""
    settings = request.app.state.settings
    return render(
        request,
        "sign_in.html",
        status=status,
        to=within(to),
        wrong=wrong,
        kept=kept,
        is_out=is_out and settings.oidc is not None,
        has_token=bool(settings.start_token),
        has_provider=settings.oidc is not None,
        asks_tenant=len(request.app.state.installation.tenants) > 1,
    )


@router.post("/sign-out")
@requires(Access.PUBLIC)
def sign_out(request: Request) -> Response:
    """Ends the session."""
    sessions: Sessions = request.app.state.sessions
    name = session_cookie(request)
    sessions.end(request.cookies.get(name))
    if request.state.principal is not None:
        note(request, AuditAction.SIGNED_OUT)
    # Not led to the provider from here: browsers take the answer to a form for a part of it, and our policy ends it.
    to = "/sign-in" if request.app.state.settings.oidc is None else "/sign-in?out=yes"
    response = RedirectResponse(to, status_code=HTTPStatus.SEE_OTHER)
    response.delete_cookie(name, path="/", secure=request.app.state.settings.is_secure, httponly=True, samesite="lax")
    return response


def _signed_in(request: Request, token: str, to: str) -> Response:
    sessions: Sessions = request.app.state.sessions
    if sessions.attempts.is_guessing(START_TOKEN):
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
    principal = sessions.local_principal(token)
    if principal is None:
        sessions.attempts.failed(START_TOKEN)
        return sign_in_form(request, to, status=HTTPStatus.FORBIDDEN, wrong="wrong")
    return let_in(request, principal, to)


def let_in(request: Request, principal: Principal, to: str) -> Response:
    """Opens a session under a new id, ends the one before, and leads on."""
    sessions: Sessions = request.app.state.sessions
    name = session_cookie(request)
    sessions.end(request.cookies.get(name))
    note_of(request, principal, AuditAction.SIGNED_IN)
    response = RedirectResponse(within(to), status_code=HTTPStatus.SEE_OTHER)
    response.set_cookie(
        name,
        sessions.begin(principal),
        max_age=request.app.state.settings.absolute_s,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.app.state.settings.is_secure,
    )
    return response


def within(to: str) -> str:
    """A path of this site; anything that a browser may take for another site leads to the first page."""
    is_path = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() and "\\" not in to
    return to if is_path else "/"
