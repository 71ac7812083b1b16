"""The tables of what the workbench remembers, the same in SQLite and PostgreSQL. Every row belongs to a tenant."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, MetaData, Table, Text

# Compared by code point, whatever the language of the database.
_NAME = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")

METADATA = MetaData()

SESSIONS = Table(
    "beleg_sessions",
    METADATA,
    Column("tenant", _NAME, primary_key=True),
    Column("key", _NAME, primary_key=True),
    Column("name", _NAME, nullable=False),
    Column("began_at", _NAME, nullable=False),
    Column("seen_at", _NAME, nullable=False),
    Column("content", Text, nullable=False),
)
"""``key`` is the hash of the id that a browser holds. Moments are text that sorts as time does."""

TOKENS = Table(
    "beleg_tokens",
    METADATA,
    Column("tenant", _NAME, primary_key=True),
    Column("token_id", _NAME, primary_key=True),
    Column("secret_hash", _NAME, nullable=False),
    Column("created_at", _NAME, nullable=False),
    Column("last_used_at", _NAME),
    Column("revoked_at", _NAME),
    Column("content", Text, nullable=False),
)

ACCOUNTS = Table(
    "beleg_accounts",
    METADATA,
    Column("tenant", _NAME, primary_key=True),
    Column("name", _NAME, primary_key=True),
    Column("content", Text, nullable=False),
)

AUDIT = Table(
    "beleg_audit",
    METADATA,
    Column("tenant", _NAME, primary_key=True),
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
)
"""Lines are added and never changed: the databases themselves refuse it."""

VERSION_TABLE = "beleg_state_version"
