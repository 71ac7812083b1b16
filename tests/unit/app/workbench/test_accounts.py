"""Accounts: nobody makes their own, nobody locks themselves out, and a change ends what was open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from beleg.app.workbench.accounts import (
    change_password,
    create_account,
    reset_password,
    set_account,
    signed_in_by_password,
)
from beleg.app.workbench.state_opening import open_state
from beleg.core.access import Principal, Role
from beleg.core.errors import DataError, UsageError
from beleg.core.workbench_state import OpenSession, WorkbenchState

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ADMIN = Principal(name="ada", tenant="acme", roles=frozenset({Role.ADMIN}))
PASSWORD = "four words of cheese"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[WorkbenchState]:
    opened = open_state(str(tmp_path / "state.db"))
    create_account(opened, "acme", "ada", [Role.ADMIN], NOW, password=PASSWORD)
    yield opened
    opened.close()


def session(state: WorkbenchState, name: str) -> None:
    person = Principal(name=name, tenant="acme", roles=frozenset({Role.ADMIN}))
    state.begin_session("acme", name, OpenSession(principal=person, form_token="f", began_at=NOW, seen_at=NOW))


def test_name_and_password_give_the_person_with_their_roles(state: WorkbenchState) -> None:
    assert signed_in_by_password(state, "acme", "ada", PASSWORD) == ADMIN


@pytest.mark.parametrize(
    ("tenant", "name", "password"),
    [("acme", "ada", "wrong"), ("acme", "eve", PASSWORD), ("other", "ada", PASSWORD), ("acme", "", PASSWORD)],
)
def test_anything_else_lets_nobody_in(state: WorkbenchState, tenant: str, name: str, password: str) -> None:
    assert signed_in_by_password(state, tenant, name, password) is None


def test_where_there_is_no_account_a_password_is_hashed_all_the_same(
    state: WorkbenchState, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("beleg.app.workbench.accounts.waste_time", asked.append)
    signed_in_by_password(state, "acme", "eve", "typed")
    set_account(state, ADMIN.model_copy(update={"name": "x"}), "ada", roles=[Role.ADMIN], is_disabled=True)
    signed_in_by_password(state, "acme", "ada", PASSWORD)
    assert asked == ["typed", PASSWORD]


def test_a_made_account_has_a_random_password(state: WorkbenchState) -> None:
    account, password = create_account(state, "acme", " bob ", [Role.OWNER], NOW)
    assert account.name == "bob"
    assert signed_in_by_password(state, "acme", "bob", password) is not None


@pytest.mark.parametrize(
    ("name", "roles", "password", "field"),
    [
        ("ada", [Role.OWNER], None, "name"),
        ("", [Role.OWNER], None, "name"),
        ("b\x00b", [Role.OWNER], None, "name"),
        ("program:bob", [Role.OWNER], None, "name"),
        ("bob", [], None, "roles"),
        ("bob", [Role.OWNER], "short", "password"),
    ],
)
def test_what_cannot_be_an_account_is_named_by_its_field(
    state: WorkbenchState, name: str, roles: list[Role], password: str | None, field: str
) -> None:
    with pytest.raises(DataError) as told:
        create_account(state, "acme", name, roles, NOW, password=password)
    assert [problem.field for problem in told.value.problems] == [field]


def test_a_changed_password_ends_what_was_opened_with_the_old_one(state: WorkbenchState) -> None:
    session(state, "ada")
    with pytest.raises(DataError, match="not your password"):
        change_password(state, ADMIN, "wrong", "another four words")
    with pytest.raises(DataError, match="12 to 200"):
        change_password(state, ADMIN, PASSWORD, "short")
    assert state.session("acme", "ada") is not None
    change_password(state, ADMIN, PASSWORD, "another four words")
    assert state.session("acme", "ada") is None
    assert signed_in_by_password(state, "acme", "ada", PASSWORD) is None
    assert signed_in_by_password(state, "acme", "ada", "another four words") == ADMIN


def test_a_new_password_is_random_and_ends_sessions(state: WorkbenchState) -> None:
    session(state, "ada")
    made = reset_password(state, "acme", "ada")
    assert state.session("acme", "ada") is None
    assert signed_in_by_password(state, "acme", "ada", made) == ADMIN


def test_changed_rights_hold_from_now_on(state: WorkbenchState) -> None:
    create_account(state, "acme", "bob", [Role.OWNER], NOW, password=PASSWORD)
    session(state, "bob")
    set_account(state, ADMIN, "bob", roles=[Role.AUDITOR], is_disabled=False)
    assert state.session("acme", "bob") is None
    found = signed_in_by_password(state, "acme", "bob", PASSWORD)
    assert found is not None
    assert found.roles == {Role.AUDITOR}


@pytest.mark.parametrize(("roles", "is_disabled"), [([Role.OWNER], False), ([Role.ADMIN], True), ([], False)])
def test_nobody_locks_themselves_out(state: WorkbenchState, roles: list[Role], is_disabled: bool) -> None:
    with pytest.raises(DataError):
        set_account(state, ADMIN, "ada", roles=roles, is_disabled=is_disabled)
    assert signed_in_by_password(state, "acme", "ada", PASSWORD) == ADMIN


def test_an_account_that_is_not_there_is_told(state: WorkbenchState) -> None:
    for change in (
        lambda: reset_password(state, "acme", "eve"),
        lambda: set_account(state, ADMIN, "eve", roles=[Role.OWNER], is_disabled=False),
    ):
        with pytest.raises(UsageError, match="no such account"):
            change()


def test_everything_that_is_wrong_is_told_at_once(state: WorkbenchState) -> None:
    with pytest.raises(DataError) as told:
        create_account(state, "acme", "", [], NOW)
    assert [problem.field for problem in told.value.problems] == ["name", "roles"]
