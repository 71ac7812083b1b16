"""Local accounts: made by somebody who may, never by oneself, and without a password that is there from the start."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from beleg.app.workbench.passwords import (
    generated_password,
    hashed_password,
    is_password,
    require_usable,
    waste_time,
)
from beleg.core.access import Principal, Role
from beleg.core.errors import DataError, Problem, UsageError
from beleg.core.workbench_state import PROGRAM, Account, WorkbenchState

MAX_NAME_CHARS = 100


def create_account(
    state: WorkbenchState, tenant: str, name: str, roles: Collection[Role], at: datetime, *, password: str | None = None
) -> tuple[Account, str]:
    """Makes an account.

    Args:
        state: where it is kept.
        tenant: whose.
        name: by which its person signs in, and which reviews and the audit log carry.
        roles: what they may do.
        at: now.
        password: theirs; a random one where none is given.

    Returns:
        The account, and its password, which is told here and never again.

    Raises:
        DataError: if the name is taken or cannot be used, no role is named, or the password is soon guessed.
    """
    name = name.strip()
    problems = []
    if not name or len(name) > MAX_NAME_CHARS or not name.isprintable():
        problems.append(Problem(message=f"a name of 1 to {MAX_NAME_CHARS} characters is needed", field="name"))
    elif name.startswith(PROGRAM):
        problems.append(Problem(message=f"{PROGRAM} begins the names of programs", field="name", value=name))
    elif state.account(tenant, name) is not None:
        problems.append(Problem(message="there is an account with this name", field="name", value=name))
    if not roles:
        problems.append(Problem(message="at least one role is needed", field="roles"))
    if problems:
        raise DataError(problems)
    if password is not None:
        require_usable(password, name)
    chosen = password or generated_password()
    account = Account(
        tenant=tenant, name=name, roles=frozenset(roles), password_hash=hashed_password(chosen), created_at=at
    )
    state.put_account(account)
    return account, chosen


def signed_in_by_password(state: WorkbenchState, tenant: str, name: str, password: str) -> Principal | None:
    """The person behind name and password; ``None`` where they do not fit, whatever the reason."""
    account = state.account(tenant, name) if name else None
    if account is None or account.is_disabled:
        waste_time(password)
        return None
    if not is_password(password, account.password_hash):
        return None
    return Principal(name=account.name, tenant=tenant, roles=account.roles)


def change_password(state: WorkbenchState, principal: Principal, old: str, new: str) -> None:
    """Changes one's own password, and ends all sessions that were opened with the old one.

    Raises:
        DataError: if the old one is wrong, or the new one is soon guessed.
    """
    account = state.account(principal.tenant, principal.name)
    if account is None or not is_password(old, account.password_hash):
        raise DataError(Problem(message="this is not your password", field="old"))
    require_usable(new, account.name)
    state.put_account(account.model_copy(update={"password_hash": hashed_password(new)}))
    state.end_sessions_of(principal.tenant, principal.name)


def reset_password(state: WorkbenchState, tenant: str, name: str) -> str:
    """Gives an account a new random password, which is told once, and ends all its sessions.

    Raises:
        UsageError: if there is no such account.
    """
    account = existing_account(state, tenant, name)
    made = generated_password()
    state.put_account(account.model_copy(update={"password_hash": hashed_password(made)}))
    state.end_sessions_of(tenant, name)
    return made


def set_account(
    state: WorkbenchState, principal: Principal, name: str, *, roles: Collection[Role], is_disabled: bool
) -> Account:
    """Changes what an account may do, and ends its sessions, so that it holds from now on.

    Raises:
        UsageError: if there is no such account.
        DataError: if somebody would lock themselves out, or leave an account without a role.
    """
    account = existing_account(state, principal.tenant, name)
    if not roles:
        raise DataError(Problem(message="at least one role is needed", field="roles"))
    if name == principal.name and (is_disabled or Role.ADMIN not in roles):
        raise DataError(Problem(message="you cannot take your own rights away", field="name"))
    changed = account.model_copy(update={"roles": frozenset(roles), "is_disabled": is_disabled})
    state.put_account(changed)
    state.end_sessions_of(principal.tenant, name)
    return changed


def existing_account(state: WorkbenchState, tenant: str, name: str) -> Account:
    """The account with a name.

    Raises:
        UsageError: if there is none.
    """
    found = state.account(tenant, name)
    if found is None:
        raise UsageError("there is no such account")
    return found
