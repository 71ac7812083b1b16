"""An evidence sheet as CSV: one row per claim, and no cell that a spreadsheet could run (E2, E10)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from beleg.core.sheet_export import ExportedCase
from beleg.report.safe import visible
from beleg.report.sheet_view import CaseView, ClaimView, HumanView, PassageView, VerdictView, case_view
from beleg.report.words import word

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the beginning of a formula."""

CASE_COLUMNS = ("case_id", "query_id", "answer_id", "repeat", "language", "collection", "question", "answer")
CLAIM_COLUMNS = (
    "claim_id", "claim", "span", "citation", "source", "version", "passage_id", "rank", "passage", "passage_digest",
    "document_digest", "attribution", "attribution_rationale", "machine", "machine_rationale", "machine_decider",
    "machine_lacks", "humans", "human_rationale", "reviewed_at", "superseded", "observation", "next_check",
    "open_note", "honest", "case_lacks",
)  # fmt: skip


def cell(text: str) -> str:
    """Text for a spreadsheet: what could be a formula begins with an apostrophe, and nothing in it is unseen.

    Example:
        >>> cell("=HYPERLINK(1)"), cell("five days")
        ("'=HYPERLINK(1)", 'five days')
    """
    shown = visible(text)
    return f"'{shown}" if text.startswith(FORMULA_STARTS) or shown.startswith(FORMULA_STARTS) else shown


def csv_lines(cases: Iterable[ExportedCase], *, language: str = "en") -> Iterator[str]:
    """The sheet line by line, in the form of RFC 4180 with a byte order mark for spreadsheets.

    A case without claims has one row with its case fields alone, so that an honest refusal is not lost.

    Args:
        cases: the cases in order.
        language: the language of heads and verdicts, ``en`` or ``de``.
    """
    yield "\ufeff" + _line([head(name, language) for name in (*CASE_COLUMNS, *CLAIM_COLUMNS)])
    for exported in cases:
        view = case_view(exported)
        for claim in view.claims or (None,):
            yield _line([*_case_cells(view), *_claim_cells(view, claim, language)])


def head(name: str, language: str) -> str:
    """The head of a column."""
    made = {
        "attribution_rationale": ("sheet.attribution", "sheet.rationale"),
        "machine_rationale": ("sheet.machine", "sheet.rationale"),
        "machine_decider": ("sheet.machine", "sheet.reviewers"),
        "machine_lacks": ("sheet.machine", "sheet.lacks"),
        "human_rationale": ("sheet.humans", "sheet.rationale"),
        "case_lacks": ("sheet.case", "sheet.lacks"),
    }
    return ": ".join(word(key, language) for key in made.get(name, (f"sheet.{name}",)))


def _line(cells: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([cell(each) for each in cells])
    return out.getvalue()


def _case_cells(view: CaseView) -> list[str]:
    case = view.case
    return [
        case.case_id, case.query_id, case.answer_id, str(case.repeat), case.language or "", case.collection or "",
        case.question, case.answer or "",
    ]  # fmt: skip


def _claim_cells(view: CaseView, claim: ClaimView | None, language: str) -> list[str]:
    ends = [
        "" if view.case.honest_failure is None else word(f"sheet.{view.case.honest_failure.value}", language),
        _listed(view.case.missing),
    ]
    if claim is None:
        return [""] * (len(CLAIM_COLUMNS) - len(ends)) + ends
    row, passages = claim.row, claim.passages
    seen = (*claim.observations, *view.observations)
    return [
        row.claim_id,
        claim.wording,
        _listed(f"{span.start}:{span.end}" for span in row.spans),
        _listed(claim.markers) or word("sheet.no_citation", language),
        _listed(each.passage.document_id for each in passages),
        _listed(each.passage.document_version or word("sheet.unknown", language) for each in passages),
        _listed(each.passage.passage_id for each in passages),
        _listed(str(each.passage.rank) for each in passages),
        _passages(passages, language),
        _listed(each.passage.passage_digest or word("sheet.unknown", language) for each in passages),
        _listed(each.passage.document_digest or word("sheet.unknown", language) for each in passages),
        claim.attribution.word.in_language(language),
        claim.attribution.rationale,
        *_machine(claim.machine, language),
        _listed(_decided(human, language) for human in _standing(claim)),
        _listed(_why(human) for human in _standing(claim)),
        _listed(f"{human.actor}: {human.at}" for human in _standing(claim)),
        _listed(f"{_decided(human, language)}: {_why(human)}" for human in claim.taken_back),
        _listed(each.observation.in_language(language) for each in seen),
        _listed(each.next_check.in_language(language) for each in seen),
        _listed([*([row.open_note] if row.open_note else []), *(f"{who}: {note}" for who, note in claim.notes)]),
        *ends,
    ]


def _machine(verdict: VerdictView | None, language: str) -> list[str]:
    if verdict is None:
        return [word("sheet.nobody_proposed", language), "", "", ""]
    return [
        verdict.word.in_language(language),
        verdict.rationale,
        " ".join(part for part in (verdict.name, verdict.version) if part),
        _listed(verdict.missing),
    ]


def _standing(claim: ClaimView) -> tuple[HumanView, ...]:
    return (*claim.humans, *((claim.adjudication,) if claim.adjudication is not None else ()))


def _decided(human: HumanView, language: str) -> str:
    verdicts = [each.word.in_language(language) for each in (human.attribution, human.support) if each is not None]
    outdated = f" ({word('sheet.outdated', language)})" if human.is_outdated else ""
    return f"{human.actor}: {', '.join(verdicts)}{outdated}"


def _why(human: HumanView) -> str:
    return " / ".join(each.rationale for each in (human.attribution, human.support) if each is not None)


def _passages(passages: Iterable[PassageView], language: str) -> str:
    missing = word("sheet.text_missing", language)
    return _listed(f"{each.name}: {each.passage.text or missing}" for each in passages)


def _listed(parts: Iterable[str]) -> str:
    return "\n".join(parts)
