"""An answer of the controller in lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from beleg.core.admission import Admission, Waiver
from beleg.core.decision import Sentence

NO_MEMORY = Sentence(
    en="without --state nothing is remembered: an older decision or trust file that is still in date could come back",
    de="ohne --state wird nichts gemerkt: eine ältere, noch gültige Entscheidung oder Vertrauensdatei könnte "
    "zurückkehren",
)


def details(admission: Admission) -> Iterator[Sentence]:
    """What was asked, what the answer rests on, and what became of each file that does not count."""
    yield Sentence(en=f"Candidate: sha256:{admission.subject}", de=f"Kandidat: sha256:{admission.subject}")
    yield Sentence(en=f"Environment: {admission.environment}", de=f"Umgebung: {admission.environment}")
    yield Sentence(en=f"Reason: {admission.reason}", de=f"Grund: {admission.reason}")
    if admission.statement is not None:
        digest, sequence = f"sha256:{admission.statement}", admission.sequence
        yield Sentence(
            en=f"Decision: {digest}, sequence {sequence}",
            de=f"Entscheidung: {digest}, laufende Nummer {sequence}",
        )
    if admission.waiver is not None:
        yield from _of_waiver(admission.waiver)
    for one in admission.envelopes:
        if one.refused is not None:
            yield Sentence(
                en=f"Does not count: {one.name} ({one.refused})", de=f"Zählt nicht: {one.name} ({one.refused})"
            )


def _of_waiver(waiver: Waiver) -> Iterator[Sentence]:
    until, checks = f"{waiver.expires_at:%Y-%m-%d %H:%M} UTC", ", ".join(waiver.checks)
    yield Sentence(
        en=f"Override: {waiver.owner}, {waiver.ticket}, until {until}",
        de=f"Ausnahme: {waiver.owner}, {waiver.ticket}, bis {until}",
    )
    yield Sentence(en=f"  for: {checks}", de=f"  für: {checks}")
    yield Sentence(en=f"  because: {waiver.reason}", de=f"  weil: {waiver.reason}")
    yield Sentence(en=f"  instead: {waiver.compensating_control}", de=f"  stattdessen: {waiver.compensating_control}")
