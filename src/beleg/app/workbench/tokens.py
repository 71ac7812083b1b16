"""Tokens by which programs ask: random, told once, kept as a hash, ending by themselves."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime, timedelta

from beleg.core.access import Principal, Role
from beleg.core.errors import DataError, Problem
from beleg.core.workbench_state import ApiToken, WorkbenchState

SECRET_BYTES = 32
MOST_DAYS = 366
USED_EVERY = timedelta(minutes=1)
"""How exactly the last use is known: not every request is worth a write."""
_SHAPE = re.compile(r"beleg_([a-z][a-z0-9-]{0,39})_([A-Za-z0-9_-]{43})\Z")


def secret_hash(secret: str) -> str:
    """What is kept of a random secret; nothing leads back from it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def create_token(
    state: WorkbenchState, creator: Principal, *, label: str, roles: frozenset[Role], days: int, at: datetime
) -> tuple[ApiToken, str]:
    """Makes a token of the creator's tenant.

    Args:
        state: where it is kept.
        creator: who makes it; they can pass on only roles of their own.
        label: what it is for, as reviews and the audit log will name the program.
        roles: what it may do.
        days: after how many days it ends.
        at: now.

    Returns:
        The token, and the text that opens it; that text is told here and never again.

    Raises:
        DataError: naming every field that cannot be used.
    """
    problems = []
    if not label.strip() or len(label) > 100 or not label.isprintable():
        problems.append(Problem(message="a label of 1 to 100 characters is needed", field="label"))
    if not roles:
        problems.append(Problem(message="at least one role is needed", field="roles"))
    if not roles <= creator.roles:
        problems.append(Problem(message="a token can get only roles that you have yourself", field="roles"))
    if Role.ADMIN in roles:
        problems.append(Problem(message="a token cannot make people or tokens", field="roles"))
    if not 1 <= days <= MOST_DAYS:
        problems.append(Problem(message=f"a token ends after 1 to {MOST_DAYS} days", field="days", value=str(days)))
    if problems:
        raise DataError(problems)
    made = secrets.token_urlsafe(SECRET_BYTES)
    token = ApiToken(
        token_id=secrets.token_hex(8),
        tenant=creator.tenant,
        label=label.strip(),
        roles=roles,
        created_by=creator.name,
        created_at=at,
        expires_at=at + timedelta(days=days),
    )
    state.create_token(token, secret_hash(made))
    return token, f"beleg_{creator.tenant}_{made}"


def open_token(state: WorkbenchState, text: str, at: datetime) -> ApiToken | None:
    """The token that a text opens now; ``None`` where it opens nothing.

    Args:
        state: where tokens are kept.
        text: what a program sent; anything at all.
        at: now.
    """
    shape = _SHAPE.match(text)
    if shape is None:
        return None
    tenant, secret = shape.groups()
    token = state.token(tenant, secret_hash(secret))
    if token is None or not token.is_open(at):
        return None
    if token.last_used_at is None or at - token.last_used_at >= USED_EVERY:
        state.see_token(tenant, token.token_id, at)
    return token
