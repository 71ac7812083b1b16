"""The ledger of use: every time a release or holdout suite was looked at, appended and never rewritten (G4)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, Field, ValidationError

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.digest import canonical_json
from beleg.core.errors import EvidenceError, Problem
from beleg.core.model import StoredModel
from beleg.core.suite import SuiteHeader, SuiteKind
from beleg.suites.durable import sync_folder

COUNTED_KINDS = frozenset({SuiteKind.RELEASE, SuiteKind.HOLDOUT})
"""The kinds whose every use is to be recorded."""


class UsageEntry(StoredModel):
    """One use of a suite."""

    suite_name: Identifier
    suite_version: Annotated[int, Field(ge=1)]
    suite_digest: Identifier
    used_by: Identifier
    """The run or the decision that looked at the suite."""
    purpose: ShortText
    manifest_digest: Identifier
    at: AwareDatetime
    note: LongText | None = None


class BudgetStatus(StrEnum):
    """Whether a suite has been used more often than its header allows."""

    WITHIN = "within"
    EXCEEDED = "exceeded"
    NOT_SET = "not_set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What a ledger file holds: the entries that can be read, and the lines that cannot."""

    entries: tuple[UsageEntry, ...]
    damaged: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """How often a suite was used, over all its versions."""

    uses: int
    manifests: tuple[str, ...]
    """The distinct candidates that were measured, in the order of their first use."""
    unreadable: int
    """Damaged lines of the ledger: each may have been a use of this suite, and counts as one against the budget."""
    budget: int | None

    @property
    def status(self) -> BudgetStatus:
        """Whether the budget holds for the uses so far."""
        return self._status(len(self.manifests))

    def status_with(self, manifest_digest: str) -> BudgetStatus:
        """Whether the budget would hold if this candidate were measured too; a known candidate costs nothing."""
        return self._status(len({*self.manifests, manifest_digest}))

    def _status(self, candidates: int) -> BudgetStatus:
        if self.budget is None:
            return BudgetStatus.NOT_SET
        return BudgetStatus.WITHIN if candidates + self.unreadable <= self.budget else BudgetStatus.EXCEEDED


def record_use(path: Path, entry: UsageEntry) -> None:
    """Appends one use to the ledger and returns once it is on the disk.

    Many processes may write at once: each line is one write at the end of the file, under a lock.

    Raises:
        EvidenceError: if the line could not be written whole; the use must then not take place.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path) as descriptor:
            size = os.fstat(descriptor).st_size
            # A line that a writer was cut off in ends without a newline; gluing to it would damage this entry too.
            cut = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            line = (b"\n" if cut else b"") + canonical_json(entry.to_json_dict()) + b"\n"
            written = os.write(descriptor, line)
            os.fsync(descriptor)
        if size == 0:
            sync_folder(path.parent)
    except OSError as error:
        raise EvidenceError(f"{path}: the use could not be recorded: {error.strerror}", hint="Do not go on") from error
    if written != len(line):
        raise EvidenceError(f"{path}: the use was recorded in part only", hint="Free disk space, then record it again")


def read_ledger(path: Path) -> Ledger:
    """Reads all entries. Lines that cannot be read, a cut last line among them, are reported and not dropped.

    A ledger that does not exist yet is empty.

    Raises:
        EvidenceError: if the file cannot be read at all.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Ledger(entries=(), damaged=())
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read: {error.strerror}") from error
    entries = []
    damaged = []
    for number, line in enumerate(lines, start=1):
        if not line and number == len(lines):
            continue
        try:
            entries.append(UsageEntry.model_validate_json(line))
        except ValidationError as error:
            what = "is cut off" if number == len(lines) else "is no usage entry"
            damaged.append(
                Problem(
                    file=str(path),
                    line=number,
                    message=f"the line {what}: {error.errors()[0]['msg']}",
                    remedy="Find out which use it was and record it again; the line itself stays",
                )
            )
    return Ledger(entries=tuple(entries), damaged=tuple(damaged))


def usage(ledger: Ledger, header: SuiteHeader) -> Usage:
    """Counts the uses of a suite by distinct candidate manifest, over all versions of its name.

    A new version does not start a new count: it shares most of its cases with the one before, and candidates that
    were tuned to those have not become independent of them.
    """
    own = [entry for entry in ledger.entries if entry.suite_name == header.name]
    return Usage(
        uses=len(own),
        manifests=tuple(dict.fromkeys(entry.manifest_digest for entry in own)),
        unreadable=len(ledger.damaged),
        budget=header.usage_budget,
    )


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
