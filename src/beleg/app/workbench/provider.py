"""Signing in by a provider: who left for it, and who came back with what belongs to that."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from beleg.adapters.formats.files import decode_utf8
from beleg.adapters.formats.private_files import read_private
from beleg.adapters.identity.oidc import Flow, OidcProvider
from beleg.core.access import Principal
from beleg.core.errors import UsageError
from beleg.core.identity import CALLBACK, SIGNED_OUT, WITHIN_S, NoRole, SignInRefused, principal_of_claims
from beleg.core.workbench_settings import OidcSettings

MOST = 10_000


@dataclass(frozen=True, slots=True)
class _Left:
    """Somebody who left for the provider."""

    flow: Flow
    browser: str
    to: str
    at: float


@dataclass(slots=True)
class ProviderDoor:
    """Lets people out to the provider and in again; each way can be gone once, by the browser that began it.

    Args:
        provider: who is asked.
        tenants: those that are served here.
        clock: tells seconds that only grow.
    """

    provider: OidcProvider
    tenants: frozenset[str]
    clock: Callable[[], float] = time.monotonic
    _left: OrderedDict[str, _Left] = field(default_factory=OrderedDict)

    @classmethod
    def of(
        cls,
        settings: OidcSettings,
        address: str,
        tenants: Collection[str],
        environment: Mapping[str, str] | None = None,
    ) -> ProviderDoor:
        """The door that settings describe.

        Args:
            settings: who is asked.
            address: where browsers find the workbench.
            tenants: those that are served here.
            environment: where the client's secret is looked up.

        Raises:
            UsageError: if the variable with the client's secret is not set, or its file is not there or not private.
            DataError: if the file holds no text.
        """
        secret = _secret(settings, os.environ if environment is None else environment)
        provider = OidcProvider(settings, secret, f"{address}{CALLBACK}", f"{address}{SIGNED_OUT}")
        return cls(provider, frozenset(tenants))

    async def leave(self, to: str) -> tuple[str, str]:
        """Where somebody is sent, and what their browser keeps until they come back.

        Raises:
            SignInRefused: if the provider cannot be reached or describes itself wrongly.
        """
        location, flow = await self.provider.begin()
        browser = secrets.token_urlsafe(32)
        self._left[flow.state] = _Left(flow, _hashed(browser), to, self.clock())
        while len(self._left) > MOST:
            self._left.popitem(last=False)
        return location, browser

    async def leave_for_good(self) -> str | None:
        """Where somebody signs out at the provider too; ``None`` where it offers no such place.

        Raises:
            SignInRefused: if the provider cannot be reached or describes itself wrongly.
        """
        return await self.provider.sign_out()

    async def come_back(self, browser: str | None, answer: Mapping[str, str]) -> tuple[Principal, str]:
        """Who came back, and where they wanted to go.

        Args:
            browser: what their browser kept.
            answer: what the provider put into the address.

        Raises:
            SignInRefused: if they did not leave from here, took too long, or the provider's word does not hold.
            NoRole: if nothing gives them a role, or their tenant is not served here.
        """
        left = self._left.pop(answer.get("state", ""), None)
        if left is None or self.clock() - left.at > WITHIN_S:
            raise SignInRefused("nobody left for the provider with this, or they took too long")
        if browser is None or not hmac.compare_digest(_hashed(browser), left.browser):
            raise SignInRefused("another browser left for the provider")
        if answer.get("error") or not answer.get("code"):
            raise SignInRefused("the provider let nobody in")
        claims = await self.provider.finish(left.flow, answer["code"], said_issuer=answer.get("iss"))
        principal = principal_of_claims(claims, self.provider.settings)
        if principal.tenant not in self.tenants:
            raise NoRole("the tenant is not served here")
        return principal, left.to


def _secret(settings: OidcSettings, environment: Mapping[str, str]) -> str | None:
    """By which the provider knows us; ``None`` for a public client."""
    if settings.client_secret_file is not None:
        path = Path(settings.client_secret_file)
        found = decode_utf8(read_private(path), file=str(path)).strip()
        where = f"the file {path} is empty"
    elif settings.client_secret_env is not None:
        found = environment.get(settings.client_secret_env, "")
        where = f"the environment variable {settings.client_secret_env} is not set"
    else:
        return None
    if not found:
        raise UsageError(where, hint="It holds the secret by which the identity provider knows this workbench")
    return found


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
