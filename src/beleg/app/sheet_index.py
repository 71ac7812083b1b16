"""The columns of a sheet that filters look at, kept beside it, so that a long sheet is filtered without reading it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.parquet import read_columns, write_parquet
from beleg.core.errors import DataError, Error, EvidenceError, UsageError
from beleg.core.evidence import ClaimRow, EvidenceCase, SheetHeader
from beleg.core.review import ClaimReview
from beleg.core.sheet_export import ExportedCase, SheetFilter
from beleg.evidence.sheet_filter import FACTS, exported_case, facts_of, predicates
from beleg.run.folder import RunFolder
from beleg.run.line_index import LinePlace
from beleg.run.sheet_folder import SheetFolder

VERSION = "1"
"""Raised with every change of what the columns hold, so that indexes of before are made anew."""
PLACES = ("number", "start", "length", "claim")
NO_CLAIM = -1
"""The place of the claim in a row that stands for a case without claims."""

Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Selected:
    """A case, where its line stands, and which of its claims are taken."""

    place: LinePlace
    claims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SheetIndex:
    """Where every claim of a sheet stands, and what filters look at."""

    run: Path
    folder: SheetFolder
    header: SheetHeader
    stamp: str
    _held: Columns | None
    """All columns, where they could not be stored."""

    def select(self, wanted: SheetFilter, reviews: Mapping[str, ClaimReview]) -> list[Selected]:
        """The cases that a filter takes, in order, with the claims that it takes of each.

        Raises:
            UsageError: if the filter asks for segments, and the run holds no suite that tells them.
        """
        asked = predicates(wanted, reviews, self.header.run_id)
        columns = self._columns([*PLACES, *dict.fromkeys(fact for fact, _ in asked)])
        keep = np.ones(len(columns["number"]), dtype=np.bool_)
        for fact, holds in asked:
            cells = columns[fact][keep].tolist()
            if fact == "segments" and None in cells:
                raise UsageError(
                    "the segments of these cases are not known: the run holds no suite",
                    hint="Filter by --case or --case-language",
                )
            keep[keep] = [holds(cell) for cell in cells]
        return _by_case({name: columns[name][keep].tolist() for name in PLACES})

    def read(
        self, selected: Sequence[Selected], wanted: SheetFilter, reviews: Mapping[str, ClaimReview]
    ) -> Iterator[ExportedCase]:
        """Reads selected cases; what the index says of them is checked against what they are.

        Raises:
            EvidenceError: if a line is damaged, or the index does not fit the sheet.
        """
        asked = [pair for pair in predicates(wanted, reviews, self.header.run_id) if pair[0] != "segments"]
        cases = self.folder.read_at(each.place for each in selected)
        for each, case in zip(selected, cases, strict=True):
            if any(place >= len(case.claims) for place in each.claims):
                raise self._unfit()
            rows: list[ClaimRow | None] = [case.claims[place] for place in each.claims]
            for row in rows or [None]:
                facts = facts_of(case, row)
                if not all(holds(facts[fact]) for fact, holds in asked):
                    raise self._unfit()
            yield exported_case(case, each.claims, reviews, self.header.run_id)

    def _columns(self, names: Sequence[str]) -> Columns:
        if self._held is not None:
            return {name: self._held[name] for name in names}
        return read_columns(self.folder.index_file, names)

    def _unfit(self) -> EvidenceError:
        return EvidenceError(
            f"{self.folder.index_file} does not fit the sheet", hint="Delete it; it is made anew when it is needed"
        )


def open_index(run: Path) -> SheetIndex:
    """The index of a run's sheet; it is made, or made anew, where there is none that fits the sheet.

    Raises:
        UsageError: if no sheet was built.
        EvidenceError: if the cases are not those of the header, or a line is damaged.
    """
    folder = SheetFolder(RunFolder(run).evidence_folder)
    header = folder.header()
    folder.require_whole(header)
    stamp = f"{VERSION} {header.cases_digest}"
    if _stored_stamp(folder) == stamp:
        return SheetIndex(run, folder, header, stamp, None)
    columns = _made(run, folder, stamp)
    if not len(columns["number"]):
        return SheetIndex(run, folder, header, stamp, columns)
    try:
        for left in folder.path.glob(f".{folder.index_file.name}.*.partial"):
            # Of a process that was killed; one that still writes finds its file gone and goes on without it.
            left.unlink(missing_ok=True)
        write_parquet(folder.index_file, columns)
    except (OSError, Error):
        # A folder that cannot be written is no reason not to show what it holds.
        return SheetIndex(run, folder, header, stamp, columns)
    return SheetIndex(run, folder, header, stamp, None)


def _stored_stamp(folder: SheetFolder) -> str | None:
    if not folder.index_file.exists():
        return None
    try:
        stamps = read_columns(folder.index_file, ["stamp"])["stamp"]
    except (DataError, UsageError):
        return None
    found = set(stamps.tolist())
    return str(found.pop()) if len(found) == 1 else None


def _made(run: Path, folder: SheetFolder, stamp: str) -> Columns:
    segments = _segments(run)
    places: dict[str, list[int]] = {name: [] for name in PLACES}
    facts: dict[str, list[str | None]] = {name: [] for name in FACTS}
    for number, placed in enumerate(folder.placed(), start=1):
        for claim, row in _rows(placed.record):
            for name, value in zip(PLACES, (number, placed.start, placed.length, claim), strict=True):
                places[name].append(value)
            known = None if segments is None else segments.get(placed.record.case_id, ())
            told = facts_of(placed.record, row, known or ())
            for name in FACTS:
                facts[name].append(None if name == "segments" and known is None else told[name])
    columns: Columns = {name: np.array(values, dtype=np.int64) for name, values in places.items()}
    columns |= {name: np.array(values, dtype=object) for name, values in facts.items()}
    return columns | {"stamp": np.array([stamp] * len(places["number"]), dtype=object)}


def _rows(case: EvidenceCase) -> list[tuple[int, ClaimRow | None]]:
    return list(enumerate(case.claims)) or [(NO_CLAIM, None)]


def _segments(run: Path) -> dict[str, tuple[str, ...]] | None:
    try:
        cases = RunFolder(run).suite().cases
    except Error:
        return None
    return {case.case_id: tuple(f"{key}={label}" for key, label in case.segment_labels().items()) for case in cases}


def _by_case(places: dict[str, list[int]]) -> list[Selected]:
    found: dict[int, tuple[LinePlace, list[int]]] = {}
    for number, start, length, claim in zip(*(places[name] for name in PLACES), strict=True):
        _, claims = found.setdefault(number, (LinePlace(number, start, length), []))
        if claim != NO_CLAIM:
            claims.append(claim)
    return [Selected(place, tuple(claims)) for place, claims in found.values()]
