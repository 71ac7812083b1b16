"""A trust file in lines and rows for people."""

from __future__ import annotations

from beleg.app.trusting import ShownTrust
from beleg.core.attestation import DECISION_TYPE, OVERRIDE_TYPE, VSA_TYPE, TrustFile
from beleg.core.decision import Sentence

HEAD = (
    Sentence(en="Key", de="Schlüssel"),
    Sentence(en="Name", de="Name"),
    Sentence(en="May sign", de="Darf signieren"),
    Sentence(en="Where", de="Wo"),
    Sentence(en="From", de="Von"),
    Sentence(en="Until", de="Bis"),
)

_KINDS = {
    DECISION_TYPE: Sentence(en="decisions", de="Entscheidungen"),
    OVERRIDE_TYPE: Sentence(en="overrides", de="Ausnahmen"),
    VSA_TYPE: Sentence(en="verification summaries", de="Prüfzusammenfassungen"),
}


def made(file: TrustFile) -> Sentence:
    """That a trust file was written and waits for a root."""
    ends = f"{file.expires_at:%Y-%m-%d}"
    return Sentence(
        en=f"Version {file.version} trusts {len(file.keys)} keys until {ends}; no root has signed it yet",
        de=f"Version {file.version} vertraut bis {ends} {len(file.keys)} Schlüsseln; noch hat keine Wurzel signiert",
    )


def signed(file: TrustFile) -> Sentence:
    """That a root has signed."""
    ends = f"{file.expires_at:%Y-%m-%d %H:%M} UTC"
    return Sentence(
        en=f"Signed: version {file.version} counts until {ends}",
        de=f"Signiert: Version {file.version} gilt bis {ends}",
    )


def taken_back(file: TrustFile) -> Sentence:
    """That a next version was written."""
    return Sentence(
        en=f"Version {file.version} takes it back once a root has signed it and the controllers have it",
        de=f"Version {file.version} nimmt es zurück, sobald eine Wurzel sie signiert hat und die Controller sie haben",
    )


def standing(shown: ShownTrust, *, is_over: bool) -> Sentence:
    """Whether a trust file counts, to be read first."""
    version, ends = shown.file.version, f"{shown.file.expires_at:%Y-%m-%d %H:%M} UTC"
    if not shown.is_signed:
        return Sentence(
            en=f"Version {version}: no root has signed it yet", de=f"Version {version}: noch hat keine Wurzel signiert"
        )
    by = {
        True: ("signed by the root that was named", "von der genannten Wurzel signiert"),
        False: ("NOT signed by the root that was named", "NICHT von der genannten Wurzel signiert"),
        None: ("signed, name --root to know by whom", "signiert; --root nennen, um zu wissen von wem"),
    }[shown.signed_by_root]
    return Sentence(
        en=f"Version {version}: {by[0]}; {'expired' if is_over else 'counts until'} {ends}",
        de=f"Version {version}: {by[1]}; {'abgelaufen am' if is_over else 'gilt bis'} {ends}",
    )


def rows(file: TrustFile, language: str) -> list[tuple[str, ...]]:
    """One row a key."""
    return [
        (
            key_id[:16],
            key.name,
            ", ".join(_KINDS[kind].in_language(language) if kind in _KINDS else kind for kind in key.predicate_types),
            ", ".join(key.environments),
            f"{key.valid_from:%Y-%m-%d}",
            f"{key.valid_until:%Y-%m-%d}",
        )
        for key_id, key in file.keys.items()
    ]


def terms(file: TrustFile) -> tuple[Sentence, ...]:
    """What the file says beside its keys."""
    least = ", ".join(f"{name} {number}" for name, number in file.minimum_sequence.items())
    revoked = len(file.revoked_statements)
    return (
        Sentence(
            en=f"Signatures needed: decision {file.decision_threshold}, override {file.override_threshold}",
            de=f"Nötige Signaturen: Entscheidung {file.decision_threshold}, Ausnahme {file.override_threshold}",
        ),
        Sentence(
            en=f"Longest life: decision {file.max_decision_age_hours} h, override {file.max_override_hours} h",
            de=f"Längste Dauer: Entscheidung {file.max_decision_age_hours} h, Ausnahme {file.max_override_hours} h",
        ),
        Sentence(
            en=f"Revoked statements: {revoked}; least sequence: {least or 'none'}",
            de=f"Widerrufene Aussagen: {revoked}; kleinste laufende Nummer: {least or 'keine'}",
        ),
    )
