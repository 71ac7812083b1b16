"""People and programs: accounts and tokens, made and taken back by whoever may."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from beleg.app.workbench.accounts import change_password, create_account, reset_password, set_account
from beleg.app.workbench.tokens import MOST_DAYS, create_token
from beleg.core.access import Access, Role
from beleg.core.errors import DataError
from beleg.core.workbench_state import AuditAction, WorkbenchState
from beleg.web.access import principal_of, requires
from beleg.web.auditing import note
from beleg.web.rendering import render
from beleg.web.sessions import Sessions

router = APIRouter()

DEFAULT_DAYS = 90
MAX_CHARS = 200
TOKEN_ROLES: tuple[Role, ...] = tuple(role for role in Role if role is not Role.ADMIN)

Text = Annotated[str, Form(max_length=MAX_CHARS)]
Roles = Annotated[list[Role], Form(max_length=len(Role))]


@router.get("/people")
@requires(Access.ADMIN)
def people(request: Request) -> Response:
    """Tokens and accounts of one's own tenant."""
    return _page(request)


@router.post("/people/tokens")
@requires(Access.ADMIN)
def token_made(
    request: Request,
    label: Text = "",
    roles: Roles = [],  # noqa: B006 - no box was ticked
    days: Annotated[str, Form(max_length=5)] = "",
) -> Response:
    """Makes a token, and shows its secret this once."""
    try:
        token, secret = create_token(
            _state(request),
            principal_of(request),
            label=label,
            roles=frozenset(roles),
            days=int(days) if days.isdecimal() else 0,
            at=_sessions(request).clock(),
        )
    except DataError as error:
        return _page(request, problems=error, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    note(request, AuditAction.TOKEN_CREATED, f"{token.token_id} {token.label}")
    return _page(request, secret=secret, secret_of=token.label)


@router.post("/people/tokens/{token_id}/revoke")
@requires(Access.ADMIN)
def token_revoked(request: Request, token_id: str) -> Response:
    """Takes a token back."""
    found = _state(request).revoke_token(principal_of(request).tenant, token_id, _sessions(request).clock())
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    note(request, AuditAction.TOKEN_REVOKED, f"{found.token_id} {found.label}")
    return RedirectResponse("/people", status_code=HTTPStatus.SEE_OTHER)


@router.post("/people/accounts")
@requires(Access.ADMIN)
def account_made(request: Request, name: Text = "", roles: Roles = []) -> Response:  # noqa: B006 - no box was ticked
    """Makes an account, and shows its first password this once."""
    _require_accounts(request)
    try:
        account, password = create_account(
            _state(request), principal_of(request).tenant, name, roles, _sessions(request).clock()
        )
    except DataError as error:
        return _page(request, problems=error, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    note(request, AuditAction.ACCOUNT_CREATED, account.name)
    return _page(request, secret=password, secret_of=account.name)


@router.post("/people/accounts/change")
@requires(Access.ADMIN)
def account_changed(
    request: Request,
    name: Text,
    roles: Roles = [],  # noqa: B006 - no box was ticked
    disabled: Text = "",
) -> Response:
    """Changes what an account may do."""
    _require_accounts(request)
    try:
        set_account(_state(request), principal_of(request), name, roles=roles, is_disabled=bool(disabled))
    except DataError as error:
        return _page(request, problems=error, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    note(request, AuditAction.ACCOUNT_CHANGED, name)
    return RedirectResponse("/people", status_code=HTTPStatus.SEE_OTHER)


@router.post("/people/accounts/reset")
@requires(Access.ADMIN)
def account_reset(request: Request, name: Text) -> Response:
    """Gives an account a new password, and shows it this once."""
    _require_accounts(request)
    password = reset_password(_state(request), principal_of(request).tenant, name)
    note(request, AuditAction.ACCOUNT_CHANGED, name)
    return _page(request, secret=password, secret_of=name)


@router.get("/password")
@requires(Access.READ)
def password_page(request: Request) -> Response:
    """The form by which one changes one's own password."""
    _require_accounts(request)
    return render(request, "password.html", problems=())


@router.post("/password")
@requires(Access.READ)
def password_changed(request: Request, old: Text = "", new: Text = "") -> Response:
    """Changes one's own password; every session ends, this one too."""
    _require_accounts(request)
    attempts, key = _sessions(request).attempts, f"password {principal_of(request).tenant}/{principal_of(request).name}"
    if attempts.is_guessing(key):
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
    try:
        change_password(_state(request), principal_of(request), old, new)
    except DataError as error:
        attempts.failed(key)
        return render(request, "password.html", status=HTTPStatus.UNPROCESSABLE_ENTITY, problems=tuple(error.problems))
    note(request, AuditAction.ACCOUNT_CHANGED, principal_of(request).name)
    return RedirectResponse("/sign-in", status_code=HTTPStatus.SEE_OTHER)


def _page(
    request: Request,
    *,
    secret: str | None = None,
    secret_of: str = "",
    problems: DataError | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    state, tenant = _state(request), principal_of(request).tenant
    now = _sessions(request).clock()
    return render(
        request,
        "people.html",
        status=status,
        tokens=[(token, token.is_open(now)) for token in state.tokens(tenant)],
        accounts=state.accounts(tenant) if request.app.state.settings.has_accounts else None,
        roles=tuple(Role),
        token_roles=[role for role in TOKEN_ROLES if role in principal_of(request).roles],
        days=DEFAULT_DAYS,
        most_days=MOST_DAYS,
        secret=secret,
        secret_of=secret_of,
        problems=() if problems is None else problems.problems,
    )


def _require_accounts(request: Request) -> None:
    if not request.app.state.settings.has_accounts:
        raise HTTPException(HTTPStatus.NOT_FOUND)


def _sessions(request: Request) -> Sessions:
    found: Sessions = request.app.state.sessions
    return found


def _state(request: Request) -> WorkbenchState:
    return _sessions(request).state
