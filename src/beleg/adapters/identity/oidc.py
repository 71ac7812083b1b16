"""OpenID Connect: authorization code with PKCE, and an ID token that is believed only where everything fits."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote_plus, urlsplit

import aiohttp
from authlib.common.security import generate_token
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jws, jwt
from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import KeySet

from beleg.adapters.network import require_network
from beleg.core.identity import SignInRefused
from beleg.core.workbench_settings import LOOPBACK, OidcSettings

ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA", "Ed25519")
"""Signatures with the provider's private key. ``none``, and codes that a public key could make, are not among them."""
MAX_BYTES = 256 * 1024
MAX_TOKEN_CHARS = 32 * 1024
TIMEOUT_S = 10.0
KEPT_S = 3_600.0
FAILED_S = 5.0
"""How long a provider that did not answer is not asked again: people who wait do not queue up behind each other."""
REFETCH_AFTER_S = 30.0
"""How often an unknown key may lead to a look at the provider's keys."""
LEEWAY_S = 60
OLDEST_S = 600
RANDOM_CHARS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What was sent to the provider, and must come back."""

    state: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """What the provider's own document names."""

    authorization: str
    token: str
    keys: str
    sign_out: str | None
    """Where somebody ends their session at the provider, where it offers that."""
    names_itself: bool
    """Whether it puts its name beside each code, by which a mix-up of providers shows."""


