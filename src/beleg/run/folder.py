"""The folder of a run: a header fixed at the start, the journal, and a lock that keeps a second writer out."""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from beleg.core.digest import digest_of_bytes
from beleg.core.errors import EvidenceError, Problem, UsageError, shown
from beleg.core.inventory import Inventory
from beleg.core.model import StoredModel
from beleg.core.run import RunHeader
from beleg.core.suite import Suite
from beleg.core.trace import Trace
from beleg.run import journal
from beleg.run.line_index import LineIndex

Model = TypeVar("Model", bound=StoredModel)

MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one run."""

    path: Path

    @property
    def header_file(self) -> Path:
        """What was fixed before the first case."""
        return self.path / "run.json"

    @property
    def suite_file(self) -> Path:
        """The cases as they were when the run began."""
        return self.path / "suite.json"

    @property
    def inventory_file(self) -> Path:
        """What the candidate's index held."""
        return self.path / "inventory.json"

    @property
    def journal_file(self) -> Path:
        """One line per finished trace."""
        return self.path / "traces.jsonl"

    @property
    def findings_file(self) -> Path:
        """One line per finding of a judge."""
        return self.path / "findings.jsonl"

    @property
    def calls_file(self) -> Path:
        """Every call of a judge with its raw replies."""
        return self.path / "calls.db"

    @property
    def evidence_folder(self) -> Path:
        """The evidence sheet: its header and one line per case."""
        return self.path / "evidence"

    @property
    def scores_file(self) -> Path:
        """The scores, derived from everything above and safe to delete."""
        return self.path / "scores.parquet"

    def exists(self) -> bool:
        """Whether a run was begun here."""
        return self.header_file.exists()

    def require_unused(self) -> None:
        """Refuses a folder in which a run was begun.

        Raises:
            UsageError: if there is a header or a journal, which would pass for one of the new run.
        """
        if self.exists() or self.journal_file.exists():
            raise UsageError(
                f"{self.path} already holds a run; a run is never overwritten",
                hint="Continue it with --resume, or name another folder with --out",
            )

    def create(self, header: RunHeader, suite: Suite, inventory: Inventory | None = None) -> RunHeader:
        """Writes what is fixed. The header comes last: a folder without one is not a run.

        Returns:
            The header as it was written, with the digest of the inventory.

        Raises:
            UsageError: if the folder holds a run already.
            EvidenceError: if the disk takes no more.
        """
        make_folder(self.path)
        self.require_unused()
        write_model(self.suite_file, suite)
        # A start that was killed before it wrote its header may have left an inventory that is none of this run.
        _remove(self.inventory_file)
        digest = None
        if inventory is not None:
            data = _stored(inventory)
            _write(self.inventory_file, data)
            digest = digest_of_bytes(data)
        header = header.model_copy(update={"inventory_digest": digest})
        write_model(self.header_file, header)
        return header

    def header(self) -> RunHeader:
        """The header of the run.

        Raises:
            UsageError: if there is no run here.
            EvidenceError: if the file is damaged, or its manifest is not the one that its digest names.
        """
        if not self.exists():
            raise UsageError(f"{self.path} holds no run", hint="Make one with: beleg run CANDIDATE --suite SUITE")
        header = read_model(RunHeader, self.header_file)
        if header.manifest.digest != header.manifest_digest:
            raise self._header_changed("its manifest does not have its manifest_digest")
        return header

    def suite(self) -> Suite:
        """The suite as the run saw it, checked against the digest in the header, and the header's cases against it.

        Raises:
            EvidenceError: if either was changed after the run began.
        """
        suite, header = _parsed(_suite_of, self.suite_file, _read(self.suite_file)), self.header()
        if suite.digest != header.suite_digest:
            raise EvidenceError(
                f"{self.suite_file} was changed after the run began: its digest is not the one in {self.header_file}",
                hint="Restore the file, or start a new run on the changed suite",
            )
        self._require_cases_of(suite, header)
        return suite

    def _require_cases_of(self, suite: Suite, header: RunHeader) -> None:
        in_suite = [case.case_id for case in suite.cases]
        known = frozenset(in_suite)
        for fault, found in (
            ("which the suite does not hold", [name for name in header.case_ids if name not in known]),
            ("more than once", [name for name, count in Counter(header.case_ids).items() if count > 1]),
        ):
            if found:
                raise self._header_changed(f"its case_ids name {_some(found)} {fault}")
        if header.subset == "all" and header.case_ids != tuple(in_suite):
            raise self._header_changed("it says that all cases were asked, but its case_ids are not those of the suite")

    def _header_changed(self, what: str) -> EvidenceError:
        return EvidenceError(
            f"{self.header_file} was changed after the run began: {what}",
            hint="Restore the file, or start a new run",
        )

    def inventory(self) -> Inventory | None:
        """What the candidate's index held, where it could tell, checked against the digest in the header.

        Raises:
            EvidenceError: if it was changed, removed or added after the run began.
        """
        digest = self.header().inventory_digest
        if not self.inventory_file.exists():
            if digest is not None:
                raise EvidenceError(
                    f"{self.inventory_file} is missing, and {self.header_file} names its digest",
                    hint="Restore the file, or start a new run",
                )
            return None
        data = _read(self.inventory_file)
        if digest_of_bytes(data) != digest:
            raise EvidenceError(
                f"{self.inventory_file} was changed after the run began: its digest is not the one in "
                f"{self.header_file}",
                hint="Restore the file, or start a new run",
            )
        return _parsed(Inventory.model_validate_json, self.inventory_file, data)

    def traces(self) -> journal.JournalContent:
        """The finished traces.

        Raises:
            EvidenceError: if the journal is damaged, or holds a trace that the header does not expect: a header from
                which cases were taken must not hide their traces.
        """
        if not self.journal_file.exists():
            return journal.JournalContent((), 0, 0)
        content = journal.read(self.journal_file)
        self._require_expected([(trace.case_id, trace.repeat) for trace in content.traces])
        return content

    def trace_places(self) -> LineIndex[tuple[str, int], Trace]:
        """Where each trace stands, by case and repeat, for whoever reads them one by one.

        Raises:
            EvidenceError: as `traces` does.
        """
        index = LineIndex.of(
            self.journal_file,
            journal.TRACES,
            lambda trace: (trace.case_id, trace.repeat),
            told_twice=lambda trace: f"case {trace.case_id!r} repeat {trace.repeat} was recorded twice",
        )
        self._require_expected(list(index.places))
        return index

    def _require_expected(self, rows: list[tuple[str, int]]) -> None:
        header = self.header()
        expected = frozenset(header.case_ids)
        stray = [case_id for case_id, _ in rows if case_id not in expected]
        if stray:
            raise EvidenceError(
                f"{self.journal_file} holds traces of {_some(stray)}, which the case_ids of {self.header_file} do not "
                "name",
                hint="One of the files was changed after the run began; restore it, or start a new run",
            )
        repeats = header.settings.repeats
        beyond = [case_id for case_id, repeat in rows if repeat >= repeats]
        if beyond:
            raise EvidenceError(
                f"{self.journal_file} holds more repeats of {_some(beyond)} than the {repeats} that "
                f"{self.header_file} names",
                hint="One of the files was changed after the run began; restore it, or start a new run",
            )

    def traces_digest(self) -> str:
        """The SHA-256 of the whole lines of the journal, as ``sha256:<hex>``, to bind a decision to them."""
        return journal.digest_of_whole_lines(self.journal_file) if self.journal_file.exists() else digest_of_bytes(b"")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps every other process from writing to this run.

        Raises:
            UsageError: if another process is writing, or nothing can be written there.
        """
        make_folder(self.path)
        try:
            descriptor = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise _not_writable(self.path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise UsageError(
                f"another process is writing to {self.path}",
                hint="Wait until it has finished, or name another folder with --out",
            ) from error
        try:
            yield
        finally:
            os.close(descriptor)


def make_folder(path: Path) -> None:
    """Makes a folder for output, if it is not there yet.

    Raises:
        UsageError: if there can be no folder at this place.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_writable(path, error) from error


