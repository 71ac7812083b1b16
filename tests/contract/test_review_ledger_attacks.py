# ruff: noqa: S608 - these statements are the attacks
"""Real attempts to change, remove or forge what was recorded, past the ledger's own code."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from beleg.adapters import network
from beleg.adapters.stores.review_postgres import create_postgres_ledger, open_postgres_ledger
from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from beleg.core.errors import EvidenceError, UsageError
from support.postgres import OWNER, READER, RECORDER, Cluster
from support.review_events import WHEN, action

NUMBERS = itertools.count(1)
EVENTS, NAMES = "beleg_review_events", "beleg_review_ledger"


def insert(verb: str, sequence: int, stream: str, version: int, key: str, previous: str, own: str) -> str:
    values = f"{sequence}, '{stream}', {version}, '{key}', '{previous}', '{own}', '{{}}'"
    return (
        f"{verb} INTO {EVENTS} (sequence, stream, version, idempotency_key, previous_hash, hash, content) "
        f"VALUES ({values})"
    )


def attempts(head: str, second: str) -> dict[str, str]:
    """Changes that must be refused in either database; ``head`` is the last hash, ``second`` the one before."""
    new = ("r9/x", 1, "fresh")
    return {
        "update": f"UPDATE {EVENTS} SET content = '{{}}' WHERE sequence = 1",
        "update of a key": f"UPDATE {EVENTS} SET sequence = 9 WHERE sequence = 3",
        "delete": f"DELETE FROM {EVENTS} WHERE sequence = 3",
        "delete of all": f"DELETE FROM {EVENTS}",
        "gap": insert("INSERT", 9, *new, head, "n"),
        "second beginning": insert("INSERT", 0, *new, "0" * 64, "n"),
        "fork": insert("INSERT", 4, *new, second, "n"),
        "negative": insert("INSERT", -1, *new, head, "n"),
        "same place": insert("INSERT", 2, *new, head, "n"),
        "same version": insert("INSERT", 4, "r1/C-0", 1, "fresh", head, "n"),
        "same key": insert("INSERT", 4, "r9/x", 1, "k0", head, "n"),
        "same hash": insert("INSERT", 4, *new, head, head),
        "upsert": insert("INSERT", 1, *new, head, "n") + " ON CONFLICT (sequence) DO UPDATE SET content = 'x'",
        "upsert by key": insert("INSERT", 4, "r9/x", 1, "k0", head, "n")
        + " ON CONFLICT (idempotency_key) DO UPDATE SET content = 'x'",
        "name": f"UPDATE {NAMES} SET ledger = 'other'",
        "no name": f"DELETE FROM {NAMES}",
        "second name": f"INSERT INTO {NAMES} VALUES (1, 'other')",
    }


SQLITE_ONLY = {
    "replace by place": insert("INSERT OR REPLACE", 1, "r9/x", 1, "fresh", "p", "n"),
    "replace by the row's number": f"INSERT OR REPLACE INTO {EVENTS} (rowid, stream, version, idempotency_key, "
    "previous_hash, hash, content) VALUES (2, 'r9/x', 1, 'fresh', 'p', 'n', '{}')",
    "replace by version": insert("REPLACE", 4, "r1/C-0", 1, "fresh", "HEAD", "n"),
    "replace by key": insert("REPLACE", 4, "r9/x", 1, "k0", "HEAD", "n"),
    "replace by hash": insert("REPLACE", 4, "r9/x", 1, "fresh", "HEAD", "HEAD"),
    "replace by previous hash": insert("REPLACE", 4, "r9/x", 1, "fresh", "0" * 64, "n"),
    "update or replace": f"UPDATE OR REPLACE {EVENTS} SET sequence = 1 WHERE sequence = 2",
    "replaced name": f"REPLACE INTO {NAMES} VALUES (1, 'other')",
    "no place": f"REPLACE INTO {EVENTS} VALUES (NULL, 'r9/x', 1, 'fresh', 'p', 'n', '{{}}')",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.db"
    with open_sqlite_ledger(path) as ledger:
        ledger.append_all([action(stream=f"r1/C-{n}", idempotency_key=f"k{n}") for n in range(3)], at=WHEN)
    return path


def rows(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    found = connection.execute(f"SELECT * FROM {EVENTS} ORDER BY sequence").fetchall()
    return found + connection.execute(f"SELECT * FROM {NAMES}").fetchall()


@pytest.mark.parametrize("triggers", ["ON", "OFF"])
def test_sqlite_refuses_every_change_from_any_connection(file: Path, triggers: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA recursive_triggers = {triggers}")
        before = rows(connection)
        head, second = str(before[2][5]), str(before[1][5])
        assert len(before) == 4
        for name, statement in (attempts(head, second) | SQLITE_ONLY).items():
            with pytest.raises(sqlite3.DatabaseError):
                connection.execute(statement.replace("HEAD", head))
            assert rows(connection) == before, name


def test_without_the_guard_on_insert_replace_would_rewrite_history(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"DROP TRIGGER {EVENTS}_no_replace")
        connection.execute(SQLITE_ONLY["replace by place"])
        assert rows(connection)[0][1] == "r9/x"


def test_a_ledger_writes_ahead_and_lets_triggers_fire_within_triggers(file: Path) -> None:
    with open_sqlite_ledger(file) as ledger, ledger._database.engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "recursive_triggers", "synchronous")
        }
    assert settings == {"journal_mode": "wal", "recursive_triggers": 1, "synchronous": 2}


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
    before = path.read_bytes()
    with pytest.raises(EvidenceError, match="another program"):
        open_sqlite_ledger(path)
    (tmp_path / "text.db").write_text("no database at all, but a text that is long enough to be read as one" * 20)
    with pytest.raises(EvidenceError, match="not a database"):
        open_sqlite_ledger(tmp_path / "text.db")
    assert path.read_bytes() == before


def test_a_ledger_that_is_only_read_takes_nothing_and_is_not_made(file: Path, tmp_path: Path) -> None:
    with open_sqlite_ledger(file, is_read_only=True) as ledger:
        assert len(ledger.events()) == 3
        with pytest.raises(EvidenceError, match="readonly"):
            ledger.append(action(stream="r1/C-7"), at=WHEN)
    with pytest.raises(UsageError, match="no review ledger"):
        open_sqlite_ledger(tmp_path / "absent.db", is_read_only=True)
    assert not (tmp_path / "absent.db").exists()
    with pytest.raises(UsageError, match="is no folder"):
        open_sqlite_ledger(tmp_path / "absent" / "reviews.db")


def test_tables_of_a_newer_version_are_refused(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("UPDATE beleg_review_version SET version_num = '9999'")
    with pytest.raises(EvidenceError, match="revision 9999"):
        open_sqlite_ledger(file)


@pytest.fixture
def database(postgres: Cluster) -> str:
    name = f"attacks_{next(NUMBERS)}"
    postgres.sql(f"CREATE DATABASE {name} OWNER {OWNER}")
    create_postgres_ledger(postgres.address(OWNER, name), {}, grant_to=(RECORDER,))
    with open_postgres_ledger(postgres.address(RECORDER, name), {}) as ledger:
        ledger.append_all([action(stream=f"r1/C-{n}", idempotency_key=f"k{n}") for n in range(3)], at=WHEN)
    return name


POSTGRES_ONLY = {
    "truncate": f"TRUNCATE {EVENTS}",
    "truncate of the name": f"TRUNCATE {NAMES} CASCADE",
    "drop": f"DROP TABLE {EVENTS}",
    "drop of the guard": f"DROP TRIGGER {EVENTS}_next ON {EVENTS}",
    "guard off": f"ALTER TABLE {EVENTS} DISABLE TRIGGER ALL",
    "replica": f"SET session_replication_role = replica; DELETE FROM {EVENTS}",
    "guard replaced": "CREATE OR REPLACE FUNCTION beleg_review_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RETURN NEW; END'",
    "lock": f"SELECT * FROM {EVENTS} FOR UPDATE",
    "copy": f"COPY {EVENTS} FROM PROGRAM 'true'",
    "merge": f"MERGE INTO {EVENTS} e USING (SELECT 1 AS n) s ON e.sequence = s.n WHEN MATCHED THEN DELETE",
    "revision": "UPDATE beleg_review_version SET version_num = '9'",
    "right": f"GRANT UPDATE ON {EVENTS} TO {RECORDER}",
}
MARK = "SELECT md5(string_agg(e::text, '|' ORDER BY sequence)) FROM beleg_review_events e"


def test_a_recorder_in_postgresql_can_append_and_nothing_else(postgres: Cluster, database: str) -> None:
    with open_postgres_ledger(postgres.address(RECORDER, database), {}) as ledger:
        *_, second, head = ledger.events()
    before = postgres.sql(MARK, database=database)
    for name, statement in (attempts(head.hash, second.hash) | POSTGRES_ONLY).items():
        told = postgres.sql(statement, role=RECORDER, database=database)
        # A grant without the right to give it is only warned of, and changes nothing.
        assert "ERROR" in told or "WARNING:  no privileges were granted" in told, (name, told)
        assert postgres.sql(MARK, database=database) == before, name
    for verb in ("UPDATE", "DELETE", "TRUNCATE"):
        told = postgres.sql(f"SELECT has_table_privilege('{RECORDER}', '{EVENTS}', '{verb}')", database=database)
        assert told.strip() == "f"


def test_a_temporary_table_does_not_stand_in_for_the_ledger(postgres: Cluster, database: str) -> None:
    before = postgres.sql(MARK, database=database)
    forged = insert("INSERT", 9, "r9/x", 1, "fresh", "h8", "n").replace(EVENTS, f"public.{EVENTS}")
    told = postgres.sql(
        f"CREATE TEMP TABLE {EVENTS} (sequence bigint, hash text); "
        f"INSERT INTO pg_temp.{EVENTS} VALUES (8, 'h8'); {forged}",
        role=RECORDER,
        database=database,
    )
    assert "append-only" in told
    assert postgres.sql(MARK, database=database) == before


def test_a_role_that_may_change_events_does_not_record(postgres: Cluster, database: str) -> None:
    with pytest.raises(UsageError, match="may change or remove"):
        open_postgres_ledger(postgres.address(OWNER, database), {})
    with pytest.raises(UsageError, match="may change or remove"):
        open_postgres_ledger(postgres.address("postgres", database), {})
    with open_postgres_ledger(postgres.address(OWNER, database), {}, is_read_only=True) as ledger:
        assert len(ledger.events()) == 3


def test_granting_takes_back_what_a_role_had_beyond_it(postgres: Cluster, database: str) -> None:
    postgres.sql(f"GRANT ALL ON {EVENTS} TO {READER}", database=database)
    create_postgres_ledger(postgres.address(OWNER, database), {}, grant_to=(READER,))
    with open_postgres_ledger(postgres.address(READER, database), {}) as ledger:
        assert ledger.append(action(stream="r1/C-7"), at=WHEN).sequence == 4
    with pytest.raises(EvidenceError, match="does not exist"):
        create_postgres_ledger(postgres.address(OWNER, database), {}, grant_to=('x"; DROP TABLE t; --%s:a',))


def test_a_database_without_a_ledger_and_one_that_is_not_there_are_told_apart(postgres: Cluster) -> None:
    with pytest.raises(EvidenceError, match="holds no review ledger"):
        open_postgres_ledger(postgres.address(RECORDER, "postgres"), {})
    with pytest.raises(EvidenceError, match="cannot be opened") as caught:
        open_postgres_ledger(postgres.address(RECORDER, "nowhere"), {})
    assert caught.value.hint == "Check the address, that the server runs, and that the role may connect"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql+pg8000://ada:hunter2@db.example/reviews", "holds a password"),
        ("postgresql+psycopg://ada@db.example/reviews", "begins with"),
        ("postgresql+pg8000://ada@db.example/", "no role or no database"),
        ("postgresql+pg8000://db.example/reviews", "no role or no database"),
        ("postgresql+pg8000://ada@db.example/reviews?password_env=UNSET", "UNSET is not set"),
        ("postgresql+pg8000://ada@db.example/reviews?password=hunter2", "the setting 'password'"),
        ("postgresql+pg8000://ada@db.example/reviews?sslmode=require", "sslmode"),
        ("postgresql+pg8000://ada@db.example/reviews?sslrootcert=/nowhere", "sslrootcert"),
        ("postgresql+pg8000://ada@db.example:x/reviews", "cannot be understood"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_no_password_is_repeated(address: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as caught:
        open_postgres_ledger(address, {"PW": "hunter2"})
    assert "hunter2" not in caught.value.diagnostics()


def test_no_other_machine_is_asked_where_the_network_is_forbidden(
    postgres: Cluster, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network._Permission, "forbidden", True)
    with pytest.raises(UsageError, match=r"db\.example, and --offline forbids it"):
        open_postgres_ledger("postgresql+pg8000://ada@db.example/reviews", {})
    with open_postgres_ledger(postgres.address(RECORDER, database), {}) as ledger:
        assert len(ledger.events()) == 3


def test_a_password_from_the_environment_is_never_shown(postgres: Cluster) -> None:
    secret = "correct-horse"
    address = postgres.address(RECORDER, "nowhere") + "&password_env=LEDGER_PASSWORD"
    with pytest.raises(EvidenceError) as caught:
        open_postgres_ledger(address, {"LEDGER_PASSWORD": secret})
    chain: BaseException | None = caught.value
    while chain is not None:
        assert secret not in repr(chain)
        chain = chain.__cause__
