"""What the commands on evidence sheets say, in English and in German."""

from __future__ import annotations

from beleg.app.sheet_locating import NOT_RECORDED, Drift
from beleg.core.evidence import ObservationCode, SheetHeader
from beleg.core.locators import LocatorState
from beleg.evidence.diagnosis import DIAGNOSES

MAX_NAMED = 5


def built_lines(header: SheetHeader, language: str) -> tuple[str, ...]:
    """What was built. Nothing is counted by verdict: a sheet is no score."""
    if language == "de":
        judged = "mit Vorschlägen eines Judges" if header.findings_digest else "ohne Vorschläge: niemand hat geurteilt"
        claims, cases = _claims_de(header.claim_count), _counted(header.case_count, "Antwort", "Antworten")
        return (f"Nachweisblatt von {header.run_id}: {claims} in {cases}, {judged}",)
    judged = "with proposals of a judge" if header.findings_digest else "without proposals: nobody has judged"
    claims = _counted(header.claim_count, "claim", "claims")
    return (
        f"Evidence sheet of {header.run_id}: {claims} in {_counted(header.case_count, 'answer', 'answers')}, {judged}",
    )


def exported_line(claims: int, cases: int, language: str) -> str:
    """How much was written; never how much of it is good."""
    if language == "de":
        return f"Geschrieben: {_claims_de(claims)} in {_counted(cases, 'Antwort', 'Antworten')}"
    return f"Written: {_counted(claims, 'claim', 'claims')} in {_counted(cases, 'answer', 'answers')}"


def drift_lines(found: Drift, language: str) -> tuple[str, ...]:
    """Whether anything drifted, and what that means."""
    is_german = language == "de"
    if not found.passages:
        return ("Das Blatt enthält keine Passage" if is_german else "The sheet holds no passage",)
    if found.is_none:
        if is_german:
            return (f"Heute wortgleich an ihrer Stelle: {found.passages} von {found.passages} Passagen",)
        return (f"Word for word where they stood: {found.passages} of {found.passages} passages",)
    counts = ", ".join(
        f"{found.count(state)} {state}"
        for state in (*(each.value for each in LocatorState), NOT_RECORDED)
        if found.count(state)
    )
    rows = len(found.not_comparable)
    drift = DIAGNOSES[ObservationCode.LOCATOR_DRIFT]
    told = f"{drift.observation.in_language(language)} {drift.next_check.in_language(language)}"
    if is_german:
        first = f"Heute stehen nicht mehr so da: {len(found.drifted)} von {found.passages} Passagen ({counts})"
        second = f"Nicht vergleichbar: {_claims_de(rows)}; MOVED bestätigt ein Mensch"
    else:
        first = f"Not as they stood: {len(found.drifted)} of {found.passages} passages ({counts})"
        second = f"Not comparable: {_counted(rows, 'claim row', 'claim rows')}; a person confirms MOVED"
    return first, second, told


def drift_head(language: str) -> tuple[str, ...]:
    """The head of the table of passages that drifted."""
    if language == "de":
        return ("Quelle", "Passage", "Zustand", "nicht vergleichbar")
    return ("source", "passage", "state", "not comparable")


def drift_rows(found: Drift, language: str) -> list[tuple[str, ...]]:
    """One row for each passage that drifted, with the claim rows that rest on it."""
    none = "keine Aussage" if language == "de" else "no claim"
    return [
        (each.document_id, each.passage_id, each.state, _named(each.claim_ids, language) or none)
        for each in found.drifted
    ]


def _named(names: list[str], language: str) -> str:
    more = len(names) - MAX_NAMED
    told = ", ".join(names[:MAX_NAMED])
    if more <= 0:
        return told
    return f"{told} und {more} weitere" if language == "de" else f"{told} and {more} more"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _claims_de(number: int) -> str:
    return _counted(number, "Aussage", "Aussagen")
