"""The tables of the review ledger, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, Text, UniqueConstraint

from beleg.core.review import DamagedEvent, ReviewEvent

# Compared by code point, so that the streams of a run stand together whatever the language of the database.
_NAME = Text().with_variant(Text(collation="C"), "postgresql")
# In SQLite only a column of this very type is the number of the row itself; any other leaves a second way to it.
_PLACE = BigInteger().with_variant(Integer(), "sqlite")

METADATA = MetaData()

EVENTS = Table(
    "beleg_review_events",
    METADATA,
    Column("sequence", _PLACE, primary_key=True, autoincrement=False),
    Column("stream", _NAME, nullable=False),
    Column("version", Integer, nullable=False),
    Column("idempotency_key", _NAME, nullable=False, unique=True),
    Column("previous_hash", _NAME, nullable=False, unique=True),
    Column("hash", _NAME, nullable=False, unique=True),
    Column("content", Text, nullable=False),
    UniqueConstraint("stream", "version"),
)
"""One row per event. ``content`` is what is hashed; the columns beside it are for finding it."""

IDENTITY = Table(
    "beleg_review_ledger",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ledger", _NAME, nullable=False, unique=True),
)
"""One row: the name of the ledger, so that no checkpoint of another one is held against it."""

VERSION_TABLE = "beleg_review_version"


def as_row(event: ReviewEvent) -> dict[str, object]:
    """An event as its row."""
    return {
        "sequence": event.sequence,
        "stream": event.action.stream,
        "version": event.version,
        "idempotency_key": event.action.idempotency_key,
        "previous_hash": event.previous_hash,
        "hash": event.hash,
        "content": event.content().decode(),
    }


def as_event(row: Mapping[str, Any]) -> ReviewEvent:
    """A row as its event; whether the hashes hold is for the verification of the chain to say.

    Raises:
        DamagedEvent: if the content is no event, or the columns beside it say something else.
    """
    text = str(row["content"])
    hashes = {"previous_hash": str(row["previous_hash"]), "hash": str(row["hash"])}
    try:
        unsealed = ReviewEvent.model_validate_json(f'{text[:-1]},"hash":"","previous_hash":""}}')
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DamagedEvent(int(row["sequence"]), f"field '{place}': {first['msg']}") from error
    event = unsealed.model_copy(update=hashes)
    found = {
        "sequence": event.sequence,
        "stream": event.action.stream,
        "version": event.version,
        "idempotency_key": event.action.idempotency_key,
    }
    for name, value in found.items():
        if row[name] != value:
            raise DamagedEvent(int(row["sequence"]), f"its column '{name}' is not what it holds")
    if event.content().decode() != text:
        raise DamagedEvent(int(row["sequence"]), "its text is not in canonical form")
    return event
