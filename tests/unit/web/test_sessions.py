from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from beleg.app.workbench.state_opening import open_state
from beleg.core.access import Principal, Role
from beleg.core.workbench_state import WorkbenchState
from beleg.web.sessions import Sessions
from beleg.web.settings import WebSettings

ADA = Principal(name="ada", tenant="local", roles=frozenset({Role.OWNER}))
SETTINGS = WebSettings(idle_s=60, absolute_s=150, start_token="right")


class Clock:
    """A clock that stands until it is moved."""

    now = datetime(2026, 12, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def state(tmp_path: Path) -> Iterator[WorkbenchState]:
    opened = open_state(str(tmp_path / "state.db"))
    yield opened
    opened.close()


@pytest.fixture
def sessions(clock: Clock, state: WorkbenchState) -> Sessions:
    return Sessions(SETTINGS, state, clock)


def test_a_session_is_found_by_its_id_alone(sessions: Sessions) -> None:
    made = sessions.begin(ADA)
    found = sessions.find(made)
    assert found is not None
    assert found.principal == ADA
    assert sessions.find(made[:-1]) is None
    assert sessions.find("") is None
    assert sessions.find(None) is None


@pytest.mark.parametrize(
    "strange", ["local.", "other.{}", "{}", "local.{}\n", "LOCAL.{}", "local.local.{}", "local/{}"]
)
def test_an_id_of_another_tenant_or_shape_is_none(sessions: Sessions, strange: str) -> None:
    secret = sessions.begin(ADA).partition(".")[2]
    assert sessions.find(strange.format(secret)) is None


def test_it_outlives_the_process_that_it_was_opened_in(sessions: Sessions, clock: Clock, state: WorkbenchState) -> None:
    made = sessions.begin(ADA)
    assert Sessions(SETTINGS, state, clock).find(made) is not None


def test_ids_and_form_tokens_are_never_the_same_twice(sessions: Sessions) -> None:
    ids = [sessions.begin(ADA) for _ in range(50)]
    tokens = {found.form_token for each in ids if (found := sessions.find(each)) is not None}
    assert len(set(ids)) == len(tokens) == 50


def test_what_is_kept_opens_nothing(sessions: Sessions, tmp_path: Path) -> None:
    secret = sessions.begin(ADA).partition(".")[2].encode()
    assert all(secret not in path.read_bytes() for path in tmp_path.iterdir())


def test_an_idle_session_is_over(sessions: Sessions, clock: Clock) -> None:
    made = sessions.begin(ADA)
    clock.move(60)
    assert sessions.find(made) is not None
    clock.move(61)
    assert sessions.find(made) is None


def test_a_session_in_use_is_over_in_the_end_all_the_same(sessions: Sessions, clock: Clock) -> None:
    made = sessions.begin(ADA)
    for _ in range(3):
        clock.move(50)
        assert sessions.find(made) is not None
    clock.move(1)
    assert sessions.find(made) is None


def test_an_ended_session_stays_over(sessions: Sessions) -> None:
    made = sessions.begin(ADA)
    sessions.end(made)
    sessions.end(made)
    assert sessions.find(made) is None


def test_the_token_of_the_start_stands_for_one_person_with_every_role(sessions: Sessions) -> None:
    person = sessions.local_principal("right")
    assert person is not None
    assert (person.name, person.roles) == ("local", frozenset(Role))
    assert sessions.local_principal("wrong") is None
