"""An answer of the controller as one sentence, in English and German."""

from __future__ import annotations

from datetime import timedelta

from beleg.core.admission import Admission
from beleg.core.attestation import AdmissionReason as Reason
from beleg.core.decision import Sentence

_UNITS = ((86_400, "day", "Tag", "Tagen"), (3_600, "hour", "Stunde", "Stunden"), (60, "minute", "Minute", "Minuten"))

_PLAIN: dict[Reason, tuple[str, str]] = {
    Reason.NOTHING_FOUND: (
        "no decision on this candidate was found",
        "zu diesem Kandidaten wurde keine Entscheidung gefunden",
    ),
    Reason.TRUST_UNSIGNED: (
        "the trust file is not signed by the root that was named",
        "die Vertrauensdatei trägt keine Signatur der genannten Wurzel",
    ),
    Reason.TRUST_INVALID: (
        "the root has signed the trust file, but it cannot be followed",
        "die Wurzel hat die Vertrauensdatei signiert, doch sie ist nicht ausführbar",
    ),
    Reason.TRUST_NOT_YET_VALID: (
        "the trust file is dated in the future; check the clocks",
        "die Vertrauensdatei ist auf die Zukunft datiert; die Uhren prüfen",
    ),
    Reason.TRUST_EXPIRED: ("the trust file has expired", "die Vertrauensdatei ist abgelaufen"),
    Reason.TRUST_ROLLBACK: (
        "the trust file is older than one that was seen here before, or another one under its version",
        "die Vertrauensdatei ist älter als eine hier schon gesehene oder eine andere unter deren Version",
    ),
    Reason.BAD_ENVELOPE: ("what was given is no signed envelope", "was vorliegt, ist kein signierter Umschlag"),
    Reason.BAD_SIGNATURE: (
        "the signature does not fit the key that it names",
        "die Signatur passt nicht zu dem Schlüssel, den sie nennt",
    ),
    Reason.WRONG_PAYLOAD_TYPE: (
        "what was signed is no statement: its payload type is another",
        "was signiert wurde, ist keine Aussage: sein Nutzlasttyp ist ein anderer",
    ),
    Reason.NOT_STRICT: (
        "a trusted key has signed something that has not the one form in which it may be read",
        "ein vertrauter Schlüssel hat etwas signiert, das nicht die eine Form hat, in der es gelesen werden darf",
    ),
    Reason.INCONSISTENT: (
        "the decision contradicts itself: verdict and checks do not agree",
        "die Entscheidung widerspricht sich: Urteil und Prüfungen stimmen nicht überein",
    ),
    Reason.WRONG_PREDICATE: (
        "what was signed is no decision",
        "was signiert wurde, ist keine Entscheidung",
    ),
    Reason.UNTRUSTED_KEY: (
        "the trust file does not know the key that signed",
        "die Vertrauensdatei kennt den Schlüssel nicht, der signiert hat",
    ),
    Reason.KEY_NOT_ALLOWED: (
        "the key that signed may not sign this, or not for this environment",
        "der Schlüssel darf dies nicht signieren, oder nicht für diese Umgebung",
    ),
    Reason.KEY_NOT_YET_VALID: (
        "the decision says it was made before its key counted",
        "die Entscheidung will getroffen worden sein, bevor ihr Schlüssel galt",
    ),
    Reason.KEY_RETIRED: ("the key that signed counts no more", "der Schlüssel, der signiert hat, gilt nicht mehr"),
    Reason.BELOW_THRESHOLD: (
        "too few different keys have signed",
        "zu wenige verschiedene Schlüssel haben signiert",
    ),
    Reason.WRONG_SUBJECT: (
        "the decision is about another candidate",
        "die Entscheidung gilt einem anderen Kandidaten",
    ),
    Reason.WRONG_ENVIRONMENT: (
        "the decision is about another environment",
        "die Entscheidung gilt einer anderen Umgebung",
    ),
    Reason.REVOKED: ("the decision was revoked", "die Entscheidung wurde widerrufen"),
    Reason.STALE_SEQUENCE: (
        "the decision was replaced by a newer one",
        "die Entscheidung wurde durch eine neuere ersetzt",
    ),
    Reason.SEQUENCE_TIE: (
        "two different decisions carry the same sequence",
        "zwei verschiedene Entscheidungen tragen dieselbe laufende Nummer",
    ),
    Reason.NO_PACK: (
        "the decision names no audit pack, and the trust file asks for one",
        "die Entscheidung nennt kein Prüfpaket, und die Vertrauensdatei verlangt eines",
    ),
}

