"""One connection to a server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.core.errors import CandidateError, ConfigError, DataError, InvalidOutput, Problem, shown

RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})
EXCERPT_CHARS = 300
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Where the server is and how it is asked."""

    base_url: str
    """Up to and including ``/v1``."""
    api_key: str | None = None
    timeout_s: float = 60.0
    attempts: int = 3
    """How often a request is sent in all before a fault that may pass is reported."""
    max_reply_bytes: int = 64_000_000

    def __post_init__(self) -> None:
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.hostname or address.username or address.query:
            raise ConfigError(
                Problem(
                    message="is no address of a server",
                    field="base_url",
                    value=shown(self.base_url),
                    remedy="Write http(s)://host[:port]/v1, without user, password or query",
                )
            )

    def __repr__(self) -> str:
        return f"ServerSettings(base_url={self.base_url!r})"

    @property
    def place(self) -> str:
        """The address as it may stand in messages and manifests."""
        return self.base_url.rstrip("/")


class OpenAiServer:
    """Sends JSON and reads JSON; the session is opened at the first request.

    No redirect is followed and no proxy of the environment is used: the key goes to the address given and nowhere else.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._session: aiohttp.ClientSession | None = None

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Sends a request, again where the fault may pass.

        Raises:
            CandidateError: if the server cannot be reached, is too slow or reports a fault.
            InvalidOutput: if the reply is no JSON object or too large.
        """
        for attempt in range(1, self.settings.attempts):
            try:
                return await self._post_once(path, body)
            except CandidateError as fault:
                if not fault.retryable:
                    raise
                pause = FIRST_PAUSE_S * 2 ** (attempt - 1) if fault.retry_after_s is None else fault.retry_after_s
                await asyncio.sleep(min(pause, LONGEST_PAUSE_S))
        return await self._post_once(path, body)

    async def close(self) -> None:
        """Closes the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _post_once(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        place = f"{self.settings.place}/{path}"
        try:
            async with self._opened().post(place, json=dict(body), allow_redirects=False) as response:
                data = await self._body(response, place)
                status, retry_after = response.status, response.headers.get("Retry-After")
        except TimeoutError:
            raise CandidateError(
                f"{place} gave no reply within {self.settings.timeout_s:g} s", kind="timeout", retryable=True
            ) from None
        except aiohttp.ClientError as fault:
            # The fault itself is not chained: its text may hold what was sent.
            raise CandidateError(
                f"{place} cannot be reached ({type(fault).__name__})", kind="unreachable", retryable=True
            ) from None
        if status != 200:
            raise self._refused(place, status, retry_after, data)
        return _object(place, data)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            key = self.settings.api_key
            self._session = aiohttp.ClientSession(
                headers={"Authorization": f"Bearer {key}"} if key else None,
                timeout=aiohttp.ClientTimeout(total=self.settings.timeout_s),
                trust_env=False,
            )
        return self._session

    async def _body(self, response: aiohttp.ClientResponse, place: str) -> bytes:
        data = bytearray()
        async for part in response.content.iter_chunked(65_536):
            data += part
            if len(data) > self.settings.max_reply_bytes:
                raise InvalidOutput(f"{place} sent more than {self.settings.max_reply_bytes} bytes")
        return bytes(data)

    def _refused(self, place: str, status: int, retry_after: str | None, data: bytes) -> CandidateError:
        excerpt = data[: 4 * EXCERPT_CHARS].decode("utf-8", "replace")
        if self.settings.api_key:
            excerpt = excerpt.replace(self.settings.api_key, "***")
        wait = float(retry_after) if retry_after is not None and retry_after.strip().isdigit() else None
        return CandidateError(
            f"{place} answered with status {status}: {shown(excerpt[:EXCERPT_CHARS])}",
            kind=f"http_{status}",
            retryable=status in RETRYABLE,
            retry_after_s=wait,
        )


def _object(place: str, data: bytes) -> dict[str, Any]:
    try:
        reply = parse_json_bytes(data, file=place)
    except DataError as error:
        raise InvalidOutput(f"{place} sent a reply that is no JSON: {error}") from error
    if not isinstance(reply, dict):
        raise InvalidOutput(f"{place} sent {shown(reply)}, not an object")
    return reply
