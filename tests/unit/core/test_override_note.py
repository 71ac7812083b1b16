"""How long an override still lets something through."""

from datetime import timedelta

from beleg.core.override_note import OverrideNote
from support.signing import WHEN

NOTE = OverrideNote(
    owner="A", reason="r", ticket="t", compensating_control="c", checks=("x",), environment="production",
    issued_at=WHEN, expires_at=WHEN + timedelta(hours=6), signatures=1,
)  # fmt: skip


def test_it_is_over_at_the_very_instant_it_names() -> None:
    assert not NOTE.is_over(WHEN + timedelta(hours=5, minutes=59))
    assert NOTE.is_over(WHEN + timedelta(hours=6))


def test_hours_left_never_fall_below_none() -> None:
    assert NOTE.hours_left(WHEN + timedelta(hours=1)) == 5.0
    assert NOTE.hours_left(WHEN + timedelta(days=2)) == 0.0
