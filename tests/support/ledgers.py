"""Review ledgers for tests, in both databases, and the raw way into each that an attacker would take."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.stores.review_ledger import SqlReviewLedger
from beleg.adapters.stores.review_postgres import create_postgres_ledger, open_postgres_ledger
from beleg.adapters.stores.review_sqlite import open_sqlite_ledger
from support.postgres import OWNER, RECORDER, Cluster

_NUMBERS = itertools.count()
_PREPARED: set[Cluster] = set()
"""Clusters in which the ledger that tests share was made; each test empties it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a ledger is."""

    address: str
    open: Callable[[], SqlReviewLedger]
    attack: Callable[[str], str]
    """Carries SQL out as whoever records may, and gives what the database says to it."""
    force: Callable[[str], str]
    """Carries SQL out past every guard, as whoever owns the machine can."""


def sqlite_place(folder: Path) -> Place:
    """A ledger in a new file."""
    path = folder / "reviews.db"

    def attack(statement: str) -> str:
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            connection.executescript(statement)
        except sqlite3.Error as error:
            return str(error)
        finally:
            connection.close()
        return ""

    def force(statement: str) -> str:
        connection = sqlite3.connect(path, isolation_level=None)
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        connection.executescript("; ".join(f"DROP TRIGGER {name}" for name, _ in triggers))
        connection.executescript(statement)
        for _, made_by in triggers:
            connection.execute(made_by)
        connection.close()
        return ""

    return Place(str(path), lambda: open_sqlite_ledger(path), attack, force)


def postgres_place(cluster: Cluster, *, is_own: bool = False) -> Place:
    """An empty ledger, with the role that records.

    Args:
        cluster: the server.
        is_own: whether it gets a database that no other test uses; making one takes long.
    """
    database = f"reviews_{next(_NUMBERS)}" if is_own else "reviews"
    if is_own or cluster not in _PREPARED:
        cluster.sql(f"CREATE DATABASE {database} OWNER {OWNER}")
        create_postgres_ledger(cluster.address(OWNER, database), {}, grant_to=(RECORDER,))
    if not is_own:
        cluster.sql("SET session_replication_role = replica; TRUNCATE beleg_review_events", database=database)
        _PREPARED.add(cluster)
    address = cluster.address(RECORDER, database)

    def force(statement: str) -> str:
        guarded = f"SET session_replication_role = replica; {statement}"
        return cluster.sql(guarded, database=database)

    return Place(
        address,
        lambda: open_postgres_ledger(address, {}),
        lambda statement: cluster.sql(statement, role=RECORDER, database=database),
        force,
    )
