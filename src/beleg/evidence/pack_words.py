"""What a person is told of a pack, in both languages: the answer first, then why, then what the pack does not hold."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import Decision, Sentence
from beleg.core.pack_faults import PackFault, PackProblem
from beleg.core.packs import MissingReason, PackManifest, PackRole
from beleg.evidence.decision_differences import DecisionDifference

MAX_TOLD = 20

_ROLES: dict[PackRole, tuple[str, str]] = {
    PackRole.RUN: ("the run", "der Lauf"),
    PackRole.SUITE: ("the suite", "die Suite"),
    PackRole.INVENTORY: ("the index inventory", "das Inventar des Index"),
    PackRole.TRACES: ("traces", "Traces"),
    PackRole.FINDINGS: ("findings of judges", "Befunde von Judges"),
    PackRole.CALLS: ("judge calls", "Aufrufe von Judges"),
    PackRole.BASELINE_RUN: ("the baseline", "die Baseline"),
    PackRole.BASELINE_SUITE: ("the baseline's suite", "die Suite der Baseline"),
    PackRole.BASELINE_INVENTORY: ("the baseline's index inventory", "das Inventar der Baseline"),
    PackRole.BASELINE_TRACES: ("the baseline's traces", "die Traces der Baseline"),
    PackRole.BASELINE_FINDINGS: ("the baseline's findings", "die Befunde der Baseline"),
    PackRole.BASELINE_CALLS: ("the baseline's judge calls", "die Judge-Aufrufe der Baseline"),
    PackRole.POLICY: ("the policy", "die Policy"),
    PackRole.POLICY_SOURCE: ("the policy as written", "die Policy, wie sie geschrieben ist"),
    PackRole.CALIBRATION: ("calibration records", "Kalibrierungen"),
    PackRole.LABELS: ("human labels", "Urteile von Menschen"),
    PackRole.DECISION: ("the decision", "die Entscheidung"),
    PackRole.FACTS: ("what else the decision rests on", "worauf die Entscheidung sonst beruht"),
    PackRole.STATEMENT: ("the signed statement", "die signierte Erklärung"),
    PackRole.VSA: ("the verification summary", "die Prüfzusammenfassung"),
    PackRole.OVERRIDE: ("overrides", "Ausnahmen"),
    PackRole.SHEET_HEADER: ("the evidence sheet", "das Belegblatt"),
    PackRole.SHEET_CASES: ("the cases of the evidence sheet", "die Fälle des Belegblatts"),
    PackRole.REVIEW_EVENTS: ("review events", "Prüfereignisse"),
    PackRole.REVIEW_CHECKPOINT: ("the review checkpoint", "der Prüfstand des Prüfbuchs"),
    PackRole.REPLAY: ("a replay comparison", "ein Vergleich mit einer Wiederholung"),
    PackRole.VERSIONS: ("versions", "Versionen"),
    PackRole.SCHEMA: ("schemas", "Schemata"),
}
_REASONS: dict[MissingReason, tuple[str, str]] = {
    MissingReason.NOT_RECORDED: ("not recorded", "nicht aufgezeichnet"),
    MissingReason.NOT_GIVEN: ("not given", "nicht angegeben"),
    MissingReason.NOT_NEEDED: ("not needed", "nicht nötig"),
    MissingReason.REDACTED: ("left out by redaction", "durch Schwärzung weggelassen"),
}
_GAPS: dict[str, tuple[str, str]] = {
    "rows_without_trace": ("rows without a trace", "Zeilen ohne Trace"),
    "rows_without_prompt": ("rows without a recorded prompt", "Zeilen ohne aufgezeichneten Prompt"),
    "rows_without_citations": ("rows without recorded citations", "Zeilen ohne aufgezeichnete Zitate"),
    "rows_without_delivered_passages": (
        "rows without recorded delivered passages",
        "Zeilen ohne aufgezeichnete übergebene Passagen",
    ),
    "manifest_fields_unresolved": ("unresolved fields of the manifest", "offene Felder des Manifests"),
}


def verdict_lines(
    manifest: PackManifest | None,
    decision: Decision | None,
    *,
    problems: Sequence[PackProblem],
    differences: Sequence[DecisionDifference],
    signed: tuple[bool, tuple[str, ...], bool],
) -> list[Sentence]:
    """What became of a pack, in lines.

    Args:
        manifest: what the pack says of itself, where that could be read.
        decision: the decision of a pack that holds.
        problems: the rules that it breaks.
        differences: where its decision is not the one that its rows give.
        signed: whether it is signed, by which trusted keys, and whether redacted texts were put back.
    """
    if decision is None:
        lines = _refusal(problems, differences)
    else:
        lines = [
            Sentence(
                en=f"The pack holds, and its rows give its decision: {decision.verdict.value}.",
                de=f"Das Paket ist unversehrt, und seine Zeilen ergeben seine Entscheidung: {decision.verdict.value}.",
            ),
            decision.headline,
        ]
    if manifest is None:
        return lines
    lines.append(_signature(signed[0], signed[1]))
    return lines + inventory_lines(manifest, is_restored=signed[2])


def inventory_lines(manifest: PackManifest, *, is_restored: bool = False) -> list[Sentence]:
    """What a pack holds, what it lacks and what is redacted, one line each."""
    size = sum(entry.size for entry in manifest.entries)
    lines = [
        Sentence(
            en=f"{len(manifest.entries)} entries, {size:,} bytes; root {manifest.root}",
            de=f"{len(manifest.entries)} Einträge, {f'{size:,}'.replace(',', '.')} Bytes; Wurzel {manifest.root}",
        )
    ]
    for reason in MissingReason:
        roles = [_ROLES[part.role] for part in manifest.missing if part.reason is reason]
        if roles:
            english, german = _REASONS[reason]
            lines.append(
                Sentence(
                    en=f"Not in the pack, {english}: {', '.join(name for name, _ in roles)}",
                    de=f"Nicht im Paket, {german}: {', '.join(name for _, name in roles)}",
                )
            )
    lines += [_gap(gap.role, gap.what, gap.count, gap.names) for gap in manifest.gaps]
    if manifest.redacted is not None:
        kinds = ", ".join(manifest.redacted)
        fields = sum(entry.original.fields for entry in manifest.entries if entry.original is not None)
        put_back = ("; put back from the owner's map", "; aus der Karte des Eigentümers wieder eingesetzt")
        english, german = put_back if is_restored else ("", "")
        lines.append(
            Sentence(
                en=f"Redacted: {kinds} ({fields} texts){english}", de=f"Geschwärzt: {kinds} ({fields} Texte){german}"
            )
        )
    return lines


def _gap(role: PackRole, what: str, count: int, names: Sequence[str]) -> Sentence:
    english, german = _GAPS.get(what, (what, what))
    more = f" … {count - len(names)}" if count > len(names) else ""
    listed = f"{', '.join(names[:3])}{' …' if count > 3 or more else ''}"
    return Sentence(
        en=f"{_ROLES[role][0]}: {count} {english} ({listed})", de=f"{_ROLES[role][1]}: {count} {german} ({listed})"
    )


def _refusal(problems: Sequence[PackProblem], differences: Sequence[DecisionDifference]) -> list[Sentence]:
    lacks = all(problem.fault is PackFault.NOT_RECOMPUTABLE for problem in problems)
    head = ("Not verified", "Nicht nachgeprüft") if lacks else ("Refused", "Abgelehnt")
    told = [problem.sentence for problem in problems]
    first = told[0] if told else Sentence(en="the pack holds no decision", de="das Paket enthält keine Entscheidung")
    lines = [Sentence(en=f"{head[0]}: {first.en}", de=f"{head[1]}: {first.de}"), *told[1:MAX_TOLD]]
    if lacks:
        # Every figure may differ for the same reason; which checks do is what helps.
        differences = [difference for difference in differences if difference.kind in ("verdict", "check")]
    lines += [difference.sentence for difference in differences[:MAX_TOLD]]
    more = max(0, len(problems) - MAX_TOLD) + max(0, len(differences) - MAX_TOLD)
    if more:
        lines.append(Sentence(en=f"… and {more} more", de=f"… und {more} weitere"))
    return lines


def _signature(is_signed: bool, signed_by: Sequence[str]) -> Sentence:  # noqa: FBT001 - one of two facts
    if signed_by:
        keys = ", ".join(key[:16] for key in signed_by)
        return Sentence(en=f"Signed by a trusted key: {keys}", de=f"Signiert mit einem vertrauten Schlüssel: {keys}")
    if is_signed:
        return Sentence(
            en="Signed, and no key was named as trusted: who made the pack is not proved",
            de="Signiert, und kein Schlüssel wurde als vertraut genannt: wer das Paket gemacht hat, ist nicht bewiesen",
        )
    return Sentence(
        en="Not signed: who made the pack is not proved",
        de="Nicht signiert: wer das Paket gemacht hat, ist nicht bewiesen",
    )
