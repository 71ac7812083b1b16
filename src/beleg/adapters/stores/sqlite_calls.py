"""Judge calls in a SQLite file: the record of a run, and the cache that runs share (J2, J3, J6)."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from beleg.adapters.stores.sqlite_file import SqliteFile, TableSchema
from beleg.core.errors import EvidenceError
from beleg.core.judging import Call, JudgeSpec

KEYS_AT_ONCE = 500

CALLS = TableSchema(
    name="calls",
    version=1,
    statements=(
        "CREATE TABLE IF NOT EXISTS calls (number INTEGER PRIMARY KEY, key TEXT NOT NULL, is_given INTEGER NOT NULL, "
        "digest BLOB NOT NULL, body TEXT NOT NULL)",
        "CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key)",
        # One reply for each key: whoever asks later gets the one that came first.
        "CREATE UNIQUE INDEX IF NOT EXISTS calls_given ON calls (key) WHERE is_given = 1",
    ),
)


class SqliteCallStore:
    """Keeps calls by their key. A call without a reply is kept for the record and never given back.

    Several processes may use one file. Each call is one transaction, so that a killed process leaves whole calls only.

    Args:
        file: the open file; other stores may share it.

    Raises:
        EvidenceError: if the file is damaged, or of another version or program.
    """

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        file.require(CALLS)

    @classmethod
    def open(cls, path: Path, *, is_read_only: bool = False) -> Self:
        """Opens a file by its path.

        Raises:
            EvidenceError: if it cannot be opened, is damaged, or belongs to another program.
        """
        file = SqliteFile(path, is_read_only=is_read_only)
        try:
            return cls(file)
        except EvidenceError:
            file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def count(self) -> int:
        """How many calls have a reply."""
        ((count,),) = self._file.rows("SELECT count(*) FROM calls WHERE is_given = 1")
        return int(str(count))

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be put."""
        return self._file.is_read_only

    def get(self, key: str) -> Call | None:
        """The call with this key that has a reply, or ``None``.

        Raises:
            EvidenceError: if the record is damaged.
        """
        # The body comes as bytes, here and below: it is hashed and read as such, and need not be copied for that.
        query = "SELECT CAST(body AS BLOB), digest FROM calls WHERE key = ? AND is_given = 1"
        for body, digest in self._file.rows(query, (key,)):
            return self._call(key, body, digest)
        return None

    def put(self, call: Call) -> None:
        """Keeps a call; it is on disk when this returns.

        Raises:
            EvidenceError: if the file cannot be written.
        """
        body = call.model_dump_json(exclude_none=True)
        digest = _digest(body.encode())
        add = "INSERT INTO calls (key, is_given, digest, body) VALUES (?, ?, ?, ?)"
        with self._file.writing() as connection:
            try:
                connection.execute(add, (call.key, int(call.reply is not None), digest, body))
            except sqlite3.IntegrityError:
                # Another process was answered first; this reply is kept for the record.
                connection.execute(add, (call.key, 0, digest, body))

    def calls_of(self, keys: Iterable[str]) -> list[Call]:
        """Every call with these keys, with or without a reply, in the order of the keys and then of time.

        Raises:
            EvidenceError: if a record is damaged.
        """
        wanted = list(dict.fromkeys(keys))
        found: dict[str, list[Call]] = {key: [] for key in wanted}
        for at in range(0, len(wanted), KEYS_AT_ONCE):
            some = wanted[at : at + KEYS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, CAST(body AS BLOB), digest FROM calls WHERE key IN ({marks}) ORDER BY number"  # noqa: S608
            for key, body, digest in self._file.rows(query, some):
                found[str(key)].append(self._call(str(key), body, digest))
        return [call for calls in found.values() for call in calls]

    def judges(self) -> list[JudgeSpec]:
        """Every judge that was asked, in the order of its first call.

        Raises:
            EvidenceError: if a record is damaged.
        """
        query = "SELECT min(number) AS first FROM calls GROUP BY json_extract(body, '$.judge') ORDER BY first"
        firsts = [number for (number,) in self._file.rows(query)]
        of_number = "SELECT key, CAST(body AS BLOB), digest FROM calls WHERE number = ?"
        found = [self._file.rows(of_number, (at,)) for at in firsts]
        return [self._call(str(key), body, digest).judge for ((key, body, digest),) in found]

    def __iter__(self) -> Iterator[Call]:
        """Every call in the order in which they ended, one at a time."""
        last = 0
        while rows := self._file.rows(
            "SELECT number, key, CAST(body AS BLOB), digest FROM calls WHERE number > ? ORDER BY number LIMIT 100",
            (last,),
        ):
            for number, key, body, digest in rows:
                yield self._call(str(key), body, digest)
                last = int(str(number))

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _call(self, key: str, body: object, digest: object) -> Call:
        data = body if isinstance(body, bytes) else b""
        try:
            call = Call.model_validate_json(data)
        except ValidationError:
            call = None
        if call is None or call.key != key or _digest(data) != digest:
            raise EvidenceError(
                f"{self._file.path}: the record of call {key} was changed or is damaged",
                hint="Move the file away and judge anew; no verdict of a damaged file can be trusted",
            )
        return call


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).digest()
