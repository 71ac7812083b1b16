"""What every store of judge calls promises, and what the one in SQLite promises beyond it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from beleg.adapters.stores import sqlite_file
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.adapters.stores.sqlite_file import SqliteFile, TableSchema
from beleg.core.errors import EvidenceError
from beleg.core.judging import Attempt, Call, JudgeFault, TaskReference
from beleg.judges.store import CallStore, LayeredStore, MemoryStore
from support.judge_models import spec

TASK = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")


def failed(key: str = "k") -> Call:
    attempt = Attempt(number=1, fault=JudgeFault.NOT_JSON, reply="Prose — „mit“ Umlauten\x00")
    return Call(key=key, judge=spec(), task=TASK, messages=(("user", "row"),), attempts=(attempt,))


def answered(key: str = "k", reply: str = "a") -> Call:
    return failed(key).model_copy(update={"reply": {"claims": [reply], "nothing": None}})


@pytest.fixture(params=["memory", "sqlite", "layered"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CallStore]:
    if request.param == "memory":
        yield MemoryStore()
        return
    with SqliteCallStore.open(tmp_path / "record.sqlite") as record:
        if request.param == "sqlite":
            yield record
        else:
            with SqliteCallStore.open(tmp_path / "cache.sqlite") as cache:
                yield LayeredStore(record, cache)


def test_what_was_put_is_given_back_whole(store: CallStore) -> None:
    assert store.get("k") is None
    store.put(answered())
    assert store.get("k") == answered()


def test_a_fault_is_never_given_back(store: CallStore) -> None:
    store.put(failed())
    assert store.get("k") is None
    store.put(answered())
    store.put(failed())
    assert store.get("k") == answered()


def test_the_first_reply_stays(store: CallStore) -> None:
    store.put(answered(reply="first"))
    store.put(answered(reply="second"))
    assert store.get("k") == answered(reply="first")


def test_a_file_keeps_every_call_for_the_record(tmp_path: Path) -> None:
    with SqliteCallStore.open(tmp_path / "calls.sqlite") as store:
        for call in (failed("b"), answered("a"), answered("b"), answered("b", "late")):
            store.put(call)
        assert store.count() == 2
    with SqliteCallStore.open(tmp_path / "calls.sqlite", is_read_only=True) as store:
        assert store.calls_of(["b", "none", "a", "b"]) == [
            failed("b"), answered("b"), answered("b", "late"), answered("a"),
        ]  # fmt: skip
        assert [call.key for call in store] == ["b", "a", "b", "b"]
        assert store.get("a") == answered("a")
        with pytest.raises(EvidenceError, match="cannot be written") as caught:
            store.put(answered("c"))
    assert "can be read and written" in caught.value.diagnostics()


def test_many_keys_are_found_at_once(tmp_path: Path) -> None:
    with SqliteCallStore.open(tmp_path / "calls.sqlite") as store:
        for number in range(1_200):
            store.put(answered(str(number)))
        assert [call.key for call in store.calls_of(map(str, range(1_200)))] == list(map(str, range(1_200)))
        assert sum(1 for _ in store) == 1_200


def test_a_cache_fills_the_record_and_faults_stay_out_of_it(tmp_path: Path) -> None:
    record, cache = MemoryStore(), MemoryStore()
    cache.put(answered("old"))
    layered = LayeredStore(record, cache)
    assert layered.get("old") == answered("old")
    assert record.calls == [answered("old")]
    layered.put(failed("new"))
    layered.put(answered("new"))
    assert [call.key for call in cache.calls] == ["old", "new"]
    LayeredStore(record, cache, is_cache_read_only=True).put(answered("more"))
    assert cache.get("more") is None


WRITER = """
import sys
from pathlib import Path
from beleg.adapters.stores.sqlite_calls import SqliteCallStore
from beleg.core.judging import Call, JudgeSpec, TaskReference

def answered(key, reply):
    task = TaskReference(task="t", version="1", language="en", prompt_digest="p", schema_digest="s")
    return Call(key=key, judge=JudgeSpec(provider="p", model="m"), task=task, messages=(), reply={"by": reply})

with SqliteCallStore.open(Path(sys.argv[1])) as store:
    for number in range(200):
        store.put(answered(str(number), sys.argv[2]))
