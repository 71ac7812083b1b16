"""Who somebody is by the word of a provider, and what they may do by the groups that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from beleg.core.access import Principal
from beleg.core.errors import Error
from beleg.core.workbench_settings import OidcSettings
from beleg.core.workbench_state import PROGRAM

MAX_NAME_CHARS = 200
CALLBACK = "/sign-in/callback"
"""Where a provider leads people back."""
SIGNED_OUT = "/sign-in"
"""Where a provider leads people who signed out there."""
WITHIN_S = 600.0
"""How long somebody may take there."""


class SignInRefused(Error):
    """A provider did not say, in a way that can be believed, who somebody is."""


class NoRole(SignInRefused):
    """A provider says who somebody is, and nothing gives them a role."""


def principal_of_claims(claims: Mapping[str, Any], settings: OidcSettings) -> Principal:
    """The person whom checked claims describe.

    Args:
        claims: of an ID token whose signature, issuer, audience, time and nonce were checked.
        settings: which claims count, and what groups give.

    Raises:
        SignInRefused: if the name or the tenant is missing or cannot be used.
        NoRole: if none of the groups gives a role.

    Example:
        >>> from beleg.core.access import Role
        >>> settings = OidcSettings(issuer="https://id.example", client_id="beleg", tenant="acme",
        ...                         roles={"rag-owners": (Role.OWNER,)})
        >>> claims = {"email": "ada@example.org", "email_verified": True, "groups": ["rag-owners"]}
        >>> principal_of_claims(claims, settings).name
        'ada@example.org'
    """
    name = claims.get(settings.name_claim)
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise SignInRefused(f"the provider's claim {settings.name_claim!r} names nobody")
    if name.strip().startswith(PROGRAM):
        raise SignInRefused(f"the provider's claim {settings.name_claim!r} names a program")
    if settings.name_claim == "email" and claims.get("email_verified") is False:
        raise SignInRefused("the provider did not verify the email address")
    if settings.allowed_domains and not _is_under(claims, settings.allowed_domains):
        raise NoRole("the provider verified no email address under an allowed domain")
    tenant = settings.tenant if settings.tenant is not None else claims.get(str(settings.tenant_claim))
    if not isinstance(tenant, str):
        raise SignInRefused(f"the provider's claim {settings.tenant_claim!r} names no tenant")
    groups = claims.get(settings.roles_claim, [])
    named = [groups] if isinstance(groups, str) else groups
    if not isinstance(named, list):
        raise SignInRefused(f"the provider's claim {settings.roles_claim!r} is no list of groups")
    roles = frozenset(role for group in named if isinstance(group, str) for role in settings.roles.get(group, ()))
    if not roles:
        raise NoRole(f"no group in the claim {settings.roles_claim!r} gives a role")
    return Principal(name=name.strip(), tenant=tenant, roles=roles)


def _is_under(claims: Mapping[str, Any], domains: tuple[str, ...]) -> bool:
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        return False
    # Exactly: who may make addresses under a part of a domain is not always who owns it.
    return email.rpartition("@")[2].lower() in domains
