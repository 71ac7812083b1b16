"""From checked claims to a person: a name that can be shown, a tenant, and a role, or nobody."""

from __future__ import annotations

from typing import Any

import pytest

from beleg.core.access import Role
from beleg.core.identity import NoRole, SignInRefused, principal_of_claims
from beleg.core.workbench_settings import OidcSettings

CLAIMS: dict[str, Any] = {"email": "ada@example.org", "email_verified": True, "groups": ["owners", "others"]}


def provider(**fields: Any) -> OidcSettings:
    given: dict[str, Any] = {
        "issuer": "https://id.example",
        "client_id": "beleg",
        "tenant": "acme",
        "roles": {"owners": (Role.OWNER,), "bosses": (Role.ADMIN, Role.AUDITOR)},
    }
    return OidcSettings.model_validate(given | fields)


def test_a_person_has_the_roles_of_all_their_groups() -> None:
    found = principal_of_claims(CLAIMS | {"groups": ["owners", "bosses"]}, provider())
    assert (found.name, found.tenant) == ("ada@example.org", "acme")
    assert found.roles == {Role.OWNER, Role.ADMIN, Role.AUDITOR}


def test_one_group_may_be_a_text() -> None:
    assert principal_of_claims(CLAIMS | {"groups": "owners"}, provider()).roles == {Role.OWNER}


def test_roles_and_names_may_stand_in_other_claims() -> None:
    settings = provider(name_claim="preferred_username", roles_claim="beleg_roles")
    found = principal_of_claims({"preferred_username": " ada ", "beleg_roles": ["owners"]}, settings)
    assert (found.name, found.roles) == ("ada", {Role.OWNER})


@pytest.mark.parametrize("groups", [[], None, ["others"], [7, ["owners"]]])
def test_without_a_role_nobody_is_let_in(groups: object) -> None:
    claims = {name: value for name, value in (CLAIMS | {"groups": groups}).items() if value is not None}
    with pytest.raises(NoRole):
        principal_of_claims(claims, provider())


@pytest.mark.parametrize("groups", [7, {"owners": True}])
def test_groups_of_another_kind_are_refused(groups: object) -> None:
    with pytest.raises(SignInRefused, match="no list of groups"):
        principal_of_claims(CLAIMS | {"groups": groups}, provider())


@pytest.mark.parametrize("name", [None, "", "  ", 7, "a" * 201, "a\nb", "a\u202eb"])
def test_a_name_that_cannot_be_shown_names_nobody(name: object) -> None:
    with pytest.raises(SignInRefused, match="names nobody"):
        principal_of_claims(CLAIMS | {"email": name}, provider())


def test_an_address_that_was_not_verified_names_nobody() -> None:
    with pytest.raises(SignInRefused, match="did not verify"):
        principal_of_claims(CLAIMS | {"email_verified": False}, provider())


@pytest.mark.parametrize("email", ["ada@example.org", "Ada@EXAMPLE.org"])
def test_a_verified_address_under_an_allowed_domain_is_let_in(email: str) -> None:
    settings = provider(allowed_domains=("example.org", "example.com"))
    assert principal_of_claims(CLAIMS | {"email": email}, settings).name == email


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ada@evil.example"},
        {"email": "ada@sub.example.org"},
        {"email": "ada@example.org@evil.example"},
        {"email": "ada@notexample.org"},
        {"email_verified": None},
        {"email_verified": "true"},
    ],
)
def test_any_other_address_is_not(claims: dict[str, Any]) -> None:
    with pytest.raises(NoRole, match="allowed domain"):
        principal_of_claims(CLAIMS | claims, provider(allowed_domains=("example.org",)))


def test_domains_count_whatever_names_the_person() -> None:
    settings = provider(allowed_domains=("example.org",), name_claim="sub")
    with pytest.raises(NoRole):
        principal_of_claims({"sub": "u1", "groups": ["owners"]}, settings)


@pytest.mark.parametrize("tenant", [None, 7, ["acme"]])
def test_a_tenant_by_a_claim_must_be_named(tenant: object) -> None:
    settings = provider(tenant=None, tenant_claim="org")
    assert principal_of_claims(CLAIMS | {"org": "other"}, settings).tenant == "other"
    with pytest.raises(SignInRefused, match="names no tenant"):
        principal_of_claims(CLAIMS | {"org": tenant}, settings)
