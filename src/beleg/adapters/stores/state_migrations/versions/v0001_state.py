"""Sessions, tokens, accounts and the audit log, kept apart by tenant."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = ("beleg_sessions", "beleg_tokens", "beleg_accounts", "beleg_audit")
AUDIT = "beleg_audit"
REFUSAL = "the audit log is append-only"

_SQLITE = (
    f"CREATE TRIGGER {AUDIT}_no_update BEFORE UPDATE ON {AUDIT} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {AUDIT}_no_delete BEFORE DELETE ON {AUDIT} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER {AUDIT}_no_replace BEFORE INSERT ON {AUDIT} "  # noqa: S608
    f"WHEN EXISTS (SELECT 1 FROM {AUDIT} WHERE tenant = NEW.tenant AND number = NEW.number) "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
_POSTGRESQL = (
    *(
        statement
        for table in TABLES
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            # Without the setting it is NULL, and no row is equal to that.
            f"CREATE POLICY {table}_tenant ON {table} USING (tenant = current_setting('beleg.tenant', true)) "
            f"WITH CHECK (tenant = current_setting('beleg.tenant', true))",
        )
    ),
    "CREATE FUNCTION beleg_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}'; END $$",
    *(
        f"CREATE TRIGGER {AUDIT}_no_{name} BEFORE {event} ON {AUDIT} "
        "FOR EACH STATEMENT EXECUTE FUNCTION beleg_audit_refuse()"
        for name, event in (("change", "UPDATE OR DELETE"), ("truncate", "TRUNCATE"))
    ),
)


def upgrade() -> None:
    """Makes the tables, their policies and guards."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    name = sa.Text() if is_sqlite else sa.Text(collation="C")
    number = sa.Integer() if is_sqlite else sa.BigInteger()
    op.create_table(
        "beleg_sessions",
        sa.Column("tenant", name, primary_key=True),
        sa.Column("key", name, primary_key=True),
        sa.Column("name", name, nullable=False),
        sa.Column("began_at", name, nullable=False),
        sa.Column("seen_at", name, nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
    )
    op.create_table(
        "beleg_tokens",
        sa.Column("tenant", name, primary_key=True),
        sa.Column("token_id", name, primary_key=True),
        sa.Column("secret_hash", name, nullable=False),
        sa.Column("created_at", name, nullable=False),
        sa.Column("last_used_at", name),
        sa.Column("revoked_at", name),
        sa.Column("content", sa.Text(), nullable=False),
        sa.UniqueConstraint("tenant", "secret_hash"),
    )
    op.create_table(
        "beleg_accounts",
        sa.Column("tenant", name, primary_key=True),
        sa.Column("name", name, primary_key=True),
        sa.Column("content", sa.Text(), nullable=False),
    )
    op.create_table(
        AUDIT,
        sa.Column("tenant", name, primary_key=True),
        sa.Column("number", number, primary_key=True, autoincrement=False),
        sa.Column("content", sa.Text(), nullable=False),
    )
    for statement in _SQLITE if is_sqlite else _POSTGRESQL:
        op.execute(sa.text(statement))


def downgrade() -> None:
    """Nothing goes back: it would remove the audit log.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("an audit log is never taken back")
