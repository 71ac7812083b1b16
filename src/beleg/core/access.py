"""Who may do what in the workbench: roles, what each is granted, and the person behind a request."""

from __future__ import annotations

from enum import StrEnum

from beleg.core.case import Identifier
from beleg.core.model import StoredModel


class Access(StrEnum):
    """What a route asks for; every route names exactly one."""

    PUBLIC = "public"
    """Anybody: the page to sign in, style and script."""
    READ = "read"
    """Runs, decisions, cases and sheets."""
    REVIEW = "review"
    """Giving verdicts on claims."""
    OWN = "own"
    """Asking for and approving overrides."""
    AUDIT = "audit"
    """Audit packs, and who read them."""
    ADMIN = "admin"
    """People, tokens and their rights."""


class Role(StrEnum):
    """What a person is to a workspace; one may be several things."""

    REVIEWER = "reviewer"
    OWNER = "owner"
    AUDITOR = "auditor"
    ADMIN = "admin"


GRANTS: dict[Role, frozenset[Access]] = {
    Role.REVIEWER: frozenset({Access.READ, Access.REVIEW}),
    Role.OWNER: frozenset({Access.READ, Access.OWN}),
    Role.AUDITOR: frozenset({Access.READ, Access.AUDIT}),
    Role.ADMIN: frozenset({Access.READ, Access.ADMIN}),
}
"""Nothing is granted by another grant: who is to review and to own has both roles."""


class Principal(StoredModel):
    """The person or program behind a request."""

    name: Identifier
    """As reviews and the audit log name them."""
    tenant: Identifier
    """Whose runs they see."""
    roles: frozenset[Role]

    def may(self, access: Access) -> bool:
        """Whether a route that asks for this is open to them.

        Example:
            >>> someone = Principal(name="ada", tenant="local", roles=frozenset({Role.REVIEWER}))
            >>> someone.may(Access.REVIEW), someone.may(Access.OWN)
            (True, False)
        """
        return access is Access.PUBLIC or any(access in GRANTS[role] for role in self.roles)
