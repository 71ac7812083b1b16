"""One SQLite file that several processes may use at once, and that says so when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from beleg.core.errors import EvidenceError

APPLICATION_ID = 0x42454C47
"""Stands in the head of every file of ours, so that a file of another program is never written into."""
BUSY_S = 30.0
"""How long is waited for another process that writes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """The tables of one store; several stores may share one file."""

    name: str
    version: int
    statements: Sequence[str]
    """What makes the tables where they are not there yet."""


class SqliteFile:
    """An open file. Each write is one transaction, and on disk for every other process when it returns.

    The journal is a write-ahead log that is not flushed at every write: a killed process loses nothing, a loss of power
    may lose the last writes, and neither leaves half of one.

    Args:
        path: the file; it is made where it is not there, unless it is only to be read.
        is_read_only: whether nothing may be written.

    Raises:
        EvidenceError: if the file cannot be opened, is damaged, or belongs to another program.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self.path = path
        self.is_read_only = is_read_only
        with self.told("cannot be opened"):
            self._connection = _opened(path, is_read_only=is_read_only)
            is_ours = False
            try:
                self._prepare()
                is_ours = True
            finally:
                if not is_ours:
                    self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def require(self, schema: TableSchema) -> None:
        """Makes the tables of a store, or checks that they are of the version that is understood.

        Raises:
            EvidenceError: if they are of another version, or absent from a file that is only read.
        """
        with self.told("cannot be read"):
            if not self.is_read_only:
                with self.writing() as connection:
                    connection.execute(
                        "CREATE TABLE IF NOT EXISTS parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL)"
                    )
                    for statement in schema.statements:
                        connection.execute(statement)
                    connection.execute("INSERT OR IGNORE INTO parts VALUES (?, ?)", (schema.name, schema.version))
            found = self.rows("SELECT version FROM parts WHERE name = ?", (schema.name,))
        if found != [(schema.version,)]:
            told = f"version {found[0][0]} of" if found else "no"
            raise EvidenceError(
                f"{self.path} holds {told} {schema.name}, and version {schema.version} is understood",
                hint="Read it with the version of beleg that wrote it, or move it away to start anew",
            )

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The rows that a query finds.

        Raises:
            EvidenceError: if the file cannot be read.
        """
        try:
            return self._connection.execute(query, values).fetchall()
        except (sqlite3.Error, OverflowError):
            # A fault is rare and a read is not: the words for it are made only where there is one.
            with self.told("cannot be read"):
                raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, taken back where anything is raised within.

        Raises:
            EvidenceError: if the file cannot be written.
        """
        with self.told("cannot be written"):
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                yield self._connection

    def close(self) -> None:
        """Closes the file; the last process to do so folds the write-ahead log into it."""
        self._connection.close()

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Turns a fault of SQLite into one that names the file and the remedy."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, OverflowError) as fault:
            raise EvidenceError(f"{self.path} {what}: {fault}", hint=_remedy(fault)) from fault

    def _prepare(self) -> None:
        owner = self._connection.execute("PRAGMA application_id").fetchone()[0]
        is_empty = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if owner != APPLICATION_ID and not (owner == 0 and is_empty):
            raise EvidenceError(
                f"{self.path} is a file of another program", hint="Name another file; this one is left as it is"
            )
        if not self.is_read_only:
            if owner != APPLICATION_ID:
                self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")


def _opened(path: Path, *, is_read_only: bool) -> sqlite3.Connection:
    if not is_read_only:
        path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    if not path.is_file():
        raise EvidenceError(f"{path} is not there", hint="Name the file of a run that was judged")
    address = path.resolve().as_uri()
    try:
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True, timeout=BUSY_S, isolation_level=None)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # In a folder that cannot be written there is no room for the log's index; without a log none is needed.
        if path.with_name(f"{path.name}-wal").exists():
            raise
        return sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection


def _remedy(fault: Exception) -> str:
    words = str(fault)
    if "locked" in words or "busy" in words:
        return f"Another process has been writing to it for {BUSY_S:g} s; wait for it, or end it"
    if "readonly" in words or "unable to open" in words:
        return "Check that the file and its folder can be read and written"
    if "full" in words:
        return "Make room on the disk"
    return "The file is damaged: move it away and judge anew; what the run's own file or the cache still holds is used"