"""


def test_several_processes_write_into_one_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "cache.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(number)]) for number in range(4)]
    assert [writer.wait(60) for writer in writers] == [0] * 4
    with SqliteCallStore.open(file, is_read_only=True) as store:
        assert store.count() == 200
        assert sum(1 for _ in store) == 800


def test_a_writer_that_never_ends_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_S", 0.05)
    file = tmp_path / "calls.sqlite"
    with SqliteCallStore.open(file) as store:
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EvidenceError, match="is locked") as caught:
            store.put(answered())
        assert "Another process" in caught.value.diagnostics()
        other.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to have a header" * 40, b"SQLite format 3"]
)
def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "calls.sqlite"
    file.write_bytes(content)
    for is_read_only in (True, False):
        with pytest.raises(EvidenceError, match=r"calls\.sqlite cannot be opened") as caught:
            SqliteCallStore.open(file, is_read_only=is_read_only)
        assert "move it away" in caught.value.diagnostics()
    assert file.read_bytes() == content


def test_pages_that_were_overwritten_are_named(tmp_path: Path) -> None:
    file = tmp_path / "calls.sqlite"
    with SqliteCallStore.open(file) as store:
        for number in range(300):
            store.put(answered(str(number)))
    data = bytearray(file.read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    file.write_bytes(data)
    with SqliteCallStore.open(file, is_read_only=True) as store, pytest.raises(EvidenceError, match=r"calls\.sqlite"):
        [store.get(str(number)) for number in range(300)]


@pytest.mark.parametrize(
    "change", ["body = replace(body, 'claims', 'claimz')", "body = '{}'", "body = 'x'", "digest = x'00'"]
)
def test_a_record_that_was_changed_is_never_given(tmp_path: Path, change: str) -> None:
    file = tmp_path / "calls.sqlite"
    with SqliteCallStore.open(file) as store:
        store.put(answered())
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE calls SET {change}")  # noqa: S608
    connection.close()
    with SqliteCallStore.open(file) as store, pytest.raises(EvidenceError, match="was changed or is damaged"):
        store.get("k")


def test_a_record_that_was_moved_to_another_key_is_never_given(tmp_path: Path) -> None:
    file = tmp_path / "calls.sqlite"
    with SqliteCallStore.open(file) as store:
        store.put(answered())
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE calls SET key = 'other'")
    connection.close()
    with SqliteCallStore.open(file) as store, pytest.raises(EvidenceError, match="was changed or is damaged"):
        store.get("other")


def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE things (name TEXT)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(EvidenceError, match="another program"):
        SqliteCallStore.open(file)
    assert file.read_bytes() == before


def test_a_file_of_another_version_is_not_read_as_if_it_were_this_one(tmp_path: Path) -> None:
    file = tmp_path / "calls.sqlite"
    SqliteCallStore.open(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE parts SET version = 2")
    connection.close()
    for is_read_only in (True, False):
        with pytest.raises(EvidenceError, match="holds version 2 of calls, and version 1 is understood"):
            SqliteCallStore.open(file, is_read_only=is_read_only)


def test_several_stores_share_one_file(tmp_path: Path) -> None:
    notes = TableSchema(name="notes", version=3, statements=("CREATE TABLE IF NOT EXISTS notes (text TEXT)",))
    with SqliteFile(tmp_path / "run.sqlite") as file:
        file.require(notes)
        store = SqliteCallStore(file)
        store.put(answered())
        with file.writing() as connection:
            connection.execute("INSERT INTO notes VALUES ('a')")
        assert file.rows("SELECT text FROM notes") == [("a",)]
        assert store.get("k") == answered()


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with SqliteFile(tmp_path / "run.sqlite") as file:
        file.require(TableSchema(name="n", version=1, statements=("CREATE TABLE IF NOT EXISTS n (text TEXT)",)))

        def write() -> None:
            with file.writing() as connection:
                connection.execute("INSERT INTO n VALUES ('a')")
                raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            write()
        assert file.rows("SELECT * FROM n") == []


def test_a_file_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="is not there"):
        SqliteCallStore.open(tmp_path / "none.sqlite", is_read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_name_with_odd_characters_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "a?mode=rw&b#c%20d.sqlite"
    with SqliteCallStore.open(file) as store:
        store.put(answered())
    with SqliteCallStore.open(file, is_read_only=True) as store:
        assert store.get("k") == answered()


def test_a_closed_file_is_one_file(tmp_path: Path) -> None:
    with SqliteCallStore.open(tmp_path / "calls.sqlite") as store:
        store.put(answered())
    assert [path.name for path in tmp_path.iterdir()] == ["calls.sqlite"]