def _not_writable(path: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write to {path}: {error.strerror}", hint="Name another folder with --out")


def write_model(path: Path, model: StoredModel, *, indent: int | None = None) -> None:
    """Writes a stored value so that a reader sees the old file or the whole new one, even after a power cut.

    Args:
        path: where it goes.
        model: the value.
        indent: by how much nested lines are indented where people read the file; ``None`` writes one line.

    Raises:
        EvidenceError: if the disk takes no more.
    """
    _write(path, _stored(model, indent))


def _stored(model: StoredModel, indent: int | None = None) -> bytes:
    return model.model_dump_json(exclude_none=True, indent=indent).encode() + b"\n"


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _unwritable_file(path, error) from error


def sync_folder(path: Path) -> None:
    """Forces the names in a folder onto the disk: without it, a power cut may undo a rename."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable_file(path, error) from error


def _unwritable_file(path: Path, error: OSError) -> EvidenceError:
    return EvidenceError(
        f"{path} cannot be written: {error.strerror}", hint="Check the rights on the folder and the space on the disk"
    )


def read_model(kind: type[Model], path: Path) -> Model:
    """Reads a stored value that Beleg wrote itself."""
    return _parsed(kind.model_validate_json, path, _read(path))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise EvidenceError(
            f"{path} is missing", hint="The run folder is not whole; restore it or run again"
        ) from error


def _parsed(parse: Callable[[bytes], Model], path: Path, data: bytes) -> Model:
    try:
        return parse(data)
    except ValidationError as error:
        first = error.errors()[0]
        problem = Problem(
            file=str(path), field=".".join(str(part) for part in first["loc"]) or None, message=first["msg"]
        )
        raise EvidenceError(str(problem), hint="The file was changed or cut; restore it or run again") from error


@lru_cache(maxsize=1)
def _suite_of(data: bytes) -> Suite:
    # A run is asked for its suite several times, and its baseline has the same one: reading and hashing it costs far
    # more than comparing its bytes.
    return Suite.model_validate_json(data)


def _some(case_ids: list[str]) -> str:
    """The first cases of a list by name, and how many there are."""
    named = ", ".join(shown(name) for name in case_ids[:MAX_NAMED])
    return f"{named} and {len(case_ids) - MAX_NAMED} more" if len(case_ids) > MAX_NAMED else named
