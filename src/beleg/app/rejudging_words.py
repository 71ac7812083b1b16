"""What a rejudgement says to a person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from beleg.core.judge_shift import JudgeShift
from beleg.report.safe import one_line

if TYPE_CHECKING:
    from beleg.app.rejudging import RejudgeResult

VERDICTS_DE = {
    "supported": "gestützt",
    "partially_supported": "teilweise gestützt",
    "contradicted": "widerlegt",
    "not_in_context": "nicht im Kontext",
}


def answer_of(result: RejudgeResult, language: str) -> str:
    """How much was judged, and how many verdicts moved by the judge alone."""
    shift, judged = result.shift, result.judging.answer(language)
    if not shift.judges_before:
        never = (
            "nobody had judged the stored run" if language != "de" else "den gespeicherten Lauf hatte niemand beurteilt"
        )
        return f"{judged} · {never}"
    shared = sum(each.in_both for each in shift.claims)
    moved = shift.moved_claims
    if language == "de":
        return f"{judged} · {moved} von {shared} gemeinsamen Aussagen sind allein durch den Judge anders beurteilt"
    return f"{judged} · {moved} of {shared} shared claims have another verdict by the judge alone"


def metric_rows(shift: JudgeShift, language: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows: for each metric how many cases have another score."""
    head = ["Metric", "scored in both", "moved", "before only", "today only"]
    if language == "de":
        head = ["Maß", "in beiden bewertet", "verschoben", "nur vorher", "nur heute"]
    rows = [
        [
            each.metric,
            str(each.scored_in_both),
            str(len(each.moved)),
            str(each.scored_before_only),
            str(each.scored_today_only),
        ]
        for each in shift.metrics
    ]
    return head, rows


def moved_lines(shift: JudgeShift, language: str, *, most: int, chars: int) -> Iterator[str]:
    """The claims with another verdict, of many the first."""
    moved = [each for claims in shift.claims for each in claims.moved]
    for each in moved[:most]:
        old, new = (_verdict(name, language) for name in (each.old, each.new))
        yield f"{one_line(each.case_id)}: {one_line(each.claim, limit=chars)}: {old} → {new}"
    if len(moved) > most:
        yield f"{len(moved) - most} " + ("weitere" if language == "de" else "more")
    apart = sum(each.before_only + each.today_only for each in shift.claims)
    if apart:
        yield (
            f"{apart} Aussagen hat nur einer der Judges gefunden; sie werden nicht verglichen"
            if language == "de"
            else f"{apart} claims were found by one of the judges only; they are not compared"
        )


def _verdict(name: str, language: str) -> str:
    return VERDICTS_DE.get(name, name) if language == "de" else name.replace("_", " ")
