"""The folder of a run: a header fixed at the start, the journal, and a lock that keeps a second writer out."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from beleg.core.errors import EvidenceError, Problem, UsageError
from beleg.core.inventory import Inventory
from beleg.core.model import StoredModel
from beleg.core.run import RunHeader
from beleg.core.suite import Suite
from beleg.run import journal

Model = TypeVar("Model", bound=StoredModel)


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

    def create(self, header: RunHeader, suite: Suite, inventory: Inventory | None = None) -> None:
        """Writes what is fixed. The header comes last: a folder without one is not a run."""
        make_folder(self.path)
        self.require_unused()
        write_model(self.suite_file, suite)
        if inventory is not None:
            write_model(self.inventory_file, inventory)
        write_model(self.header_file, header)

    def header(self) -> RunHeader:
        """The header of the run.

        Raises:
            UsageError: if there is no run here.
        """
        if not self.exists():
            raise UsageError(f"{self.path} holds no run", hint="Make one with: beleg run CANDIDATE --suite SUITE")
        return read_model(RunHeader, self.header_file)

    def suite(self) -> Suite:
        """The suite as the run saw it, checked against the digest in the header."""
        suite = read_model(Suite, self.suite_file)
        if suite.digest != self.header().suite_digest:
            raise EvidenceError(
                f"{self.suite_file} was changed after the run began: its digest is not the one in {self.header_file}",
                hint="Restore the file, or start a new run on the changed suite",
            )
        return suite

    def inventory(self) -> Inventory | None:
        """What the candidate's index held, where it could tell."""
        return read_model(Inventory, self.inventory_file) if self.inventory_file.exists() else None

    def traces(self) -> journal.JournalContent:
        """The finished traces."""
        if not self.journal_file.exists():
            return journal.JournalContent((), 0, 0)
        return journal.read(self.journal_file)

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


def write_model(path: Path, model: StoredModel) -> None:
    """Writes a stored value so that a reader sees the old file or the whole new one.

    Raises:
        EvidenceError: if the disk takes no more.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            file.write(model.model_dump_json(exclude_none=True, indent=None).encode())
            file.write(b"\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise EvidenceError(
            f"{path} cannot be written: {error.strerror}",
            hint="Check the rights on the folder and the space on the disk",
        ) from error


def read_model(kind: type[Model], path: Path) -> Model:
    """Reads a stored value that Beleg wrote itself."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise EvidenceError(
            f"{path} is missing", hint="The run folder is not whole; restore it or run again"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        problem = Problem(
            file=str(path), field=".".join(str(part) for part in first["loc"]) or None, message=first["msg"]
        )
        raise EvidenceError(str(problem), hint="The file was changed or cut; restore it or run again") from error
