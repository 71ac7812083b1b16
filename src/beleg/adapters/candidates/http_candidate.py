"""An HTTP/JSON endpoint as a candidate."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
from yarl import URL

from beleg.adapters.candidates.addresses import GuardedResolver, RefusedAddressError
from beleg.adapters.candidates.http_spec import ENV_REFERENCE, HttpSpec, is_secret_name
from beleg.adapters.candidates.outputs import CandidateTimeout, describe_fault, output_from
from beleg.adapters.candidates.reply import read_reply
from beleg.adapters.candidates.template import fill
from beleg.adapters.formats.strict_json import parse_json_bytes
from beleg.adapters.network import require_network
from beleg.core.errors import CandidateError, DataError, InvalidOutput
from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.trace import Output, Query

EXCERPT_CHARS = 200
EXCERPT_BYTES = 4_096
CHUNK_BYTES = 64 * 1024
SHORTEST_SECRET = 4
"""Shorter values are not taken out of texts: they would be found everywhere."""

_RETRYABLE = frozenset({429, 502, 503, 504})
_ZIPPED = frozenset({"gzip", "x-gzip", "deflate"})
_EITHER_ZLIB_OR_GZIP = 32 + zlib.MAX_WBITS


class HttpCandidate:
    """Asks an endpoint over one shared session; opened at the first query, closed by `close`."""

    def __init__(
        self,
        spec: HttpSpec,
        *,
        manifest: Manifest,
        concurrency: int = 8,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._spec = spec
        self._manifest = manifest
        self._concurrency = concurrency
        self._environment = os.environ if environment is None else environment
        self._session: aiohttp.ClientSession | None = None

    @property
    def manifest(self) -> Manifest:
        """What the system is made of."""
        return self._manifest

    async def answer(self, query: Query) -> Output:
        """Sends one request and reads the reply.

        Raises:
            CandidateTimeout: if the endpoint takes longer than its time limit.
            CandidateError: if it cannot or may not be reached, or reports a fault; retryable where asking again helps.
            InvalidOutput: if its reply is no JSON, too large, or no usable output.
        """
        secrets = _Secrets(self._spec, self._environment)
        try:
            data = await self._exchange(query, secrets)
        except TimeoutError:
            raise CandidateTimeout(f"{self._spec.place()} gave no reply within {self._spec.timeout_s:g} s") from None
        except aiohttp.ClientError as fault:
            # The fault itself is not chained: its text may hold what was sent.
            raise self._unreachable(fault, secrets) from None
        return self._output(secrets.removed_from_reply(data), query)

    def inventory(self) -> Inventory | None:
        """Nothing is known about the index behind an endpoint."""
        return None

    async def close(self) -> None:
        """Closes the session; a later query would open a new one."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _exchange(self, query: Query, secrets: _Secrets) -> bytes:
        filled = fill(self._spec.request, query)
        body: dict[str, Any] = {"params": _parameters(filled)} if self._spec.method == "GET" else {"json": filled}
        async with self._opened().request(
            self._spec.method, URL(self._spec.url), headers=secrets.headers, allow_redirects=False, **body
        ) as response:
            await self._require_success(response, secrets)
            data, is_whole = await _read(response, self._spec.max_bytes)
            if not is_whole:
                raise InvalidOutput(
                    f"{self._spec.place()} sent more than {self._spec.max_bytes:,} bytes",
                    hint="Raise max_bytes, or ask for less",
                    kind="too_large",
                )
            return data

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            require_network(self._spec.url, "the candidate")
            connector = aiohttp.TCPConnector(limit=self._concurrency, resolver=GuardedResolver(self._spec.allowed()))
            self._session = aiohttp.ClientSession(
                connector=connector,
                timeout=aiohttp.ClientTimeout(total=self._spec.timeout_s),
                cookie_jar=aiohttp.DummyCookieJar(),
                # Unpacked here, under the cap.
                auto_decompress=False,
                headers={"Accept": "application/json", "Accept-Encoding": "gzip, deflate"},
            )
        return self._session

    async def _require_success(self, response: aiohttp.ClientResponse, secrets: _Secrets) -> None:
        status, place = response.status, self._spec.place()
        if 300 <= status < 400:
            raise CandidateError(
                f"{place} answered with a redirect (status {status}), which is not followed",
                hint="Name the final URL in the candidate file",
                kind="redirect",
            )
        if 200 <= status < 300 and _is_json(response.content_type):
            return
        content = response.headers.get("Content-Type", "no content type")
        # Secrets go before the text is cut, or half of one could stay.
        excerpt = secrets.removed_from(await _excerpt(response))[:EXCERPT_CHARS]
        message = f"{place} answered with status {status} and {secrets.removed_from(content)}: {excerpt}"
        if 200 <= status < 300:
            raise InvalidOutput(message, hint="The reply must be application/json", kind="not_json")
        raise CandidateError(
            message,
            kind=f"http_{status}",
            retryable=status in _RETRYABLE,
            retry_after_s=_retry_after_s(response.headers.get("Retry-After")) if status in _RETRYABLE else None,
        )

    def _unreachable(self, fault: aiohttp.ClientError, secrets: _Secrets) -> CandidateError:
        cause = getattr(fault, "os_error", None)
        if isinstance(cause, RefusedAddressError):
            return CandidateError(f"{self._spec.place()} may not be reached: {cause}", kind="refused_address")
        described = secrets.removed_from(describe_fault(fault))
        return CandidateError(
            f"{self._spec.place()} cannot be reached: {described}", kind="unreachable", retryable=True
        )

    def _output(self, data: bytes, query: Query) -> Output:
        try:
            reply = parse_json_bytes(data)
        except DataError as fault:
            raise InvalidOutput(
                f"the reply of {self._spec.place()} cannot be read: {fault}", kind="not_json"
            ) from fault
        mapping = self._spec.response
        if mapping is not None:
            return output_from(read_reply(mapping, reply, retrieve_only=query.retrieve_only))
        if not isinstance(reply, dict):
            raise InvalidOutput(f"the reply of {self._spec.place()} is no mapping with the fields of an output")
        return output_from(reply)


