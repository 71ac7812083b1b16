"""What the workbench remembers, over SQLAlchemy: a `beleg.core.workbench_state.WorkbenchState`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Protocol

from pydantic_core import to_json
from sqlalchemy import ColumnElement, Connection, Engine, Table, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.migrating import Migrations
from beleg.adapters.stores.state_tables import ACCOUNTS, AUDIT, SESSIONS, TOKENS, VERSION_TABLE
from beleg.core.workbench_state import (
    Account,
    ApiToken,
    AuditAction,
    AuditEvent,
    NumberedAuditEvent,
    OpenSession,
)

MAX_SESSIONS = 10_000
"""Of one tenant; the one that was used longest ago makes room."""
MAX_LINES = 1_000

STATE = Migrations(
    what="workbench state",
    folder="state_migrations",
    version_table=VERSION_TABLE,
    revision="0001",
    hint="beleg workbench create-state ADDRESS",
)


class StateDatabase(Protocol):
    """What the two databases do differently."""

    @property
    def name(self) -> str:
        """What a message calls it; it never holds a password."""
        ...

    @property
    def engine(self) -> Engine:
        """Its connections."""
        ...

    def reading(self, tenant: str) -> AbstractContextManager[Connection]:
        """A transaction that sees the rows of one tenant and changes nothing."""
        ...

    def writing(self, tenant: str) -> AbstractContextManager[Connection]:
        """A transaction over the rows of one tenant that nobody else of it writes beside."""
        ...

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        ...


class SqlWorkbenchState:
    """Sessions, tokens, accounts and audit log in a database that was prepared for them.

    Every statement names the tenant. PostgreSQL holds to it by its own policies besides, should one ever forget.

    Args:
        database: where it is.
    """

    def __init__(self, database: StateDatabase) -> None:
        self._database = database

    @property
    def name(self) -> str:
        """Where it is, without a password."""
        return self._database.name

    def close(self) -> None:
        """Lets go of files and connections."""
        self._database.engine.dispose()

    def begin_session(self, tenant: str, key: str, session: OpenSession) -> None:
        """Keeps a session under the hash of its id."""
        row = {
            "tenant": tenant,
            "key": key,
            "name": session.principal.name,
            "began_at": _text(session.began_at),
            "seen_at": _text(session.seen_at),
            "content": session.model_dump_json(),
        }
        with self._writing(tenant) as connection:
            held = connection.execute(select(func.count()).where(SESSIONS.c.tenant == tenant)).scalar_one()
            for _ in range(held - MAX_SESSIONS + 1):
                oldest = connection.execute(
                    select(SESSIONS.c.key).where(SESSIONS.c.tenant == tenant).order_by(SESSIONS.c.seen_at).limit(1)
                ).scalar_one()
                connection.execute(delete(SESSIONS).where(_is(SESSIONS, tenant, key=oldest)))
            connection.execute(insert(SESSIONS).values(row))

    def session(self, tenant: str, key: str) -> OpenSession | None:
        """The session under a hash."""
        with self._reading(tenant) as connection:
            found = connection.execute(
                select(SESSIONS.c.content, SESSIONS.c.seen_at).where(_is(SESSIONS, tenant, key=key))
            ).first()
        if found is None:
            return None
        session = OpenSession.model_validate_json(found.content)
        return session.model_copy(update={"seen_at": datetime.fromisoformat(found.seen_at)})

    def see_session(self, tenant: str, key: str, at: datetime) -> None:
        """Notes that a session was used."""
        self._change(tenant, update(SESSIONS).where(_is(SESSIONS, tenant, key=key)).values(seen_at=_text(at)))

    def end_session(self, tenant: str, key: str) -> None:
        """Forgets a session; one that is not there stays so."""
        self._change(tenant, delete(SESSIONS).where(_is(SESSIONS, tenant, key=key)))

    def forget_sessions(self, tenant: str, *, seen_before: datetime, began_before: datetime) -> None:
        """Forgets the sessions that are over by either limit."""
        is_over = or_(SESSIONS.c.seen_at < _text(seen_before), SESSIONS.c.began_at < _text(began_before))
        self._change(tenant, delete(SESSIONS).where(and_(SESSIONS.c.tenant == tenant, is_over)))

    def end_sessions_of(self, tenant: str, name: str) -> None:
        """Forgets every session of a person, as when their account is disabled."""
        self._change(tenant, delete(SESSIONS).where(_is(SESSIONS, tenant, name=name)))

    def create_token(self, token: ApiToken, secret_hash: str) -> None:
        """Keeps a token under the hash of its secret."""
        row = {
            "tenant": token.tenant,
            "token_id": token.token_id,
            "secret_hash": secret_hash,
            "created_at": _text(token.created_at),
            "content": token.model_dump_json(),
        }
        self._change(token.tenant, insert(TOKENS).values(row))

    def token(self, tenant: str, secret_hash: str) -> ApiToken | None:
        """The token under a hash, whether it still opens anything or not."""
        return next(iter(self._tokens(tenant, TOKENS.c.secret_hash == secret_hash)), None)

    def tokens(self, tenant: str) -> tuple[ApiToken, ...]:
        """Every token, the newest first."""
        return self._tokens(tenant, TOKENS.c.tenant == tenant)

    def see_token(self, tenant: str, token_id: str, at: datetime) -> None:
        """Notes that a token was used."""
        where = _is(TOKENS, tenant, token_id=token_id)
        self._change(tenant, update(TOKENS).where(where).values(last_used_at=_text(at)))

    def revoke_token(self, tenant: str, token_id: str, at: datetime) -> ApiToken | None:
        """Takes a token back, once; ``None`` where there is none."""
        where = and_(_is(TOKENS, tenant, token_id=token_id), TOKENS.c.revoked_at.is_(None))
        self._change(tenant, update(TOKENS).where(where).values(revoked_at=_text(at)))
        return next(iter(self._tokens(tenant, TOKENS.c.token_id == token_id)), None)

    def put_account(self, account: Account) -> None:
        """Keeps an account in place of the one with its name."""
        row = {"tenant": account.tenant, "name": account.name, "content": account.model_dump_json()}
        with self._writing(account.tenant) as connection:
            connection.execute(delete(ACCOUNTS).where(_is(ACCOUNTS, account.tenant, name=account.name)))
            connection.execute(insert(ACCOUNTS).values(row))

    def account(self, tenant: str, name: str) -> Account | None:
        """The account with a name."""
        return next(iter(self._accounts(tenant, ACCOUNTS.c.name == name)), None)

    def accounts(self, tenant: str) -> tuple[Account, ...]:
        """Every account by name."""
        return self._accounts(tenant, ACCOUNTS.c.tenant == tenant)

    def note(self, tenant: str, event: AuditEvent) -> None:
        """Adds a line to the audit log."""
        with self._writing(tenant) as connection:
            last = connection.execute(select(func.max(AUDIT.c.number)).where(AUDIT.c.tenant == tenant)).scalar()
            row = {"tenant": tenant, "number": (last or 0) + 1, "content": event.model_dump_json()}
            connection.execute(insert(AUDIT).values(row))

    def audit_log(
        self,
        tenant: str,
        *,
        before: int | None = None,
        actor: str | None = None,
        action: AuditAction | None = None,
        limit: int = 100,
    ) -> tuple[NumberedAuditEvent, ...]:
        """The newest lines, or the newest before a number; those of one actor or action where they are named."""
        wanted = select(AUDIT.c.number, AUDIT.c.content).where(AUDIT.c.tenant == tenant)
        if before is not None:
            wanted = wanted.where(AUDIT.c.number < before)
        place = func.strpos if self._database.engine.dialect.name == "postgresql" else func.instr
        for name, value in (("actor", actor), ("action", action)):
            if value is not None:
                # Exact: within a text of JSON a quote has a backslash before it, so that no text can look like a field.
                wanted = wanted.where(place(AUDIT.c.content, f',"{name}":{to_json(value).decode()},') > 0)
        with self._reading(tenant) as connection:
            rows = connection.execute(wanted.order_by(AUDIT.c.number.desc()).limit(min(limit, MAX_LINES))).all()
        return tuple(
            NumberedAuditEvent(number=row.number, event=AuditEvent.model_validate_json(row.content)) for row in rows
        )

    def _tokens(self, tenant: str, where: ColumnElement[bool]) -> tuple[ApiToken, ...]:
        wanted = select(TOKENS).where(and_(TOKENS.c.tenant == tenant, where)).order_by(TOKENS.c.created_at.desc())
        with self._reading(tenant) as connection:
            rows = connection.execute(wanted).mappings().all()
        found = []
        for row in rows:
            moments = {name: row[name] for name in ("last_used_at", "revoked_at") if row[name] is not None}
            token = ApiToken.model_validate_json(row["content"])
            found.append(token.model_copy(update={n: datetime.fromisoformat(at) for n, at in moments.items()}))
        return tuple(found)

    def _accounts(self, tenant: str, where: ColumnElement[bool]) -> tuple[Account, ...]:
        wanted = select(ACCOUNTS.c.content).where(and_(ACCOUNTS.c.tenant == tenant, where)).order_by(ACCOUNTS.c.name)
        with self._reading(tenant) as connection:
            return tuple(Account.model_validate_json(text) for text in connection.execute(wanted).scalars())

    def _change(self, tenant: str, statement: object) -> None:
        with self._writing(tenant) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    @contextmanager
    def _reading(self, tenant: str) -> Iterator[Connection]:
        with told(self._database, "cannot be read"), self._database.reading(tenant) as connection:
            yield connection

    @contextmanager
    def _writing(self, tenant: str) -> Iterator[Connection]:
        with told(self._database, "cannot be written"), self._database.writing(tenant) as connection:
            yield connection


def _is(table: Table, tenant: str, **values: str) -> ColumnElement[bool]:
    return and_(table.c.tenant == tenant, *(table.c[name] == value for name, value in values.items()))


def _text(at: datetime) -> str:
    """A moment as text that sorts as time does."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")
