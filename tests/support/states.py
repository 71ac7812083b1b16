"""States of the workbench for tests, in both databases."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from beleg.adapters.stores.state_postgres import create_postgres_state, open_postgres_state
from beleg.adapters.stores.state_sqlite import open_sqlite_state
from beleg.adapters.stores.state_store import SqlWorkbenchState
from beleg.core.access import Principal, Role
from beleg.core.workbench_state import ApiToken, AuditAction, AuditEvent, OpenSession
from support.postgres import OWNER, RECORDER, Cluster

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
_NUMBERS = itertools.count()


@dataclass(frozen=True, slots=True)
class StatePlace:
    """Where a state is; each place is a new one."""

    open: Callable[[], SqlWorkbenchState]
    database: str
    """The name of the database; empty for a file."""


def sqlite_state(folder: Path) -> StatePlace:
    """A state in a new file."""
    return StatePlace(lambda: open_sqlite_state(folder / "deep" / "state.db"), "")


def postgres_state(cluster: Cluster) -> StatePlace:
    """A state in a new database, opened by the role that serves."""
    database = f"state_{next(_NUMBERS)}"
    cluster.sql(f"CREATE DATABASE {database} OWNER {OWNER}")
    create_postgres_state(cluster.address(OWNER, database), {}, grant_to=(RECORDER,))
    return StatePlace(lambda: open_postgres_state(cluster.address(RECORDER, database), {}, connections=20), database)


def session(name: str = "ada", tenant: str = "acme", *, at: datetime = NOW) -> OpenSession:
    """A session of a reviewer."""
    person = Principal(name=name, tenant=tenant, roles=frozenset({Role.REVIEWER}))
    return OpenSession(principal=person, form_token="form", began_at=at, seen_at=at)


def token(number: int = 1, tenant: str = "acme") -> ApiToken:
    """A token for a day."""
    return ApiToken(
        token_id=f"t{number}",
        tenant=tenant,
        label="nightly",
        roles=frozenset({Role.AUDITOR}),
        created_by="ada",
        created_at=NOW + timedelta(seconds=number),
        expires_at=NOW + timedelta(days=1),
    )


def audit(action: AuditAction = AuditAction.PACK_READ, *, actor: str = "ada", target: str = "") -> AuditEvent:
    """A line of the audit log."""
    return AuditEvent(at=NOW, actor=actor, action=action, target=target)