class _Secrets:
    """The headers of one call with their references looked up, and the values to keep out of every text."""

    def __init__(self, spec: HttpSpec, environment: Mapping[str, str]) -> None:
        self.headers: dict[str, str] = {}
        self._values: set[str] = set()
        self._secret_values: set[str] = set()
        for name, value in spec.headers.items():
            for variable in ENV_REFERENCE.findall(value):
                found = environment.get(variable)
                if not found or not found.isprintable():
                    raise CandidateError(
                        f"the header {name} needs the environment variable {variable}, which is "
                        f"{'not set' if not found else 'not printable text on one line'}",
                        hint=f"Set {variable} before the run",
                        kind="secret_missing",
                    )
                self._values.add(found)
                if is_secret_name(name):
                    self._secret_values.add(found)
                value = value.replace(f"${{ENV:{variable}}}", found)
            self.headers[name] = value

    def removed_from(self, text: str) -> str:
        """A text without any value that came from the environment."""
        for value in sorted(self._values, key=len, reverse=True):
            if len(value) >= SHORTEST_SECRET:
                text = text.replace(value, "[removed]")
        return text

    def removed_from_reply(self, data: bytes) -> bytes:
        """A reply without the secrets that were sent, so that an echo does not reach the stored traces."""
        for value in sorted(self._secret_values, key=len, reverse=True):
            if len(value) >= SHORTEST_SECRET:
                data = data.replace(value.encode(), b"[removed]")
        return data


async def _read(response: aiohttp.ClientResponse, max_bytes: int) -> tuple[bytes, bool]:
    """The unpacked body up to a cap, and whether that is all of it."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding in ("identity", ""):
        inflate = None
    elif encoding in _ZIPPED:
        inflate = zlib.decompressobj(_EITHER_ZLIB_OR_GZIP)
    else:
        raise InvalidOutput(f"the reply is packed as {encoding!r}, which was not asked for", kind="not_json")
    parts: list[bytes] = []
    left = max_bytes
    async for chunk in response.content.iter_chunked(CHUNK_BYTES):
        unpacked = chunk if inflate is None else _inflated(inflate, chunk, left + 1)
        if len(unpacked) > left:
            return b"".join([*parts, unpacked[:left]]), False
        left -= len(unpacked)
        parts.append(unpacked)
    if inflate is not None and not inflate.eof:
        raise InvalidOutput("the packed reply is cut off", kind="not_json")
    return b"".join(parts), True


def _inflated(inflate: zlib._Decompress, chunk: bytes, at_most: int) -> bytes:
    try:
        return inflate.decompress(chunk, at_most)
    except zlib.error as fault:
        raise InvalidOutput(f"the packed reply is damaged: {fault}", kind="not_json") from fault


async def _excerpt(response: aiohttp.ClientResponse) -> str:
    try:
        data, _ = await _read(response, EXCERPT_BYTES)
    except (InvalidOutput, aiohttp.ClientPayloadError):
        return "(unreadable)"
    return " ".join(data.decode("utf-8", errors="replace").split())


def _is_json(content_type: str) -> bool:
    return content_type == "application/json" or content_type.endswith("+json")


def _parameters(filled: Any) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in filled.items()
        if value is not None
    }


def _retry_after_s(header: str | None) -> float | None:
    """The seconds to wait, from a number or a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None
