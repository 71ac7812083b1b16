"""Everything that was ever asked and signed to override one decision, what is over included (P6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from beleg.app.overriding import signed_overrides
from beleg.app.workbench.overrides import requests_of
from beleg.app.workbench.workspace import DecisionEntry

KEY_DIGITS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideDeed:
    """A request or an override, as it was written down."""

    at: datetime
    """When it was asked for, or issued."""
    is_signed: bool
    """Whether an owner signed it; a request lets nothing through."""
    owner: str
    """Who answers for it, or is asked to."""
    ticket: str
    checks: tuple[str, ...]
    reason: str
    compensating_control: str
    asked_by: str | None
    """Who asked; ``None`` for a signed one."""
    signed_by: tuple[str, ...]
    """The ids of the keys that signed it, shortened; not checked here."""
    ends: datetime | None
    """``None`` for a request: it never began."""
    is_over: bool


def override_history(entry: DecisionEntry, at: datetime) -> tuple[OverrideDeed, ...]:
    """Every request and override of a decision, the newest first; none where nothing is signed.

    Args:
        entry: the decision.
        at: now, by which overrides are over.
    """
    if entry.signed is None:
        return ()
    signed = [
        OverrideDeed(
            at=each.note.issued_at,
            is_signed=True,
            owner=each.note.owner,
            ticket=each.note.ticket,
            checks=each.note.checks,
            reason=each.note.reason,
            compensating_control=each.note.compensating_control,
            asked_by=None,
            signed_by=tuple(name[:KEY_DIGITS] for name in each.key_ids),
            ends=each.note.expires_at,
            is_over=each.note.is_over(at),
        )
        for each in signed_overrides(entry.folder)
    ]
    asked = [
        OverrideDeed(
            at=each.asked_at,
            is_signed=False,
            owner=each.owner,
            ticket=each.ticket,
            checks=each.checks,
            reason=each.reason,
            compensating_control=each.compensating_control,
            asked_by=each.asked_by,
            signed_by=(),
            ends=None,
            is_over=False,
        )
        for _, each in requests_of(entry.folder)
    ]
    return tuple(sorted([*signed, *asked], key=lambda deed: deed.at, reverse=True))
