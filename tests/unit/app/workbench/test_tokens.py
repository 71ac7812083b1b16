"""Tokens of programs: told once, kept as a hash, never more than their maker may."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from beleg.app.workbench.state_opening import open_state
from beleg.app.workbench.tokens import create_token, open_token
from beleg.core.access import Principal, Role
from beleg.core.errors import DataError
from beleg.core.workbench_state import ApiToken, WorkbenchState

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
ADA = Principal(name="ada", tenant="acme", roles=frozenset({Role.ADMIN, Role.REVIEWER}))


@pytest.fixture
def state(tmp_path: Path) -> Iterator[WorkbenchState]:
    opened = open_state(str(tmp_path / "state.db"))
    yield opened
    opened.close()


def made(state: WorkbenchState, **changes: object) -> tuple[ApiToken, str]:
    given: dict[str, object] = {"label": "nightly", "roles": frozenset({Role.REVIEWER}), "days": 30, "at": NOW}
    return create_token(state, ADA, **(given | changes))  # type: ignore[arg-type]


def test_a_token_opens_for_its_tenant_with_its_roles(state: WorkbenchState) -> None:
    token, text = made(state)
    found = open_token(state, text, NOW)
    assert found is not None
    assert found.token_id == token.token_id
    assert (found.principal.name, found.principal.tenant, found.principal.roles) == (
        "program:nightly",
        "acme",
        {Role.REVIEWER},
    )


def test_its_text_holds_256_random_bits_and_is_kept_nowhere(state: WorkbenchState, tmp_path: Path) -> None:
    texts = [made(state)[1] for _ in range(5)]
    assert len(set(texts)) == 5
    assert all(len(text.removeprefix("beleg_acme_")) == 43 for text in texts)
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert all(text[-43:].encode() not in held for text in texts)


@pytest.mark.parametrize("after", [timedelta(days=30), timedelta(days=400)])
def test_it_ends_by_itself(state: WorkbenchState, after: timedelta) -> None:
    assert open_token(state, made(state)[1], NOW + after) is None


def test_it_ends_when_it_is_taken_back(state: WorkbenchState) -> None:
    token, text = made(state)
    state.revoke_token("acme", token.token_id, NOW)
    assert open_token(state, text, NOW) is None


def test_it_opens_no_other_tenant(state: WorkbenchState) -> None:
    assert open_token(state, made(state)[1].replace("_acme_", "_other_"), NOW) is None


@pytest.mark.parametrize(
    "text", ["", "beleg", "beleg_acme_", "beleg_acme_" + "x" * 43, "x" * 10_000, "beleg_ACME_" + "x" * 43]
)
def test_anything_else_opens_nothing(state: WorkbenchState, text: str) -> None:
    assert open_token(state, text, NOW) is None


def test_when_it_was_used_is_known_to_the_minute(state: WorkbenchState) -> None:
    _, text = made(state)
    for seconds, noted in ((5, 5), (20, 5), (70, 70)):
        open_token(state, text, NOW + timedelta(seconds=seconds))
        assert state.tokens("acme")[0].last_used_at == NOW + timedelta(seconds=noted)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"label": " "}, "label"),
        ({"label": "a\u202eb\n"}, "label"),
        ({"roles": frozenset()}, "roles"),
        ({"roles": frozenset({Role.OWNER})}, "roles"),
        ({"roles": frozenset({Role.ADMIN})}, "roles"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
    ],
)
def test_what_cannot_be_passed_on_is_named_by_its_field(
    state: WorkbenchState, changes: dict[str, object], field: str
) -> None:
    with pytest.raises(DataError) as told:
        made(state, **changes)
    assert [problem.field for problem in told.value.problems] == [field]
    assert state.tokens("acme") == ()


def test_everything_that_is_wrong_is_told_at_once(state: WorkbenchState) -> None:
    with pytest.raises(DataError) as told:
        made(state, label="", roles=frozenset(), days=0)
    assert [problem.field for problem in told.value.problems] == ["label", "roles", "days"]
