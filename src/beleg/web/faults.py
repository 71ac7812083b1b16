"""What a reader sees when something is wrong: what, and what to do; programs get the same as JSON."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from beleg.core.errors import DataError, Error, UsageError
from beleg.web.access import SAFE_METHODS, is_api
from beleg.web.headers import HEADERS
from beleg.web.pages.signing_in import sign_in_form
from beleg.web.rendering import render

_KNOWN = {
    HTTPStatus.UNAUTHORIZED: "sign_in",
    HTTPStatus.FORBIDDEN: "forbidden",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "not_found",
    HTTPStatus.CONFLICT: "conflict",
    HTTPStatus.TOO_MANY_REQUESTS: "too_many",
}


PROBLEM = "application/problem+json"
"""The media type of refusals to programs (RFC 9457)."""
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
    if status is HTTPStatus.UNAUTHORIZED and request.method == "GET" and not is_api(request):
        return RedirectResponse(f"/sign-in?to={quote(_way_back(request), safe='')}", status_code=HTTPStatus.SEE_OTHER)
    if status is HTTPStatus.UNAUTHORIZED and not is_api(request):
        kept = await _typed(request)
        return sign_in_form(request, _way_back(request), status=status, kept=kept)
    response = _answer(request, status, _KNOWN.get(status, "fault"))
    if isinstance(fault, HTTPException):
        response.headers.update({name: value for name, value in (fault.headers or {}).items() if name == "Allow"})
    return response


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
    named = ", ".join(".".join(str(part) for part in problem["loc"]) for problem in problems[:5])
    return _answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", detail=named)


async def _on_error(request: Request, fault: Exception) -> Response:
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    if isinstance(fault, UsageError):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(fault, DataError) and request.method not in SAFE_METHODS:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    hint = fault.hint if isinstance(fault, Error) else None
    return _answer(request, status, "told", detail=str(fault), hint=hint)


async def _on_fault(request: Request, _: Exception) -> Response:
    response = _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "fault")
    # It is made outside of everything that adds headers otherwise.
    response.headers.update(HEADERS)
    return response


def _answer(
    request: Request, status: HTTPStatus, key: str, *, detail: str | None = None, hint: str | None = None
) -> Response:
    headers = {"www-authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    if is_api(request):
        content: dict[str, Any] = {"status": status.value, "title": status.phrase}
        content |= {name: value for name, value in (("detail", detail), ("hint", hint)) if value}
        return JSONResponse(content, status_code=status, media_type=PROBLEM, headers=headers)
    return render(request, "fault.html", status=status, key=key, detail=detail, hint=hint, code=status.value)
