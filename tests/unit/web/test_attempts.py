"""Who guesses is not listened to for a while, and nobody else is kept out."""

from __future__ import annotations

import pytest

from beleg.web.attempts import ALLOWED, WITHIN_S, Attempts


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_ten_failures_within_a_minute_are_too_many_and_are_forgotten_after_it() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for number in range(ALLOWED):
        assert not attempts.is_guessing("eve"), number
        attempts.failed("eve")
    assert attempts.is_guessing("eve")
    clock.now += WITHIN_S + 1
    assert not attempts.is_guessing("eve")


def test_nobody_else_is_kept_out() -> None:
    attempts = Attempts()
    for _ in range(50):
        attempts.failed("address 10.0.0.1", "account ada")
    assert attempts.is_guessing("address 10.0.0.2", "account ada")
    assert attempts.is_guessing("address 10.0.0.1", "account bob")
    assert not attempts.is_guessing("address 10.0.0.2", "account bob")


def test_many_addresses_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beleg.web.attempts.MOST_KEYS", 5)
    attempts = Attempts()
    for number in range(100):
        attempts.failed(str(number))
    assert len(attempts._failures) == 5
