"""Signing in by the provider of an organisation."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from beleg.core.access import Access
from beleg.core.identity import CALLBACK, WITHIN_S, NoRole, SignInRefused
from beleg.web.access import requires
from beleg.web.pages.signing_in import let_in, sign_in_form, within

if TYPE_CHECKING:
    from beleg.app.workbench.provider import ProviderDoor

router = APIRouter()

MAX_ANSWER_CHARS = 10_000


@router.get("/sign-in/provider")
@requires(Access.PUBLIC)
async def to_provider(request: Request, to: str = "/") -> Response:
    """Leads to the provider."""
    door = _door(request)
    try:
        location, kept = await door.leave(within(to))
    except SignInRefused:
        return sign_in_form(request, to, status=HTTPStatus.BAD_GATEWAY, wrong="provider")
    response = RedirectResponse(location, status_code=HTTPStatus.SEE_OTHER)
    response.set_cookie(
        _cookie(request),
        kept,
        max_age=int(WITHIN_S),
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.app.state.settings.is_secure,
    )
    return response


@router.get(CALLBACK)
@requires(Access.PUBLIC)
async def from_provider(request: Request) -> Response:
    """Lets in whom the provider sent back; what it says of itself is never shown."""
    door = _door(request)
    if len(request.url.query) > MAX_ANSWER_CHARS:
        raise HTTPException(HTTPStatus.REQUEST_URI_TOO_LONG)
    try:
        principal, to = await door.come_back(request.cookies.get(_cookie(request)), dict(request.query_params))
    except NoRole:
        response = sign_in_form(request, "/", status=HTTPStatus.FORBIDDEN, wrong="role")
    except SignInRefused:
        response = sign_in_form(request, "/", status=HTTPStatus.FORBIDDEN, wrong="provider")
    else:
        response = await run_in_threadpool(let_in, request, principal, to)
    response.delete_cookie(
        _cookie(request), path="/", secure=request.app.state.settings.is_secure, httponly=True, samesite="lax"
    )
    return response


@router.get("/sign-out/provider")
@requires(Access.PUBLIC)
async def out_of_provider(request: Request) -> Response:
    """Leads to where somebody signs out at the provider, where it offers that."""
    door = _door(request)
    try:
        location = await door.leave_for_good()
    except SignInRefused:
        location = None
    if location is None:
        return sign_in_form(request, "/", status=HTTPStatus.BAD_GATEWAY, wrong="sign_out")
    return RedirectResponse(location, status_code=HTTPStatus.SEE_OTHER)


def _door(request: Request) -> ProviderDoor:
    door: ProviderDoor | None = request.app.state.door
    if door is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return door


def _cookie(request: Request) -> str:
    return "__Host-beleg-flow" if request.app.state.settings.is_secure else "beleg-flow"
