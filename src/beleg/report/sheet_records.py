"""The evidence sheet inside the report: one record per answer, its texts shared with the cases, and a claim list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beleg.core.decision import Sentence
from beleg.core.sheet_export import NOBODY, ExportedCase
from beleg.report.evidence import utf16_length
from beleg.report.records import ItemTable
from beleg.report.sheet_view import (
    CaseView,
    ClaimView,
    HumanView,
    ObservationView,
    PassageView,
    VerdictView,
    case_view,
)
from beleg.report.sheet_words import honest_failure_word

ANSWERS_PER_BLOCK = 50
LISTED_CHARS = 120
"""So much of a claim's wording stands in the list of all claims; the case shows all of it."""
PEOPLE_DIFFER = "differ"

Record = dict[str, Any]


@dataclass(slots=True)
class SheetRecords:
    """The sheet as data of the page."""

    answers: list[Record] = field(default_factory=list)
    """One per answer, in the order of the sheet."""
    index: dict[str, Any] = field(default_factory=dict)
    """The columns of the list of claims, and which case each answer belongs to."""


def sheet_records(cases: Iterable[ExportedCase], row_of_case: Mapping[str, int], table: ItemTable) -> SheetRecords:
    """Turns a sheet into records over the item table of the cases, so that a passage stands once in the page.

    Args:
        cases: the answers of the sheet, taken one by one.
        row_of_case: where each case stands in the report; an answer to any other case is left out.
        table: the texts of the report; what the sheet adds comes behind them.
    """
    columns, writer = _Columns(), _Writer(table)
    made = SheetRecords(index={"perBlock": ANSWERS_PER_BLOCK, "rows": [], "claims": columns.columns})
    for exported in cases:
        row = row_of_case.get(exported.case.case_id)
        if row is None:
            continue
        view = case_view(exported)
        for place, claim in enumerate(view.claims):
            columns.add(len(made.answers), place, claim)
        made.index["rows"].append(row)
        made.answers.append(writer.answer(view))
    return made


class _Columns:
    """What the list of claims can be filtered by."""

    def __init__(self) -> None:
        names = ("answer", "place", "id", "text", "attribution", "machine", "human")
        self.columns: dict[str, list[Any]] = {name: [] for name in names}

    def add(self, answer: int, place: int, claim: ClaimView) -> None:
        row = claim.row
        values = (
            answer,
            place,
            row.claim_id,
            " ".join(claim.wording[:LISTED_CHARS].split()),
            row.attribution.verdict.value,
            NOBODY if row.support is None else row.support.verdict.value,
            human_code(claim),
        )
        for name, value in zip(self.columns, values, strict=True):
            self.columns[name].append(value)


def human_code(claim: ClaimView) -> str:
    """What people decided about the support of a claim, in one word for a list.

    That is the verdict that settled it, else the one that all gave; ``differ`` where they do not agree, and ``nobody``
    where no person decided about the claim as it stands.
    """
    settled = claim.adjudication
    deciding = [settled] if settled is not None and not settled.is_outdated and settled.support else claim.humans
    given = {each.support.code for each in deciding if each.support is not None and not each.is_outdated}
    if not given:
        return NOBODY
    return given.pop() if len(given) == 1 else PEOPLE_DIFFER


class _Writer:
    def __init__(self, table: ItemTable) -> None:
        self._table = table

    def answer(self, view: CaseView) -> Record:
        case = view.case
        return _kept(
            {
                "repeat": case.repeat or None,
                "failure": self._text(case.failure_note),
                "honest": None if case.honest_failure is None else _both(honest_failure_word(case.honest_failure)),
                "gaps": list(case.known_gaps),
                "missing": list(case.missing),
                "observations": _observations(view.observations),
                "claims": [self._claim(claim) for claim in view.claims],
            }
        )

    def _claim(self, claim: ClaimView) -> Record:
        row = claim.row
        return _kept(
            {
                "id": row.claim_id,
                "text": self._text(claim.wording),
                "restated": self._text(row.restated),
                "markers": list(claim.markers),
                "attribution": self._verdict(claim.attribution),
                "machine": self._verdict(claim.machine),
                "humans": [self._human(human) for human in claim.humans],
                "settled": self._human(claim.adjudication),
                "takenBack": [self._human(human) for human in claim.taken_back],
                "disputes": [list(pair) for pair in claim.disputes],
                "assignees": list(claim.assignees),
                "notes": [list(pair) for pair in claim.notes],
                "note": self._text(row.open_note),
                "observations": _observations(claim.observations),
                "passages": [self._passage(passage) for passage in claim.passages],
                "unknown": list(claim.unknown_passages),
            }
        )

    def _passage(self, view: PassageView) -> list[Any]:
        """A passage, its rank, whether it was delivered, and where it is quoted, as a browser counts."""
        passage = view.passage
        spans, at = [], 0
        for part in view.parts:
            length = utf16_length(part.text)
            spans += [[at, at + length]] if part.is_quoted else []
            at += length
        if spans and passage.text is not None:
            self._table.quoted.add(self._table.text(passage.text))
        return [self._table.evidence_passage(passage), passage.rank, passage.delivered, spans]

    def _verdict(self, verdict: VerdictView | None) -> Record | None:
        if verdict is None:
            return None
        return _kept(
            {
                "shape": verdict.shape,
                "word": _both(verdict.word),
                "by": _both(verdict.decider),
                "why": self._text(verdict.rationale),
                "lacks": list(verdict.missing),
                "flags": list(verdict.flags),
                "condition": verdict.condition,
                "at": verdict.at,
            }
        )

    def _human(self, human: HumanView | None) -> Record | None:
        if human is None:
            return None
        return _kept(
            {
                "who": human.actor,
                "at": human.at,
                "outdated": human.is_outdated or None,
                "attribution": self._verdict(human.attribution),
                "support": self._verdict(human.support),
                "reason": self._text(human.reason),
                "note": self._text(human.note),
            }
        )

    def _text(self, text: str | None) -> int | None:
        return None if text is None else self._table.text(text)


def _observations(observations: Sequence[ObservationView]) -> list[Record]:
    return [
        {
            "seen": _both(Sentence(en=f"{each.record.en} {each.observation.en}",
                                   de=f"{each.record.de} {each.observation.de}")),
            "next": _both(each.next_check),
            "subjects": list(each.subjects),
        }
        for each in observations
    ]  # fmt: skip


def _both(sentence: Sentence) -> list[str]:
    return [sentence.en, sentence.de]


def _kept(record: Record) -> Record:
    return {key: value for key, value in record.items() if value is not None and value != []}
