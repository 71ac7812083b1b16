"""A workbench for a team, as its settings file describes it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from beleg.adapters.formats.models import load_document
from beleg.app.reviewing import now
from beleg.app.workbench.accounts import create_account
from beleg.app.workbench.installation import Installation, TenantPlace
from beleg.app.workbench.state_opening import open_state
from beleg.core.access import Role
from beleg.core.errors import ConfigError, Problem, UsageError
from beleg.core.workbench_settings import WorkbenchSettings
from beleg.core.workbench_state import Account, AuditAction, AuditEvent

COMMAND_LINE = "command line"
"""Who made an account on the machine itself, as the audit log names them."""


def load_workbench_settings(path: Path) -> WorkbenchSettings:
    """Reads a settings file.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    return load_document(WorkbenchSettings, path)


def open_team(settings: WorkbenchSettings, path: Path) -> Installation:
    """Opens what the settings name.

    Args:
        settings: as read.
        path: the file that they stand in; folders and files count from it.

    Raises:
        ConfigError: if a project is no folder, or stands within that of another tenant.
        UsageError: if the address of the state cannot be used.
        EvidenceError: if the state cannot be opened.
    """
    here = path.resolve().parent
    places = {
        name: TenantPlace(
            project=(here / tenant.project).resolve(),
            ledger=located(tenant.ledger, here),
            override_keys={owner: _located_key(key, here) for owner, key in tenant.override_keys.items()},
        )
        for name, tenant in settings.tenants.items()
    }
    _require_apart(places, path)
    return Installation(open_state(located(settings.state, here) or ""), places)


def located(name: str | None, here: Path) -> str | None:
    """An address as it is, and a file counted from the settings file."""
    return name if name is None or "://" in name else str(here / name)


def _located_key(reference: str, here: Path) -> str:
    key, _, public = reference.rpartition("@")
    return f"{key}@{here / public}"


def _require_apart(places: dict[str, TenantPlace], path: Path) -> None:
    problems = [
        Problem(
            message=f"{place.project} is no folder",
            file=str(path),
            field=f"tenants.{name}.project",
            remedy="Make a project with: beleg init FOLDER",
        )
        for name, place in places.items()
        if not place.project.is_dir()
    ]
    for (one, first), (other, second) in combinations(places.items(), 2):
        if first.project.is_relative_to(second.project) or second.project.is_relative_to(first.project):
            problems.append(
                Problem(
                    message=f"the projects of {one} and {other} are not apart",
                    file=str(path),
                    field=f"tenants.{other}.project",
                    value=str(second.project),
                    remedy="Give each tenant a folder that is not within another one's",
                )
            )
        elif first.ledger is not None and first.ledger == second.ledger:
            problems.append(
                Problem(
                    message=f"{one} and {other} name the same review ledger",
                    file=str(path),
                    field=f"tenants.{other}.ledger",
                    remedy="Give each tenant a ledger of its own",
                )
            )
    if problems:
        raise ConfigError(problems)


def require_tenant(settings: WorkbenchSettings, name: str) -> str:
    """The name of a tenant that is served.

    Raises:
        UsageError: if there is none.
    """
    if name not in settings.tenants:
        raise UsageError(f"there is no tenant {name!r}", hint=f"Known are: {', '.join(sorted(settings.tenants))}")
    return name


def add_account(
    path: Path, *, tenant: str, name: str, roles: Sequence[str], password: str | None = None
) -> tuple[Account, str]:
    """Makes an account in the state that a settings file names.

    Args:
        path: the settings file.
        tenant: whose.
        name: by which its person signs in.
        roles: what they may do, by name.
        password: theirs; a random one where none is given.

    Returns:
        The account, and its password, which is told here and never again.

    Raises:
        UsageError: if accounts are not allowed, or there is no such tenant or role.
        DataError: if the name is taken, or the password is soon guessed.
        EvidenceError: if the state cannot be opened.
    """
    settings = load_workbench_settings(path)
    if not settings.sign_in.accounts:
        raise UsageError(f"{path} allows no accounts", hint="Set sign_in.accounts to true, or sign in by oidc")
    require_tenant(settings, tenant)
    unknown = [role for role in roles if role not in set(Role)]
    if unknown:
        raise UsageError(f"there is no role {unknown[0]!r}", hint=f"Known are: {', '.join(Role)}")
    state = open_state(located(settings.state, path.resolve().parent) or "")
    try:
        made = create_account(state, tenant, name, [Role(role) for role in roles], now(), password=password)
        event = AuditEvent(at=now(), actor=COMMAND_LINE, action=AuditAction.ACCOUNT_CREATED, target=made[0].name)
        state.note(tenant, event)
    finally:
        state.close()
    return made
