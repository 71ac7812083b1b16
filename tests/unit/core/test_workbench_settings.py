"""The settings of a team's workbench: what would let in the wrong people, or nobody, is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from beleg.core.access import Role
from beleg.core.workbench_settings import OidcSettings, WorkbenchSettings

OIDC: dict[str, Any] = {
    "issuer": "https://id.example/realms/beleg",
    "client_id": "beleg",
    "tenant": "acme",
    "roles": {"owners": ["owner"]},
}


def settings(**fields: Any) -> WorkbenchSettings:
    given = {
        "address": "https://beleg.example",
        "tenants": {"acme": {"project": "acme"}},
        "sign_in": {"accounts": True},
    }
    return WorkbenchSettings.model_validate_json(json.dumps(given | fields))


def test_without_more_than_needed_nothing_is_open_to_others() -> None:
    found = settings()
    assert (found.listen_host, found.listen_port, found.trusted_proxies, found.tls) == ("127.0.0.1", 8765, (), None)
    assert (found.session.idle_hours, found.session.absolute_hours) == (8.0, 24.0)


@pytest.mark.parametrize(
    "address",
    [
        "https://beleg.example",
        "https://beleg.example:8443",
        "https://beleg.example/",
        "https://192.0.2.7",
        "https://[2001:db8::7]",
        "http://localhost:8765",
        "http://127.0.0.1",
        "http://[::1]:8765",
    ],
)
def test_an_address_is_encrypted_or_leads_to_this_machine(address: str) -> None:
    assert settings(address=address).address == address.rstrip("/")


@pytest.mark.parametrize(
    "address",
    [
        "http://beleg.example",
        "http://127.0.0.1.evil.example",
        "http://localhost.evil.example",
        "beleg.example",
        "https://",
        "https://beleg.example/path",
        "https://beleg.example?x=1",
        "https://beleg.example#x",
        "https://ada:secret@beleg.example",
        "https://beleg.example\n.evil",
        "javascript:alert(1)",
    ],
)
def test_any_other_address_is_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        settings(address=address)


@pytest.mark.parametrize("name", ["", "Acme", "1st", "a/b", "../x", "a" * 41, "a_b", "a b"])
def test_a_tenant_has_a_plain_name(name: str) -> None:
    with pytest.raises(ValidationError):
        settings(tenants={name: {"project": "x"}})


def test_a_workbench_has_a_tenant() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        settings(tenants={})


@pytest.mark.parametrize("sign_in", [{}, {"accounts": False}])
def test_where_nobody_could_sign_in_it_is_told(sign_in: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="nobody could sign in: set accounts to true, or describe a provider"):
        settings(sign_in=sign_in)


def test_accounts_are_off_unless_they_are_wanted() -> None:
    assert settings(sign_in={"oidc": OIDC}).sign_in.accounts is False


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"scopes": ["email"]}, "scopes must hold openid"),
        ({"tenant": None}, "either tenant or tenant_claim"),
        ({"tenant_claim": "org"}, "either tenant or tenant_claim"),
        ({"client_secret_env": "A", "client_secret_file": "b"}, "either client_secret_env or client_secret_file"),
        ({"client_secret_env": "not a name"}, "String should match"),
        ({"client_secret": "written down"}, "Extra inputs"),
        ({"roles": {}}, "at least 1 item"),
        ({"roles": {"owners": []}}, "gives no group a role"),
        ({"roles": {"owners": ["boss"]}}, "Input should be"),
        ({"issuer": "http://id.example"}, "an address has the form"),
        ({"issuer": "https://id.example?tenant=1"}, "an address has the form"),
        ({"allowed_domains": ["Example.org"]}, "String should match"),
        ({"allowed_domains": ["@example.org"]}, "String should match"),
        ({"tenant": "nobody"}, "there is no such tenant"),
    ],
)
def test_a_provider_is_described_as_a_whole(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        settings(sign_in={"oidc": {name: value for name, value in (OIDC | changes).items() if value is not None}})


def test_groups_give_the_roles_that_are_named() -> None:
    found = OidcSettings.model_validate_json(json.dumps(OIDC | {"roles": {"x": ["owner", "auditor"]}}))
    assert found.roles == {"x": (Role.OWNER, Role.AUDITOR)}


@pytest.mark.parametrize("proxy", ["10.0.0.7", "10.0.0.0/28", "::1", "2001:db8::/64"])
def test_a_proxy_is_named_by_its_address(proxy: str) -> None:
    assert settings(trusted_proxies=[proxy]).trusted_proxies == (proxy,)


@pytest.mark.parametrize("proxy", ["*", "0.0.0.0/0", "::/0", "proxy.example", "", "10.0.0.1/8"])
def test_nobody_is_trusted_for_coming_from_anywhere(proxy: str) -> None:
    with pytest.raises(ValidationError):
        settings(trusted_proxies=[proxy])


@pytest.mark.parametrize("session", [{"idle_hours": 0}, {"idle_hours": 200}, {"absolute_hours": 1000}])
def test_a_session_ends(session: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        settings(session=session)
