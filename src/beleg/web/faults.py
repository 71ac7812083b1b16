"""What a reader sees when something is wrong: what, and what to do; programs get the same as JSON."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import Match

from beleg.core.access import Principal
from beleg.core.errors import DataError, Error, UsageError
from beleg.web.access import SAFE_METHODS, is_api
from beleg.web.headers import HEADERS
from beleg.web.pages.signing_in import sign_in_form
from beleg.web.problems import Refused, problem
from beleg.web.rendering import render

_KNOWN = {
    HTTPStatus.UNAUTHORIZED: "sign_in",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "not_found",
    HTTPStatus.CONFLICT: "conflict",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
}


TYPED_WORDS = frozenset({"support_rationale", "missing", "attribution_rationale", "note", "reason"})
"""Fields of forms that hold what a person wrote themselves."""


def add_fault_handlers(app: FastAPI) -> None:
    """Answers faults in words; nothing of a traceback ever leaves the process."""
    app.add_exception_handler(HTTPException, _on_status)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Error, _on_error)
    app.add_exception_handler(Exception, _on_fault)


async def _on_status(request: Request, fault: Exception) -> Response:
    status = HTTPStatus(fault.status_code) if isinstance(fault, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
    if is_api(request):
        return _told(request, status, fault)
    if status is HTTPStatus.UNAUTHORIZED and request.method == "GET":
        return RedirectResponse(f"/sign-in?to={quote(_way_back(request), safe='')}", status_code=HTTPStatus.SEE_OTHER)
    if status is HTTPStatus.UNAUTHORIZED:
        kept = await _typed(request)
        return sign_in_form(request, _way_back(request), status=status, kept=kept)
    response = _answer(request, status, _KNOWN.get(status, "fault"))
    if isinstance(fault, HTTPException):
        response.headers.update({name: value for name, value in (fault.headers or {}).items() if name == "Allow"})
    return response


def _told(request: Request, status: HTTPStatus, fault: Exception) -> Response:
    detail = fault.detail if isinstance(fault, HTTPException) and fault.detail != status.phrase else None
    headers: dict[str, str] = {}
    hint = None
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["allow"] = ", ".join(sorted(_methods(request)))
    if status is HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
        detail, hint = "No token that is open was sent", "Send: Authorization: Bearer beleg_…"
    if status is HTTPStatus.FORBIDDEN and detail:
        detail, hint = f"The token does not grant: {detail}", "Use a token with the role that grants it"
    return problem(status, detail, hint=hint, headers=headers)


def _methods(request: Request) -> set[str]:
    """What may be asked at the address; each method has a route of its own, which knows nothing of the others."""
    served: list[APIRoute] = request.app.state.served
    there = (route for route in served if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in there for method in route.methods or ()}


def _way_back(request: Request) -> str:
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


async def _typed(request: Request) -> tuple[str, ...]:
    """What somebody had typed into a form of ours that they sent after their session was over."""
    if request.headers.get("sec-fetch-site") not in (None, "same-origin"):
        return ()
    form = await request.form()
    return tuple(text for name, text in form.multi_items() if name in TYPED_WORDS and isinstance(text, str) and text)


async def _on_invalid(request: Request, fault: Exception) -> Response:
    problems = fault.errors() if isinstance(fault, RequestValidationError) else []
    if is_api(request):
        told = [(".".join(str(part) for part in each["loc"]), str(each["msg"])) for each in problems]
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "Some fields cannot be used", fields=told)
    named = ", ".join(".".join(str(part) for part in problem["loc"]) for problem in problems[:5])
    return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", detail=named)


async def _on_error(request: Request, fault: Exception) -> Response:
    if isinstance(fault, Refused):
        return problem(fault.status, fault.message, hint=fault.hint, fields=fault.fields)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(fault, UsageError):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(fault, DataError) and request.method not in SAFE_METHODS:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    hint = fault.hint if isinstance(fault, Error) else None
    return _answer(request, status, "told", detail=_without_place(request, str(fault)), hint=hint)


def _without_place(request: Request, text: str) -> str:
    """What is told names files by their place in the project; where that lies on the server is nobody's business."""
    principal: Principal | None = request.state.principal
    if principal is None:
        return text
    return text.replace(f"{request.app.state.installation.tenants[principal.tenant].project}/", "")


async def _on_fault(request: Request, _: Exception) -> Response:
    response = _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "fault")
    # It is made outside of everything that adds headers otherwise.
    response.headers.update(HEADERS)
    return response


def _answer(
    request: Request, status: HTTPStatus, key: str, *, detail: str | None = None, hint: str | None = None
) -> Response:
    if is_api(request):
        return problem(status, detail, hint=hint)
    return render(request, "fault.html", status=status, key=key, detail=detail, hint=hint, code=status.value)
