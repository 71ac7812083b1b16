"""Events and the name of the ledger, and what refuses every change of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

EVENTS = "beleg_review_events"
LEDGER = "beleg_review_ledger"
REFUSAL = "the review ledger is append-only"
NO_HASH = "0" * 64

_SQLITE = (
    f"CREATE TRIGGER {EVENTS}_no_update BEFORE UPDATE ON {EVENTS} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {EVENTS}_no_delete BEFORE DELETE ON {EVENTS} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    # REPLACE removes the rows that are in its way without asking the trigger above, unless a setting of the
    # connection says otherwise; so nothing may ever be in its way.
    f"CREATE TRIGGER {EVENTS}_no_replace BEFORE INSERT ON {EVENTS} "  # noqa: S608
    f"WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM {EVENTS}) "
    f"OR EXISTS (SELECT 1 FROM {EVENTS} WHERE stream = NEW.stream AND version = NEW.version) "
    f"OR EXISTS (SELECT 1 FROM {EVENTS} WHERE idempotency_key = NEW.idempotency_key) "
    f"OR EXISTS (SELECT 1 FROM {EVENTS} WHERE hash = NEW.hash) "
    f"OR NEW.previous_hash IS NOT coalesce((SELECT hash FROM {EVENTS} ORDER BY sequence DESC LIMIT 1), '{NO_HASH}') "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {LEDGER}_no_update BEFORE UPDATE ON {LEDGER} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {LEDGER}_no_delete BEFORE DELETE ON {LEDGER} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {LEDGER}_no_replace BEFORE INSERT ON {LEDGER} "  # noqa: S608
    f"WHEN EXISTS (SELECT 1 FROM {LEDGER}) BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)

_POSTGRESQL = (
    "CREATE FUNCTION beleg_review_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    # Whoever may insert goes by the chain too, with this program or another: no gap, no fork, no second beginning.
    # The table is named by its schema, so that no temporary table of the same name is asked in its place.
    "CREATE FUNCTION beleg_review_require_next() RETURNS trigger LANGUAGE plpgsql AS $$ "  # noqa: S608
    "DECLARE last_sequence bigint; last_hash text; BEGIN "
    "EXECUTE format('SELECT sequence, hash FROM %I.%I ORDER BY sequence DESC LIMIT 1', TG_TABLE_SCHEMA, TG_TABLE_NAME) "
    "INTO last_sequence, last_hash; "
    "IF NEW.sequence <> coalesce(last_sequence, 0) + 1 "
    f"OR NEW.previous_hash <> coalesce(last_hash, '{NO_HASH}') "
    f"THEN RAISE EXCEPTION '{REFUSAL}'; END IF; RETURN NEW; END $$",
    f"CREATE TRIGGER {EVENTS}_next BEFORE INSERT ON {EVENTS} FOR EACH ROW EXECUTE FUNCTION beleg_review_require_next()",
    *(
        f"CREATE TRIGGER {table}_no_{name} BEFORE {event} ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION beleg_review_refuse()"
        for table in (EVENTS, LEDGER)
        for name, event in (("change", "UPDATE OR DELETE"), ("truncate", "TRUNCATE"))
    ),
)


def upgrade() -> None:
    """Makes the tables and their guards."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    name = sa.Text() if is_sqlite else sa.Text(collation="C")
    op.create_table(
        EVENTS,
        sa.Column("sequence", sa.Integer() if is_sqlite else sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("stream", name, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", name, nullable=False, unique=True),
        sa.Column("previous_hash", name, nullable=False, unique=True),
        sa.Column("hash", name, nullable=False, unique=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.UniqueConstraint("stream", "version"),
    )
    op.create_table(
        LEDGER,
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("ledger", name, nullable=False, unique=True),
        sa.CheckConstraint("number = 1"),
    )
    for statement in _SQLITE if is_sqlite else _POSTGRESQL:
        op.execute(sa.text(statement))


def downgrade() -> None:
    """Nothing goes back: it would remove what was decided.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("a review ledger is never taken back")
