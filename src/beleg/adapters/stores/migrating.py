"""Bringing tables to the revision that is understood, with Alembic, within a transaction of the caller."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, MetaData, Table, inspect, select

from beleg.core.errors import EvidenceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrations:
    """The tables of one store, as far as they have come."""

    what: str
    """What they are, as messages call it."""
    folder: str
    """Where the steps are, beside this module."""
    version_table: str
    """Where a database keeps its revision; several stores may share one database."""
    revision: str
    """The revision that this version of Beleg works with."""
    hint: str
    """How a person brings them forward."""

    def revision_of(self, connection: Connection) -> str | None:
        """The revision of the tables, ``None`` where there are none."""
        if not inspect(connection).has_table(self.version_table):
            return None
        table = Table(self.version_table, MetaData(), autoload_with=connection)
        found = connection.execute(select(table.c.version_num)).scalar_one_or_none()
        return None if found is None else str(found)

    def require(self, connection: Connection, name: str) -> None:
        """Refuses tables of another revision.

        Raises:
            EvidenceError: if there are none, or they are older or newer.
        """
        found = self.revision_of(connection)
        if found == self.revision:
            return
        if found is None:
            raise EvidenceError(f"{name} holds no {self.what}", hint=f"Make one with: {self.hint}")
        raise EvidenceError(
            f"{name} is at revision {found} of the {self.what}, and revision {self.revision} is understood",
            hint=f"Bring it forward with: {self.hint}, or use the version of beleg that made it",
        )

    def upgrade(self, connection: Connection) -> None:
        """Makes the tables, or brings them forward.

        Raises:
            EvidenceError: if the tables are newer than what is understood.
        """
        found = self.revision_of(connection)
        if found is not None and found > self.revision:
            self.require(connection, "the database")
        if found != self.revision:
            self._run(connection)

    def _run(self, connection: Connection) -> None:
        # Loading Alembic takes longer than most questions; only tables that are made or moved on need it.
        from alembic.config import Config
        from alembic.runtime.environment import EnvironmentContext
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / self.folder).replace("%", "%%"))
        script = ScriptDirectory.from_config(config)
        steps = script._upgrade_revs
        with EnvironmentContext(config, script, fn=lambda current, _: steps(self.revision, current)) as environment:
            environment.configure(connection=connection, version_table=self.version_table)
            environment.run_migrations()
