"""How much a request may bring: what a form of ours can hold, told before any of it is read."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from beleg.web.problems import API_PREFIX, problem

MAX_BODY_BYTES = 2_000_000
"""The longest texts of a form, each character written as three bytes, with room for several of them."""


class LimitedBodies:
    """Refuses a body that is too large, or that does not say how large it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        status = _refused(scope) if scope["type"] == "http" else None
        if status is None:
            await self._app(scope, receive, send)
            return
        await _answer(scope, status)(scope, receive, send)


def _answer(scope: Scope, status: HTTPStatus) -> Response:
    if str(scope.get("path", "")).startswith(API_PREFIX):
        return problem(status, f"A body says how long it is, and holds at most {MAX_BODY_BYTES} bytes")
    return PlainTextResponse(status.phrase, status_code=status)


def _refused(scope: Scope) -> HTTPStatus | None:
    headers = Headers(scope=scope)
    length = headers.get("content-length")
    if length is None:
        # Without either header a request has no body.
        return HTTPStatus.LENGTH_REQUIRED if "transfer-encoding" in headers else None
    if not length.isdecimal() or int(length[:20]) > MAX_BODY_BYTES:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return None
