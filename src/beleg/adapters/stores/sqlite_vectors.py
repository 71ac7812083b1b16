"""Vectors of texts in a SQLite file, beside the judge's calls (J2, J6)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from beleg.adapters.stores.sqlite_file import SqliteFile, TableSchema
from beleg.core.errors import EvidenceError
from beleg.core.inference import Vectors

KEYS_AT_ONCE = 500

VECTORS = TableSchema(
    name="vectors",
    version=1,
    statements=("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, digest BLOB NOT NULL, body BLOB NOT NULL)",),
)


class SqliteVectorStore:
    """Keeps vectors as little-endian float32 by the key of their text; the first one with a key stays.

    A file that is only read and has no such table holds no vectors: it was written before there were any.

    Args:
        file: the open file; other stores may share it.

    Raises:
        EvidenceError: if the file is damaged, or of another version.
    """

    def __init__(self, file: SqliteFile) -> None:
        self._file = file
        named = file.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'vectors'")
        self._is_absent = file.is_read_only and not named
        if not self._is_absent:
            file.require(VECTORS)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be put."""
        return self._file.is_read_only

    def vectors(self, keys: Sequence[str]) -> dict[str, Vectors]:
        """The vectors that are known, by key.

        Raises:
            EvidenceError: if the record is damaged.
        """
        found: dict[str, Vectors] = {}
        for at in range(0, 0 if self._is_absent else len(keys), KEYS_AT_ONCE):
            some = keys[at : at + KEYS_AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT key, digest, body FROM vectors WHERE key IN ({marks})"  # noqa: S608
            for key, digest, body in self._file.rows(query, some):
                found[str(key)] = self._vector(str(key), digest, body)
        return found

    def put_vectors(self, found: Mapping[str, Vectors]) -> None:
        """Keeps vectors; they are on disk when this returns.

        Raises:
            EvidenceError: if the file cannot be written.
        """
        rows = []
        for key, vector in found.items():
            body = np.asarray(vector, dtype="<f4").tobytes()
            rows.append((key, _digest(key, body), body))
        with self._file.writing() as connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)

    def _vector(self, key: str, digest: object, body: object) -> Vectors:
        if not isinstance(body, bytes) or len(body) % 4 or _digest(key, body) != digest:
            raise EvidenceError(
                f"{self._file.path}: the vector {key} was changed or is damaged",
                hint="Move the file away and judge anew; no verdict of a damaged file can be trusted",
            )
        return np.frombuffer(body, dtype="<f4").astype(np.float32)


def _digest(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\n" + body).digest()
