"""Whether the passages of a sheet still stand in the sources of today, and which claim rows they take along (E6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from beleg.app.corpora import load_corpus
from beleg.app.sheets import read_sheet, stale_parts
from beleg.core.errors import UsageError
from beleg.core.evidence import EvidenceCase, EvidencePassage, Observation, SheetHeader
from beleg.core.locators import Located, LocatorState
from beleg.evidence.drift import TodaysSources, located_today, with_drift
from beleg.evidence.locators import SourceText
from beleg.reference.settings import CorpusSettings
from beleg.run.folder import RunFolder

NOT_RECORDED = "NOT_RECORDED"
"""The state of a passage whose words were not recorded: nothing can be compared."""


@dataclass(slots=True, kw_only=True)
class PassageToday:
    """A captured passage that is not where it was, and the rows that rest on it."""

    document_id: str
    passage_id: str
    located: Located | None
    case_ids: list[str] = field(default_factory=list)
    claim_ids: list[str] = field(default_factory=list)
    """The claim rows that are not comparable any more."""

    @property
    def state(self) -> str:
        """``MOVED``, ``ORPHAN`` or ``NOT_RECORDED``."""
        return NOT_RECORDED if self.located is None else self.located.state.value

    def to_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "document_id": self.document_id,
            "passage_id": self.passage_id,
            "state": self.state,
            "located": None if self.located is None else self.located.to_json_dict(),
            "case_ids": self.case_ids,
            "not_comparable": self.claim_ids,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What became of all passages of a sheet."""

    run_id: str
    passages: int
    """How many different passages the sheet holds."""
    drifted: tuple[PassageToday, ...]
    """Those that are not ``OK``."""
    not_comparable: Mapping[str, Observation]
    """What is seen of each claim row that rests on them, by claim: it cannot be compared."""

    @property
    def is_none(self) -> bool:
        """Whether there are passages, and every one is exactly where it was."""
        return self.passages > 0 and not self.drifted

    def count(self, state: str) -> int:
        """How many passages are in a state."""
        if state == LocatorState.OK.value:
            return self.passages - len(self.drifted)
        return sum(each.state == state for each in self.drifted)

    def to_json(self) -> dict[str, Any]:
        """The same as JSON data."""
        states = [*(state.value for state in LocatorState), NOT_RECORDED]
        return {
            "run_id": self.run_id,
            "passages": self.passages,
            "states": {state: self.count(state) for state in states},
            "not_comparable": [
                {"claim_id": claim_id, "observation": seen.to_json_dict()}
                for claim_id, seen in self.not_comparable.items()
            ],
            "drifted": [each.to_json() for each in self.drifted],
        }


def locate_in_run(run: Path, other: Path) -> Drift:
    """Looks for the passages of a run's sheet in what the index of another run held.

    Raises:
        UsageError: if there is no sheet, the run changed after it was built, there is no such run, or it holds no
            inventory.
        EvidenceError: if something is damaged.
    """
    sheet = _sheet_of_today(run)
    inventory = RunFolder(other).inventory()
    if inventory is None:
        raise UsageError(
            f"{other} holds no inventory: its candidate could not tell what the index held",
            hint="Name a folder of documents with --documents, or a run that holds inventory.json",
        )
    today = TodaysSources(
        documents={each.document_id: SourceText(each.text) for each in inventory.documents},
        passages={each.passage_id: SourceText(each.text) for each in inventory.passages},
    )
    return _located(*sheet, today)


def locate_in_documents(run: Path, documents: Path) -> Drift:
    """Looks for the passages of a run's sheet in a folder of documents, read as the embedded RAG reads its corpus.

    Raises:
        UsageError: if there is no sheet, the run changed after it was built, or there is no such folder.
        MissingExtra: if the extra ``reference`` is not installed.
        DataError: naming every file that cannot be read.
    """
    sheet = _sheet_of_today(run)
    if not documents.is_dir():
        raise UsageError(f"{documents} is no folder", hint="Name the folder of today's documents with --documents")
    read = load_corpus(CorpusSettings(path="."), base_dir=documents)
    return _located(
        *sheet, TodaysSources(documents={each.document_id: SourceText(each.text) for each in read}, passages={})
    )


def _sheet_of_today(run: Path) -> tuple[SheetHeader, Iterator[EvidenceCase]]:
    """The sheet, which must hold all that the run holds: of a passage that it lacks nothing could be said."""
    sheet = read_sheet(run)
    stale = stale_parts(run)
    if stale:
        raise UsageError(
            f"{run}: {', '.join(stale)} changed after its evidence sheet was built",
            hint=f"Build it anew with: beleg sheet build {run}",
        )
    return sheet


def _located(header: SheetHeader, cases: Iterator[EvidenceCase], today: TodaysSources) -> Drift:
    known: dict[tuple[str, str, str | None], PassageToday | None] = {}
    not_comparable: dict[str, Observation] = {}
    for case in cases:
        lost = {}
        for passage in case.passages:
            key = (passage.document_id, passage.passage_id, passage.passage_digest)
            if key not in known:
                known[key] = _drifted(passage, today)
            drifted = known[key]
            if drifted is not None:
                lost[passage.passage_id] = drifted
                drifted.case_ids.append(case.case_id)
        marked = (with_drift(row, frozenset(lost)) for row in case.claims)
        for before, after in zip(case.claims, marked, strict=True):
            if after is not before:
                seen = not_comparable[after.claim_id] = after.observations[-1]
                for name in seen.subjects:
                    lost[name].claim_ids.append(after.claim_id)
    found = tuple(each for each in known.values() if each is not None)
    return Drift(run_id=header.run_id, passages=len(known), drifted=found, not_comparable=not_comparable)


def _drifted(passage: EvidencePassage, today: TodaysSources) -> PassageToday | None:
    located = located_today(passage, today)
    if located is not None and located.state is LocatorState.OK:
        return None
    return PassageToday(document_id=passage.document_id, passage_id=passage.passage_id, located=located)
