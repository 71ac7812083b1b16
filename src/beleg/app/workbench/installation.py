"""A workbench as it is served: one project folder for each tenant, and what is remembered of people and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Self

from beleg.app.workbench.services import Workbench
from beleg.app.workbench.state_opening import STATE_FILE, open_state
from beleg.core.errors import UsageError
from beleg.core.workbench_state import LOCAL_TENANT, WorkbenchState


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantPlace:
    """What belongs to one tenant."""

    project: Path
    """The folder with its suites, runs and decisions."""
    ledger: str | None = None
    """The address of its review ledger; one in the project where none is named."""
    title: str = ""
    """How its people see it called; empty on a laptop, where there is only one."""
    override_keys: Mapping[str, str] = field(default_factory=dict)
    """Keys in a key service by the owner who signs overrides with them."""


@dataclass(slots=True)
class Installation:
    """The projects of all tenants, each opened when somebody of it asks for the first time.

    Args:
        state: sessions, tokens, accounts and the audit log.
        tenants: by their names.
    """

    state: WorkbenchState
    tenants: Mapping[str, TenantPlace]
    _open: dict[str, Workbench] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    @classmethod
    def local(cls, project: Path, *, ledger: str | None = None, override_keys: Mapping[str, str] | None = None) -> Self:
        """One project on a laptop, with what is remembered beside it.

        Raises:
            UsageError: if there is no such folder.
            MissingExtra: if the packages of the workbench are not installed.
            EvidenceError: if what is remembered cannot be opened.
        """
        if not project.is_dir():
            raise UsageError(f"{project} is no folder", hint="Make a project with: beleg init my-project")
        place = TenantPlace(project=project.resolve(), ledger=ledger, override_keys=override_keys or {})
        return cls(open_state(str(place.project / STATE_FILE)), {LOCAL_TENANT: place})

    def workbench(self, tenant: str) -> Workbench:
        """The project of a tenant.

        Raises:
            UsageError: if there is no such tenant, or its folder is gone.
        """
        with self._lock:
            found = self._open.get(tenant)
            if found is None:
                place = self.tenants.get(tenant)
                if place is None:
                    raise UsageError("this tenant is not served here", hint="Ask whoever runs this workbench")
                found = self._open[tenant] = Workbench.open(
                    place.project, ledger=place.ledger, override_keys=place.override_keys
                )
            return found

    def close(self) -> None:
        """Ends the work in the background, and closes everything."""
        with self._lock:
            for found in self._open.values():
                found.close()
            self._open.clear()
        self.state.close()
