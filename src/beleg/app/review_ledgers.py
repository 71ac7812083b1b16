"""Opening and creating review ledgers by the address that a person gives."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from beleg.core.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    # The store itself cannot be imported without the extra; who only reads exported events does not need it.
    from beleg.adapters.stores.review_ledger import SqlReviewLedger

POSTGRES = "postgresql"
STORE = ("alembic", "sqlalchemy")
"""The packages of the extra ``review``."""


def open_ledger(address: str, *, is_read_only: bool = False) -> SqlReviewLedger:
    """Opens a ledger: a file by its path, or a PostgreSQL database by its address.

    Args:
        address: such as ``reviews.db`` or ``postgresql+pg8000://ada@db.example/reviews?password_env=REVIEWS_PASSWORD``.
        is_read_only: whether nothing will be written; a file that is not there is then refused, else made.

    Raises:
        UsageError: if the address cannot be used, or names nothing to read.
        MissingExtra: if the extra ``review``, or ``postgres`` for a database, is not installed.
        EvidenceError: if there is no ledger, or it is damaged or cannot be reached.
    """
    is_shared = _is_address(address)
    _require_store(is_shared=is_shared)
    if is_shared:
        from beleg.adapters.stores.review_postgres import open_postgres_ledger

        return open_postgres_ledger(address, os.environ, is_read_only=is_read_only)
    from beleg.adapters.stores.review_sqlite import open_sqlite_ledger

    return open_sqlite_ledger(Path(address), is_read_only=is_read_only)


def create_ledger(address: str, *, grant_to: tuple[str, ...] = ()) -> str:
    """Makes a ledger, or brings its tables forward.

    Args:
        address: as for `open_ledger`; in PostgreSQL with the role that is to own the tables.
        grant_to: roles of PostgreSQL that may record from then on.

    Returns:
        How a message calls it.

    Raises:
        UsageError: if the address cannot be used, or roles are named for a file.
        MissingExtra: if the extra ``review``, or ``postgres`` for a database, is not installed.
        EvidenceError: if it cannot be made.
    """
    if _is_address(address):
        _require_store(is_shared=True)
        from beleg.adapters.stores.review_postgres import create_postgres_ledger

        return create_postgres_ledger(address, os.environ, grant_to=grant_to)
    if grant_to:
        raise UsageError("a file knows no roles", hint="Leave --grant out; whoever may write to the file may record")
    with open_ledger(address) as ledger:
        return ledger.name


def _require_store(*, is_shared: bool) -> None:
    """Names the extra before a module of the store is imported: a file needs ``review``, a database ``postgres``."""
    # Looked for and not imported: alembic takes 0.15 s, and only a ledger that is made or moved on needs it.
    if any(find_spec(name) is None for name in STORE):
        what, extra = ("a review ledger in PostgreSQL", "postgres") if is_shared else ("a review ledger", "review")
        raise MissingExtra(what, extra)


def _is_address(address: str) -> bool:
    scheme, mark, _ = address.partition("://")
    if mark and not scheme.startswith(POSTGRES):
        raise UsageError(
            f"a ledger cannot be kept in {scheme}", hint="Name a file, or an address that begins with postgresql://"
        )
    return bool(mark)
