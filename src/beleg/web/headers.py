"""Headers of every answer: nothing of others is loaded, framed, guessed or kept."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FRAGMENT_POLICY = "beleg-fragment"
"""The one Trusted Types policy: parts of our own pages that the script swaps in."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        f"trusted-types {FRAGMENT_POLICY}",
    )
)

HEADERS: dict[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # With no-referrer a browser sends "Origin: null" with our own forms: they could not be told from those of others.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class SafeHeaders:
    """Adds them to whatever is answered, errors included; an answer that says itself how long it is kept may."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)
