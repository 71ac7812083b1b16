"""Overrides as every report shows them: who answers for what, why, and until when (P6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from beleg.core.decision import Sentence
from beleg.core.override_note import OverrideNote
from beleg.text.numbers import number


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideView:
    """One override as a reader meets it."""

    is_active: bool
    sentence: Sentence
    standing: Sentence
    """The same without the hours left, for a page that counts them down itself."""
    expires_at: datetime
    reason: str
    compensating_control: str


def override_views(notes: Sequence[OverrideNote], at: datetime) -> list[OverrideView]:
    """What is overridden at a time; an expired override is shown as such, since it lets nothing through.

    A report knows no trusted keys, so it says of no override that it counts. The verdict never changes by it: an
    override is a person's word beside the decision, not another decision.
    """
    return [
        OverrideView(
            is_active=not note.is_over(at),
            sentence=_told(note, at, _left(note.hours_left(at))),
            standing=_told(note, at, Sentence(en="", de="")),
            expires_at=note.expires_at,
            reason=note.reason,
            compensating_control=note.compensating_control,
        )
        for note in notes
    ]


def _left(hours: float) -> Sentence:
    if round(hours) < 1:
        return Sentence(en=", less than an hour left", de=", noch keine ganze Stunde")
    if round(hours) == 1:
        return Sentence(en=", 1 hour left", de=", noch 1 Stunde")
    counted = {language: number(hours, language, decimals=0) for language in ("en", "de")}
    return Sentence(en=f", {counted['en']} hours left", de=f", noch {counted['de']} Stunden")


def _told(note: OverrideNote, at: datetime, left: Sentence) -> Sentence:
    until, checks = f"{note.expires_at:%Y-%m-%d %H:%M} UTC", ", ".join(note.checks)
    if note.is_over(at):
        return Sentence(
            en=f"Override expired on {until}: {note.owner}, {note.ticket}, for {checks}; it lets nothing through",
            de=f"Ausnahme abgelaufen am {until}: {note.owner}, {note.ticket}, für {checks}; sie lässt nichts durch",
        )
    is_one = note.signatures == 1
    signed = "1 signature," if is_one else f"{note.signatures} signatures,"
    signiert = "1 Signatur," if is_one else f"{note.signatures} Signaturen,"
    return Sentence(
        en=f"Overridden by {note.owner} ({note.ticket}) in {note.environment} for {checks}{left.en}, "
        f"until {until}; {signed} not checked here: beleg verify tells whether it counts",
        de=f"Ausnahme von {note.owner} ({note.ticket}) in {note.environment} für {checks}{left.de}, "
        f"bis {until}; {signiert} hier nicht geprüft: ob sie gilt, sagt beleg verify",
    )
