"""The evidence sheet of a run on disk: a header, and one checked line per case."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from beleg.core.errors import EvidenceError, UsageError
from beleg.core.evidence import EvidenceCase, SheetHeader
from beleg.run.checked_lines import LineKind, LineWriter, PlacedRecord, decoded, digest_of_whole_lines, each_line
from beleg.run.folder import make_folder, read_model, sync_folder, write_model
from beleg.run.line_index import LinePlace

BUILD_AGAIN = "build the sheet again with: beleg sheet build RUN"

CASES: LineKind[EvidenceCase] = LineKind(
    name="evidence",
    model=EvidenceCase,
    told=lambda case: f"the evidence of case {case.case_id!r}",
    go_on=BUILD_AGAIN,
    anew=BUILD_AGAIN,
    file="the evidence sheet",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSize:
    """What was written: how much, and its content address."""

    cases: int
    claims: int
    digest: str


@dataclass(frozen=True, slots=True)
class SheetFolder:
    """The files of an evidence sheet."""

    path: Path

    @property
    def header_file(self) -> Path:
        """What all cases share, written last."""
        return self.path / "header.json"

    @property
    def cases_file(self) -> Path:
        """One line per case."""
        return self.path / "cases.jsonl"

    @property
    def index_file(self) -> Path:
        """Where each claim stands and what a filter looks at; derived, and may be deleted at any time."""
        return self.path / "index.parquet"

    def exists(self) -> bool:
        """Whether a sheet was built here."""
        return self.header_file.exists()

    def write(self, cases: Iterable[EvidenceCase], header: Callable[[SheetSize], SheetHeader]) -> SheetHeader:
        """Writes a sheet case by case; until the last moment the sheet of before stays as it was.

        A kill leaves the old sheet, or a part that the next build throws away, or cases whose header does not name
        them, which are refused on reading.

        Args:
            cases: the cases in order; they are taken one by one and never held together.
            header: makes the header once all are written.

        Raises:
            EvidenceError: if the disk takes no more.
        """
        make_folder(self.path)
        partial = self.path / ".cases.jsonl.partial"
        n_cases = n_claims = 0
        with LineWriter(CASES, partial, keep_bytes=0) as writer:
            for case in cases:
                writer.append(case)
                n_cases += 1
                n_claims += len(case.claims)
        made = header(SheetSize(cases=n_cases, claims=n_claims, digest=digest_of_whole_lines(partial)))
        try:
            partial.replace(self.cases_file)
            sync_folder(self.path)
        except OSError as error:
            raise EvidenceError(
                f"{self.cases_file} cannot be written: {error.strerror}",
                hint="Check the rights on the folder and the space on the disk",
            ) from error
        write_model(self.header_file, made)
        return made

    def header(self) -> SheetHeader:
        """The header.

        Raises:
            UsageError: if no sheet was built here.
            EvidenceError: if it is damaged.
        """
        if not self.exists():
            raise UsageError(f"{self.path.parent} holds no evidence sheet", hint="Build it with: beleg sheet build RUN")
        return read_model(SheetHeader, self.header_file)

    def cases(self, header: SheetHeader) -> Iterator[EvidenceCase]:
        """The cases one by one, each line checked; at the end all of them against the header.

        Raises:
            EvidenceError: if a line is damaged or cut, or the cases are not those of the header.
        """
        whole = hashlib.sha256()
        try:
            with self.cases_file.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    whole.update(line)
                    yield decoded(self.cases_file, number, line, CASES)
        except FileNotFoundError as error:
            raise self._changed("it is missing") from error
        if f"sha256:{whole.hexdigest()}" != header.cases_digest:
            raise self._changed(f"its digest is not the one in {self.header_file}")

    def require_whole(self, header: SheetHeader) -> None:
        """Makes sure that the cases are those of the header, without reading what they say.

        Raises:
            EvidenceError: if they are not.
        """
        try:
            with self.cases_file.open("rb") as file:
                whole = hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError as error:
            raise self._changed("it is missing") from error
        if f"sha256:{whole}" != header.cases_digest:
            raise self._changed(f"its digest is not the one in {self.header_file}")

    def placed(self) -> Iterator[PlacedRecord[EvidenceCase]]:
        """The cases and where their lines stand, each line checked.

        Raises:
            EvidenceError: if a line is damaged.
        """
        return each_line(self.cases_file, CASES)

    def read_at(self, places: Iterable[LinePlace]) -> Iterator[EvidenceCase]:
        """The cases of some lines, each line checked.

        Raises:
            EvidenceError: if a line is damaged, or none stands there.
        """
        with self.cases_file.open("rb") as file:
            for place in places:
                file.seek(place.start)
                yield decoded(self.cases_file, place.number, file.read(place.length), CASES)

    def _changed(self, what: str) -> EvidenceError:
        return EvidenceError(f"{self.cases_file}: {what}", hint=BUILD_AGAIN[0].upper() + BUILD_AGAIN[1:])
