from __future__ import annotations

import pytest

from beleg.core.access import Principal, Role
from beleg.web.sessions import Sessions
from beleg.web.settings import WebSettings

ADA = Principal(name="ada", tenant="local", roles=frozenset({Role.OWNER}))


class Clock:
    """A clock that stands until it is moved."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Sessions:
    return Sessions(WebSettings(idle_s=60, absolute_s=150, start_token="right"), clock)


def test_a_session_is_found_by_its_id_alone(sessions: Sessions) -> None:
    made = sessions.begin(ADA)
    found = sessions.find(made)
    assert found is not None
    assert found.principal == ADA
    assert sessions.find(made[:-1]) is None
    assert sessions.find("") is None
    assert sessions.find(None) is None


def test_ids_and_form_tokens_are_never_the_same_twice(sessions: Sessions) -> None:
    ids = [sessions.begin(ADA) for _ in range(50)]
    tokens = {found.form_token for each in ids if (found := sessions.find(each)) is not None}
    assert len(set(ids)) == len(tokens) == 50


def test_an_idle_session_is_over(sessions: Sessions, clock: Clock) -> None:
    made = sessions.begin(ADA)
    clock.now += 60
    assert sessions.find(made) is not None
    clock.now += 61
    assert sessions.find(made) is None


def test_a_session_in_use_is_over_in_the_end_all_the_same(sessions: Sessions, clock: Clock) -> None:
    made = sessions.begin(ADA)
    for _ in range(3):
        clock.now += 50
        assert sessions.find(made) is not None
    clock.now += 1
    assert sessions.find(made) is None


def test_an_ended_session_stays_over(sessions: Sessions) -> None:
    made = sessions.begin(ADA)
    sessions.end(made)
    sessions.end(made)
    assert sessions.find(made) is None


def test_the_memory_of_sessions_is_bounded(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.web.sessions.MAX_SESSIONS", 3)
    ids = [sessions.begin(ADA) for _ in range(5)]
    assert [sessions.find(each) is not None for each in ids] == [False, False, True, True, True]


def test_wrong_tokens_are_counted_for_a_minute(sessions: Sessions, clock: Clock) -> None:
    for _ in range(10):
        assert sessions.local_principal("wrong") is None
    assert sessions.is_guessing
    clock.now += 61
    assert not sessions.is_guessing
    assert sessions.local_principal("right") is not None