_OVERRIDE: dict[Reason, tuple[str, str]] = {
    Reason.OVERRIDE_OF_OTHER: ("the override is of another decision", "die Ausnahme gilt einer anderen Entscheidung"),
    Reason.OVERRIDE_NOT_BY_OWNER: (
        "the owner whom the override names has not signed it",
        "wen die Ausnahme als verantwortlich nennt, hat sie nicht signiert",
    ),
    Reason.OVERRIDE_NOT_YET_VALID: ("the override is dated in the future", "die Ausnahme ist auf die Zukunft datiert"),
    Reason.OVERRIDE_EXPIRED: ("the override has expired", "die Ausnahme ist abgelaufen"),
    Reason.OVERRIDE_TOO_LONG: (
        "the override lives longer than the trust file allows",
        "die Ausnahme läuft länger, als die Vertrauensdatei erlaubt",
    ),
    Reason.OVERRIDE_INCOMPLETE: (
        "the override does not cover every check that failed",
        "die Ausnahme deckt nicht jede Prüfung, die nicht bestanden wurde",
    ),
    Reason.NOT_WAIVABLE: (
        "a check that failed may not be overridden",
        "für eine nicht bestandene Prüfung ist keine Ausnahme erlaubt",
    ),
    Reason.KEY_NOT_ALLOWED: (
        "the key that signed the override may not do so",
        "der Schlüssel, der die Ausnahme signiert hat, darf es nicht",
    ),
    Reason.KEY_NOT_YET_VALID: (
        "the override says it was signed before its key counted",
        "die Ausnahme will signiert worden sein, bevor ihr Schlüssel galt",
    ),
    Reason.KEY_RETIRED: (
        "the key that signed the override counts no more",
        "der Schlüssel, der die Ausnahme signiert hat, gilt nicht mehr",
    ),
    Reason.BELOW_THRESHOLD: (
        "too few different owners have signed the override",
        "zu wenige verschiedene Verantwortliche haben die Ausnahme signiert",
    ),
    Reason.WRONG_SUBJECT: ("the override is about another candidate", "die Ausnahme gilt einem anderen Kandidaten"),
    Reason.WRONG_ENVIRONMENT: ("the override is about another environment", "die Ausnahme gilt einer anderen Umgebung"),
    Reason.REVOKED: ("the override was revoked", "die Ausnahme wurde widerrufen"),
}
"""What keeps an override from counting, where the decision itself is in force."""


def headline(admission: Admission) -> Sentence:
    """The answer in one sentence, to be read first.

    Example:
        >>> from datetime import UTC, datetime
        >>> at = datetime(2026, 11, 30, 12, tzinfo=UTC)
        >>> ended = datetime(2026, 11, 30, 9, tzinfo=UTC)
        >>> place = {"subject": "ab" * 32, "environment": "production", "at": at}
        >>> headline(Admission(admitted=False, reason=Reason.EXPIRED, expires_at=ended, **place)).en
        'DENY: the decision expired 3 hours ago'
    """
    if admission.admitted:
        return _yes(admission)
    en, de = _why(admission)
    return Sentence(en=f"DENY: {en}", de=f"DENY: {de}")


def _yes(admission: Admission) -> Sentence:
    en, de = _lasts(admission)
    place = admission.environment
    if admission.waiver is None:
        return Sentence(
            en=f"ALLOW: the gate said PASS for this candidate in {place}{en}",
            de=f"ALLOW: das Urteil lautet PASS für diesen Kandidaten in {place}{de}",
        )
    said, owner = admission.decision or "", admission.waiver.owner
    return Sentence(
        en=f"ALLOW by override: the gate said {said}, and {owner} answers for the exception in {place}{en}",
        de=f"ALLOW durch Ausnahme: das Urteil lautet {said}, {owner} verantwortet die Ausnahme in {place}{de}",
    )


def _lasts(admission: Admission) -> tuple[str, str]:
    ends = [one for one in (admission.expires_at, admission.waiver and admission.waiver.expires_at) if one]
    if not ends:
        return "", ""
    en, de = duration(min(ends) - admission.at)
    return f"; it counts for {en} more", f"; es gilt noch {de}"


def _why(admission: Admission) -> tuple[str, str]:
    if admission.decision is not None:
        said = admission.decision
        if admission.reason not in _OVERRIDE:
            return f"the gate said {said}, and nothing overrides it", f"das Urteil lautet {said}, ohne Ausnahme"
        en, de = _OVERRIDE[admission.reason]
        return f"the gate said {said}, and {en}", f"das Urteil lautet {said}, und {de}"
    return _why_by_time(admission) or _PLAIN[admission.reason]


def _why_by_time(admission: Admission) -> tuple[str, str] | None:
    issued, begins, ends = admission.issued_at, admission.not_before, admission.expires_at
    if admission.reason is Reason.EXPIRED and ends:
        en, de = duration(admission.at - ends)
        return f"the decision expired {en} ago", f"die Entscheidung ist vor {de} abgelaufen"
    if admission.reason is Reason.TOO_OLD and issued:
        en, de = duration(admission.at - issued)
        return (
            f"the decision was made {en} ago, which is more than the trust file allows",
            f"die Entscheidung fiel vor {de}, und das ist mehr, als die Vertrauensdatei erlaubt",
        )
    if admission.reason is Reason.NOT_YET_VALID and issued and begins:
        en, de = duration(max(issued, begins) - admission.at)
        return (
            f"the decision counts only in {en}; check the clocks if that is not meant",
            f"die Entscheidung gilt erst in {de}; die Uhren prüfen, falls das nicht gemeint ist",
        )
    return None


def duration(length: timedelta) -> tuple[str, str]:
    """A length of time in the largest unit of which it holds at least two, in English and in German (dative).

    Example:
        >>> duration(timedelta(hours=30))
        ('30 hours', '30 Stunden')
    """
    seconds = max(0, int(length.total_seconds()))
    for size, en, de_one, de_many in _UNITS:
        count = seconds // size
        if count >= 2 or (count == 1 and size == 60):
            return (f"{count} {en}s", f"{count} {de_many}") if count > 1 else (f"1 {en}", f"1 {de_one}")
    return f"{seconds} seconds" if seconds != 1 else "1 second", f"{seconds} Sekunden" if seconds != 1 else "1 Sekunde"
