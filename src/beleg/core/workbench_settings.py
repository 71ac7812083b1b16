"""``workbench.yaml``: how a workbench is served to a team (U2)."""

from __future__ import annotations

import ipaddress
import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from beleg.core.access import Role
from beleg.core.case import Identifier, ShortText
from beleg.core.model import StoredModel
from beleg.core.workbench_state import TenantName

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
EnvironmentName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]

_HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])"
_LOCAL_HOST = r"(?:localhost|127\.0\.0\.1|\[::1\])"
_ADDRESS = re.compile(rf"(?:https://{_HOST}|http://{_LOCAL_HOST})(?::[0-9]{{1,5}})?(?P<path>(?:/[A-Za-z0-9._~%-]*)*)\Z")


def _safe_address(address: str) -> str:
    if _ADDRESS.match(address) is None:
        raise ValueError(
            "an address has the form https://host or https://host/path, without name, password, ? or #; "
            "http:// leads to this machine only"
        )
    return address


def _origin(address: str) -> str:
    origin = address.rstrip("/")
    shape = _ADDRESS.match(origin)
    if shape is None or shape["path"]:
        raise ValueError("the workbench is served at the root of a host: leave the path away")
    return origin


KeyReference = Annotated[str, StringConstraints(pattern=r"^(awskms|gcpkms|azurekms|hv|hsm):[^@]{1,900}@.{1,900}$")]
"""A key that its service never hands out; the workbench must never hold the key of an owner itself."""
SafeAddress = Annotated[str, AfterValidator(_safe_address)]
Origin = Annotated[SafeAddress, AfterValidator(_origin)]


def _proxy(address: str) -> str:
    try:
        network = ipaddress.ip_network(address)
    except ValueError as error:
        raise ValueError(
            f"a proxy is named by its address or network, such as 10.0.0.7 or 10.0.0.0/28: {error}"
        ) from None
    if network.prefixlen == 0:
        raise ValueError("whoever may come from anywhere is no proxy of yours: name its address")
    return address


ProxyAddress = Annotated[str, AfterValidator(_proxy)]
DomainName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$")]


class TenantSettings(StoredModel):
    """What belongs to one tenant; nobody of another one ever sees any of it."""

    project: ShortText
    """The folder with suites, runs and decisions, counted from the settings file."""
    ledger: ShortText | None = None
    """The review ledger: a file, or an address of PostgreSQL; one in the project where none is named."""
    title: Annotated[ShortText, StringConstraints(max_length=100)] | None = None
    """How its people see it called; its name where none is given."""
    override_keys: dict[ShortText, KeyReference] = Field(default_factory=dict)
    """Keys by the owner who signs overrides with them on the page: each in a key service, with the file of its public
    half counted from the settings file, such as ``awskms:alias/weiss@weiss.pub.pem``."""


class OidcSettings(StoredModel):
    """An identity provider by OpenID Connect: authorization code with PKCE."""

    issuer: SafeAddress
    """As the provider calls itself in its tokens."""
    client_id: ShortText
    """As the provider knows this workbench."""
    client_secret_env: EnvironmentName | None = None
    """The environment variable with the client's secret, or"""
    client_secret_file: ShortText | None = None
    """a file that nobody else may read, counted from the settings file. Without either the client is a public one."""
    scopes: tuple[ShortText, ...] = ("openid", "profile", "email")
    """What is asked for; ``openid`` must be among them."""
    name_claim: ShortText = "email"
    """The claim by which reviews and the audit log name a person."""
    roles_claim: ShortText = "groups"
    """The claim with the groups of a person: a list, or one text."""
    roles: Annotated[dict[str, tuple[Role, ...]], Field(min_length=1)]
    """Which roles a group gives; who is in none of them is not let in."""
    allowed_domains: tuple[DomainName, ...] = ()
    """Whose verified email address is under none of these is not let in; without any, the address does not matter."""
    tenant: TenantName | None = None
    """The tenant of everybody who signs in this way, or"""
    tenant_claim: ShortText | None = None
    """the claim that names it."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if "openid" not in self.scopes:
            raise ValueError("scopes must hold openid")
        if self.client_secret_env is not None and self.client_secret_file is not None:
            raise ValueError("name either client_secret_env or client_secret_file")
        if not any(self.roles.values()):
            raise ValueError("nobody could sign in: roles gives no group a role")
        if (self.tenant is None) == (self.tenant_claim is None):
            raise ValueError("name either tenant or tenant_claim")
        return self


class SignInSettings(StoredModel):
    """How people sign in."""

    accounts: bool = False
    """Whether by name and password of this workbench; accounts are made by `beleg workbench add-account`."""
    oidc: OidcSettings | None = None
    """Or by an identity provider."""

    @model_validator(mode="after")
    def _lets_somebody_in(self) -> Self:
        if not self.accounts and self.oidc is None:
            raise ValueError("nobody could sign in: set accounts to true, or describe a provider under oidc")
        return self


class SessionSettings(StoredModel):
    """When people have to sign in again."""

    idle_hours: Annotated[float, Field(gt=0, le=24 * 7)] = 8.0
    """After so many hours without a request."""
    absolute_hours: Annotated[float, Field(gt=0, le=24 * 31)] = 24.0
    """After so many hours in any case."""


class TlsSettings(StoredModel):
    """Certificate and key, where no proxy in front holds them."""

    certificate: ShortText
    """A file in PEM, counted from the settings file."""
    key: ShortText
    """A file in PEM."""


class WorkbenchSettings(StoredModel):
    """``workbench.yaml``."""

    kind: Literal["beleg.workbench/1"] = "beleg.workbench/1"
    """What the file is."""
    address: Origin
    """Where browsers find it, such as ``https://beleg.example.org``."""
    listen_host: Identifier = "127.0.0.1"
    """The address to listen on."""
    listen_port: Annotated[int, Field(ge=0, le=65_535)] = 8765
    """The port to listen on; 0 for a free one."""
    state: ShortText = "state.db"
    """Where sessions, tokens, accounts and the audit log are kept: a file, or an address of PostgreSQL."""
    tenants: Annotated[dict[TenantName, TenantSettings], Field(min_length=1)]
    """By name."""
    sign_in: SignInSettings
    """How people sign in."""
    session: SessionSettings = SessionSettings()
    """When they have to again."""
    tls: TlsSettings | None = None
    """``null`` behind a proxy, and on this machine itself."""
    trusted_proxies: tuple[ProxyAddress, ...] = ()
    """Addresses of proxies whose word about the client's address counts."""

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        oidc = self.sign_in.oidc
        if oidc is not None and oidc.tenant is not None and oidc.tenant not in self.tenants:
            raise ValueError(f"sign_in.oidc.tenant is {oidc.tenant}, and there is no such tenant")
        return self
