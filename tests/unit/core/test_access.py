from __future__ import annotations

import pytest

from beleg.core.access import GRANTS, Access, Principal, Role


def someone(*roles: Role) -> Principal:
    return Principal(name="ada", tenant="local", roles=frozenset(roles))


@pytest.mark.parametrize("role", list(Role))
def test_every_role_may_look(role: Role) -> None:
    assert someone(role).may(Access.READ)


@pytest.mark.parametrize(
    ("access", "role"),
    [
        (Access.REVIEW, Role.REVIEWER),
        (Access.OWN, Role.OWNER),
        (Access.AUDIT, Role.AUDITOR),
        (Access.ADMIN, Role.ADMIN),
    ],
)
def test_what_changes_something_belongs_to_one_role(access: Access, role: Role) -> None:
    assert [each for each in Role if access in GRANTS[each]] == [role]


def test_roles_add_up() -> None:
    both = someone(Role.REVIEWER, Role.OWNER)
    assert both.may(Access.REVIEW)
    assert both.may(Access.OWN)
    assert not both.may(Access.ADMIN)


def test_nobody_without_a_role_sees_anything() -> None:
    assert [access for access in Access if someone().may(access)] == [Access.PUBLIC]
