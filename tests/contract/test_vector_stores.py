"""Every store of vectors keeps one contract; the one in a file says so when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.adapters.stores.sqlite_file import SqliteFile
from beleg.adapters.stores.sqlite_vectors import SqliteVectorStore
from beleg.core.errors import EvidenceError
from beleg.judges.store import MemoryVectors, VectorStore


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    if request.param == "memory":
        yield MemoryVectors()
        return
    with SqliteFile(tmp_path / "calls.db") as file:
        yield SqliteVectorStore(file)


def test_vectors_come_back_as_they_were_put(store: VectorStore) -> None:
    drawn = np.random.default_rng(1).normal(size=(1_200, 5)).astype(np.float32)
    put = {f"k{at}": row for at, row in enumerate(drawn)}
    store.put_vectors(put)
    found = store.vectors([*put, "unknown"])
    assert set(found) == set(put)
    assert all(np.array_equal(found[key], put[key]) and found[key].dtype == np.float32 for key in put)


def test_the_first_vector_with_a_key_stays(store: VectorStore) -> None:
    store.put_vectors({"k": np.ones(2, dtype=np.float32)})
    store.put_vectors({"k": np.zeros(2, dtype=np.float32)})
    assert store.vectors(["k"])["k"].tolist() == [1, 1]


def test_a_record_from_before_there_were_vectors_is_read_as_holding_none(tmp_path: Path) -> None:
    SqliteCallStore.open(tmp_path / "calls.db").close()
    with SqliteFile(tmp_path / "calls.db", is_read_only=True) as file:
        assert SqliteVectorStore(file).vectors(["k"]) == {}


@pytest.mark.parametrize("change", ["body = x'00000000'", "body = x'00'", "key = 'other'", "body = 'text'"])
def test_a_changed_vector_is_never_given_back(tmp_path: Path, change: str) -> None:
    path = tmp_path / "calls.db"
    with SqliteFile(path) as file:
        SqliteVectorStore(file).put_vectors({"k": np.ones(1, dtype=np.float32)})
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE vectors SET {change}")  # noqa: S608
    connection.close()
    with SqliteFile(path) as file, pytest.raises(EvidenceError, match="was changed or is damaged"):
        SqliteVectorStore(file).vectors(["k", "other"])
