"""Bringing the tables of a review ledger to the revision that is understood."""

from __future__ import annotations

import uuid

from sqlalchemy import Connection, insert, select

from beleg.adapters.stores.migrating import Migrations
from beleg.adapters.stores.review_tables import IDENTITY, VERSION_TABLE

REVIEWS = Migrations(
    what="review ledger",
    folder="review_migrations",
    version_table=VERSION_TABLE,
    revision="0001",
    hint="beleg review create --ledger LEDGER",
)


def migrate(connection: Connection) -> None:
    """Makes the tables, or brings them forward, and gives the ledger its name; within the caller's transaction.

    Raises:
        EvidenceError: if the tables are newer than what is understood.
    """
    REVIEWS.upgrade(connection)
    if connection.execute(select(IDENTITY.c.ledger)).first() is None:
        connection.execute(insert(IDENTITY).values(number=1, ledger=uuid.uuid4().hex))