@dataclass(slots=True)
class OidcProvider:
    """One provider.

    Args:
        settings: who it is, and as what it knows us.
        secret: of the client; ``None`` for a public one.
        redirect_uri: where it leads people back.
        signed_out_uri: where it leads people who signed out there.
        clock: tells the time in seconds since 1970.
    """

    settings: OidcSettings
    secret: str | None = field(repr=False)
    redirect_uri: str
    signed_out_uri: str
    clock: Callable[[], float] = time.time
    _endpoints: tuple[float, Endpoints] | None = None
    _failed: tuple[float, str] | None = None
    _keys: tuple[float, KeySet] | None = None
    _looked_at: float = float("-inf")
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> tuple[str, Flow]:
        """Where somebody is sent, and what has to come back with them.

        Raises:
            SignInRefused: if the provider cannot be reached or describes itself wrongly.
        """
        endpoints = await self._described()
        flow = Flow(
            state=generate_token(RANDOM_CHARS),
            nonce=generate_token(RANDOM_CHARS),
            verifier=generate_token(RANDOM_CHARS),
        )
        location = prepare_grant_uri(
            endpoints.authorization,
            self.settings.client_id,
            "code",
            redirect_uri=self.redirect_uri,
            scope=" ".join(self.settings.scopes),
            state=flow.state,
            nonce=flow.nonce,
            code_challenge=create_s256_code_challenge(flow.verifier),
            code_challenge_method="S256",
        )
        return str(location), flow

    async def finish(self, flow: Flow, code: str, *, said_issuer: str | None) -> dict[str, Any]:
        """The checked claims of whoever came back with a code.

        Args:
            flow: what was sent.
            code: what came back.
            said_issuer: who says to have sent them back, where they say so.

        Raises:
            SignInRefused: if anything does not fit.
        """
        endpoints = await self._described()
        if said_issuer != (self.settings.issuer if endpoints.names_itself or said_issuer is not None else None):
            raise SignInRefused("another provider answered")
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": flow.verifier,
        }
        headers = {}
        if self.secret is None:
            form["client_id"] = self.settings.client_id
        else:
            # RFC 6749 wants name and secret escaped within the header.
            login = aiohttp.encode_basic_auth(quote_plus(self.settings.client_id), quote_plus(self.secret))
            headers["authorization"] = login
        answer = await self._asked(endpoints.token, form=form, headers=headers)
        token = answer.get("id_token")
        if not isinstance(token, str) or not 0 < len(token) <= MAX_TOKEN_CHARS:
            raise SignInRefused("the provider gave no ID token")
        claims = await self._read(token, endpoints)
        self._require(claims, flow)
        return claims

    async def sign_out(self) -> str | None:
        """Where somebody ends their session at the provider; ``None`` where it offers no such place.

        Raises:
            SignInRefused: if the provider cannot be reached or describes itself wrongly.
        """
        place = (await self._described()).sign_out
        if place is None:
            return None
        asked = (("client_id", self.settings.client_id), ("post_logout_redirect_uri", self.signed_out_uri))
        return str(add_params_to_uri(place, asked))

    async def _described(self) -> Endpoints:
        async with self._lock:
            known, failed = self._endpoints, self._failed
            if known is not None and self.clock() - known[0] < KEPT_S:
                return known[1]
            if failed is not None and self.clock() - failed[0] < FAILED_S:
                raise SignInRefused(failed[1])
            try:
                self._endpoints = self.clock(), await self._looked_up()
            except SignInRefused as error:
                self._failed = self.clock(), str(error)
                raise
            return self._endpoints[1]

    async def _looked_up(self) -> Endpoints:
        address = f"{self.settings.issuer.rstrip('/')}/.well-known/openid-configuration"
        described = await self._asked(address)
        if described.get("issuer") != self.settings.issuer:
            raise SignInRefused("the provider's document names another issuer")
        is_left = "end_session_endpoint" in described
        return Endpoints(
            authorization=self._address(described, "authorization_endpoint"),
            token=self._address(described, "token_endpoint"),
            keys=self._address(described, "jwks_uri"),
            sign_out=self._address(described, "end_session_endpoint") if is_left else None,
            names_itself=described.get("authorization_response_iss_parameter_supported") is True,
        )

    def _address(self, described: Mapping[str, Any], name: str) -> str:
        found = described.get(name)
        parts = urlsplit(found) if isinstance(found, str) else None
        if parts is None or not parts.hostname or parts.username or parts.fragment:
            raise SignInRefused(f"the provider's document has no usable {name}")
        is_local = urlsplit(self.settings.issuer).hostname in LOOPBACK and parts.hostname in LOOPBACK
        if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
            raise SignInRefused(f"the provider's {name} is not encrypted")
        return str(found)

    async def _read(self, token: str, endpoints: Endpoints) -> dict[str, Any]:
        """The claims of a token that the provider signed."""
        try:
            header = jws.extract_compact(token.encode()).headers()
        except (JoseError, ValueError) as error:
            raise SignInRefused("the ID token is none") from error
        if header.get("alg") not in ALGORITHMS:
            raise SignInRefused(f"the ID token is signed in a way that proves nothing: {str(header.get('alg'))[:20]!r}")
        keys = await self._known_keys(endpoints, str(header.get("kid")))
        try:
            with warnings.catch_warnings():
                # RFC 9864 gives EdDSA a better name; providers go on using the old one, and nothing is wrong with it.
                warnings.simplefilter("ignore", SecurityWarning)
                claims: dict[str, Any] = jwt.decode(token, keys, algorithms=[*ALGORITHMS]).claims
        except (JoseError, ValueError, TypeError) as error:
            raise SignInRefused("the provider's signature does not fit the ID token") from error
        return claims

    async def _known_keys(self, endpoints: Endpoints, kid: str) -> KeySet:
        async with self._lock:
            now = self.clock()
            known = self._keys
            is_fresh = known is not None and now - known[0] < KEPT_S
            if known is not None and is_fresh and (_holds(known[1], kid) or now - self._looked_at < REFETCH_AFTER_S):
                return known[1]
            raw = await self._asked(endpoints.keys)
            try:
                found = KeySet.import_key_set(cast("Any", _public(raw)))
            except (JoseError, ValueError, TypeError, KeyError) as error:
                raise SignInRefused("the provider's keys cannot be read") from error
            self._keys, self._looked_at = (now, found), now
            return found

    def _require(self, claims: Mapping[str, Any], flow: Flow) -> None:
        now = self.clock()
        audience = claims.get("aud")
        audiences = [audience] if isinstance(audience, str) else audience
        if claims.get("iss") != self.settings.issuer:
            raise SignInRefused("the ID token is of another issuer")
        if not isinstance(audiences, list) or self.settings.client_id not in audiences:
            raise SignInRefused("the ID token is for somebody else")
        if claims.get("azp", self.settings.client_id) != self.settings.client_id:
            raise SignInRefused("the ID token was given to somebody else")
        if len(audiences) > 1 and "azp" not in claims:
            raise SignInRefused("the ID token is for several, and does not say for whom")
        if not _is_number(claims.get("exp")) or claims["exp"] + LEEWAY_S <= now:
            raise SignInRefused("the ID token is over")
        if not _is_number(claims.get("iat")) or not now - OLDEST_S <= claims["iat"] <= now + LEEWAY_S:
            raise SignInRefused("the ID token is not of now")
        if claims.get("nonce") != flow.nonce:
            raise SignInRefused("the ID token is not of this sign-in")
        if not isinstance(claims.get("sub"), str) or not claims["sub"]:
            raise SignInRefused("the ID token is about nobody")

    async def _asked(
        self, address: str, *, form: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """What the provider says, in JSON, within a size and a time."""
        require_network(address, "the identity provider")
        method = "GET" if form is None else "POST"
        sent = {"accept": "application/json", **(headers or {})}
        try:
            async with (
                aiohttp.ClientSession(
                    timeout=aiohttp.ClientTimeout(total=TIMEOUT_S), cookie_jar=aiohttp.DummyCookieJar()
                ) as session,
                session.request(method, address, data=form, allow_redirects=False, headers=sent) as response,
            ):
                raw = await response.content.read(MAX_BYTES + 1)
                while len(raw) <= MAX_BYTES and (more := await response.content.read(MAX_BYTES + 1 - len(raw))):
                    raw += more
                status = response.status
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise SignInRefused(f"the provider cannot be reached: {type(error).__name__}") from error
        if status != 200:
            raise SignInRefused(f"the provider answered {status}")
        if len(raw) > MAX_BYTES:
            raise SignInRefused(f"the provider's answer is longer than {MAX_BYTES} bytes")
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise SignInRefused("the provider's answer is no JSON") from error
        if not isinstance(found, dict):
            raise SignInRefused("the provider's answer is no object")
        return found


def _public(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The keys by which signatures are checked; others, such as shared secrets, are left out."""
    keys = raw.get("keys")
    if not isinstance(keys, list):
        raise SignInRefused("the provider names no keys")
    usable = [
        key
        for key in keys
        if isinstance(key, dict) and key.get("kty") in ("RSA", "EC", "OKP") and key.get("use", "sig") == "sig"
    ]
    if not usable:
        raise SignInRefused("the provider names no keys for signatures")
    return {"keys": usable}


def _holds(keys: KeySet, kid: str) -> bool:
    return any(key.kid == kid for key in keys.keys)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
