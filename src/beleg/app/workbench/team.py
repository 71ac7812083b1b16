"""A workbench for a team, as its settings file describes it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from beleg.adapters.formats.models import load_document
from beleg.app.reviewing import now
from beleg.app.workbench.accounts import create_account
from beleg.app.workbench.installation import Installation, TenantPlace
from beleg.app.workbench.review_room import LEDGER_FILE
from beleg.app.workbench.state_opening import POSTGRES, open_state
from beleg.core.access import Role
from beleg.core.errors import ConfigError, Problem, UsageError
from beleg.core.workbench_settings import WorkbenchSettings
from beleg.core.workbench_state import Account, AuditAction, AuditEvent

POSTGRES_PORT = 5432
COMMAND_LINE = "command line"
"""Who made an account on the machine itself, as the audit log names them."""


def load_workbench_settings(path: Path) -> WorkbenchSettings:
    """Reads a settings file.

    Returns:
        What it says; the file with a provider's secret is found from wherever one asks.

    Raises:
        UsageError: if there is no such file.
        ConfigError: naming file, line, field, value and remedy for everything that is wrong.
    """
    found = load_document(WorkbenchSettings, path)
    oidc = found.sign_in.oidc
    if oidc is None or oidc.client_secret_file is None:
        return found
    secret = path.resolve().parent / oidc.client_secret_file
    sign_in = found.sign_in.model_copy(update={"oidc": oidc.model_copy(update={"client_secret_file": str(secret)})})
    return found.model_copy(update={"sign_in": sign_in})


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
            title=tenant.title or name,
        )
        for name, tenant in settings.tenants.items()
    }
    _require_apart(places, path)
    return Installation(open_state(located(settings.state, here) or ""), places)


def located(name: str | None, here: Path) -> str | None:
    """An address as it is, and a file counted from the settings file."""
    return name if name is None or "://" in name else str((here / name).resolve())


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
        elif _database(first) == _database(second):
            problems.append(_ledger_problem(f"{one} and {other} name the same review ledger", other, path))
        elif _is_within(second, first):
            problems.append(_ledger_problem(f"the review ledger of {other} lies in the project of {one}", other, path))
        elif _is_within(first, second):
            problems.append(_ledger_problem(f"the review ledger of {one} lies in the project of {other}", one, path))
    if problems:
        raise ConfigError(problems)


def _database(place: TenantPlace) -> str:
    """Where reviews are kept: two addresses of one database may name other roles and settings."""
    address = place.ledger or str(place.project / LEDGER_FILE)
    if "://" not in address:
        return address
    parts = urlsplit(address)
    socket = parse_qs(parts.query).get("unix_sock", [""])[0]
    return f"{POSTGRES}://{parts.hostname or ''}{socket}:{parts.port or POSTGRES_PORT}{parts.path}"


def _is_within(place: TenantPlace, other: TenantPlace) -> bool:
    """Whether the reviews of a tenant are kept in the project of another one."""
    return "://" not in _database(place) and Path(_database(place)).is_relative_to(other.project)


def _ledger_problem(message: str, tenant: str, path: Path) -> Problem:
    return Problem(
        message=message,
        file=str(path),
        field=f"tenants.{tenant}.ledger",
        remedy="Give each tenant a ledger of its own, outside of the projects of others",
    )


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
