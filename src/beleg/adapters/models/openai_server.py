"""One connection to a server that speaks the OpenAI protocol."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from pydantic_core import to_json

from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.adapters.network import require_network
from beleg.core.errors import CandidateError, ConfigError, DataError, InvalidOutput, Problem, shown

RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})
EXCERPT_CHARS = 300
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
WHOLE_BODY_BYTES = 500_000
SHORTEST_SECRET_CHARS = 8
"""A shorter key, such as "none" for a server that wants any, is no secret, and may be a word of a reply."""


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
        if not _is_address(self.base_url):
            raise ConfigError(
                Problem(
                    message="is no address of a server",
                    field="base_url",
                    # A password may stand in front of the host.
                    value=shown(self.base_url.rsplit("@", 1)[-1]),
                    remedy="Write http(s)://host[:port]/v1, without user, password, query or fragment",
                )
            )
        if self.api_key is not None and not self.api_key.isprintable():
            raise ConfigError(
                Problem(
                    message="holds a line break or another character that cannot be sent in a header",
                    field="api_key_env",
                    remedy="Set the environment variable to the key alone, without a line break at its end",
                )
            )

    def __repr__(self) -> str:
        return f"ServerSettings(base_url={self.base_url!r})"

    @property
    def place(self) -> str:
        """The address as it may stand in messages and manifests."""
        return self.base_url.rstrip("/")


def _is_address(base_url: str) -> bool:
    try:
        address = urlsplit(base_url)
        named = (address.scheme in {"http", "https"}, address.hostname, address.port != 0)
    except ValueError:
        return False
    return all(named) and not (address.username or address.password or address.query or address.fragment)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerResponse:
    """What a server sent back, whatever its status; the key never stands in it."""

    place: str
    status: int
    content_type: str
    data: bytes
    retry_after_s: float | None = None
    """How long the server asked to wait."""

    @property
    def excerpt(self) -> str:
        """The beginning of the body for a message, on one line."""
        return shown(self.data[: 4 * EXCERPT_CHARS].decode("utf-8", "replace")[:EXCERPT_CHARS])


class OpenAiServer:
    """Sends JSON and reads JSON; the session is opened at the first request.

    No redirect is followed and no proxy of the environment is used: the key goes to the address given and nowhere else.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self._session: aiohttp.ClientSession | None = None
        pattern = None if self._secret is None else _in_any_spelling(self._secret)
        self._hidden = None if pattern is None else re.compile(pattern)
        self._hidden_bytes = None if pattern is None else re.compile(pattern.encode())
        self._bare = (self._secret or "").replace("\\", "")
        self._bare_bytes = self._bare.encode()

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

    async def exchange(self, path: str, body: Mapping[str, Any]) -> ServerResponse:
        """Sends a request once and gives back whatever came, also where the status tells of a fault.

        Raises:
            CandidateError: if the server cannot be reached or is too slow.
            InvalidOutput: if the reply is too large.
        """
        place = f"{self.settings.place}/{path}"
        try:
            async with self._opened().post(
                place, data=_payload(body), headers={"Content-Type": "application/json"}, allow_redirects=False
            ) as response:
                data = await self._body(response, place)
                return ServerResponse(
                    place=place,
                    status=response.status,
                    content_type=response.content_type,
                    data=self._without_key(data),
                    retry_after_s=retry_after_s(response.headers, now=datetime.now(UTC)),
                )
        except TimeoutError:
            raise CandidateError(
                f"{place} gave no reply within {self.settings.timeout_s:g} s", kind="timeout", retryable=True
            ) from None
        except aiohttp.ClientError as fault:
            # The fault itself is not chained: its text may hold what was sent.
            raise CandidateError(
                f"{place} cannot be reached ({type(fault).__name__})", kind="unreachable", retryable=True
            ) from None

    async def _post_once(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        response = await self.exchange(path, body)
        if response.status != 200:
            raise _refused(response)
        return json_object(response)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            require_network(self.settings.base_url, "a model")
            key = self.settings.api_key
            self._session = aiohttp.ClientSession(
                headers={"Authorization": f"Bearer {key}"} if key else None,
                timeout=aiohttp.ClientTimeout(total=self.settings.timeout_s),
                # How much is under way at a time is the caller's limit; a second one here would only hide it.
                connector=aiohttp.TCPConnector(limit=0),
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

    def redacted(self, text: str) -> str:
        """The text without the key, wherever it came from and however often it was escaped for JSON."""
        if self._hidden is None or ("\\u" not in text and self._bare not in text.replace("\\", "")):
            # Without an escaped character any spelling of the key is the key with backslashes strewn in, and a plain
            # search for it is many times as quick as the pattern.
            return text
        return self._hidden.sub("***", text)

    def _without_key(self, data: bytes) -> bytes:
        if self._hidden_bytes is None or (b"\\u" not in data and self._bare_bytes not in data.replace(b"\\", b"")):
            return data
        return self._hidden_bytes.sub(b"***", data)

    @property
    def _secret(self) -> str | None:
        key = self.settings.api_key
        return key if key and len(key) >= SHORTEST_SECRET_CHARS else None


def _in_any_spelling(key: str) -> str:
    """A pattern of a key as it is, and with any of its characters escaped as JSON within JSON may write them."""
    return "".join(rf"(?:\\{{0,8}}{re.escape(one)}|\\{{1,8}}u(?i:{_units(one)}))" for one in key)


def _units(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return r"\\{1,8}u".join(units[at : at + 4] for at in range(0, len(units), 4))


def _payload(body: Mapping[str, Any]) -> bytes | BytesIO:
    data = _json(body)
    # A large body is sent in pieces, so that other requests go on meanwhile.
    return data if len(data) <= WHOLE_BODY_BYTES else BytesIO(data)


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return to_json(body)
    except ValueError:
        # Half a surrogate pair has no bytes of its own, but an escape.
        return json.dumps(body).encode()


def retry_after_s(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """How long a server asks to wait, from ``retry-after-ms`` or from ``Retry-After`` as seconds or as a date.

    Example:
        >>> retry_after_s({"Retry-After": "1.5"}, now=datetime(2026, 1, 1, tzinfo=UTC))
        1.5
        >>> retry_after_s({"Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT"}, now=datetime(2026, 1, 1, tzinfo=UTC))
        30.0
    """
    precise = _seconds(headers.get("retry-after-ms"))
    if precise is not None:
        return precise / 1_000
    told = headers.get("Retry-After")
    seconds = _seconds(told)
    if seconds is not None or told is None:
        return seconds
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def _seconds(text: str | None) -> float | None:
    # Only plain numbers: float() would also take "nan", "inf" and "1_0".
    plain = text is not None and len(text) <= 20 and text.strip().replace(".", "", 1).isdecimal()
    return float(text.strip()) if plain and text is not None else None


def _refused(response: ServerResponse) -> CandidateError:
    return CandidateError(
        f"{response.place} answered with status {response.status}: {response.excerpt}",
        kind=f"http_{response.status}",
        retryable=response.status in RETRYABLE,
        retry_after_s=response.retry_after_s,
    )


def json_object(response: ServerResponse) -> dict[str, Any]:
    """The body as a JSON object.

    Raises:
        InvalidOutput: if it is none.
    """
    try:
        reply = parse_json_bytes(response.data, file=response.place)
    except DataError as error:
        raise InvalidOutput(f"{response.place} sent a reply that is no JSON: {error}") from error
    if not isinstance(reply, dict):
        raise InvalidOutput(f"{response.place} sent {shown(reply)}, not an object")
    return reply
