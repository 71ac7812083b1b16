"""Faults of a database in words that name it and the remedy, and show no statement and no value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from beleg.core.errors import EvidenceError


class FaultyDatabase(Protocol):
    """What a message needs to know of a database."""

    @property
    def name(self) -> str:
        """What a message calls it; it never holds a password."""
        ...

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        ...


@contextmanager
def told(database: FaultyDatabase, what: str) -> Iterator[None]:
    """Turns a fault of the database into one that names it and the remedy, and shows no statement and no value.

    Raises:
        EvidenceError: for any fault of the database.
    """
    try:
        yield
    except SQLAlchemyError as fault:
        words = _words(fault)
        raise EvidenceError(f"{database.name} {what}: {words}", hint=database.remedy(fault)) from fault


def _words(fault: SQLAlchemyError) -> str:
    """What the database said, on one line."""
    said: object = getattr(fault, "orig", None) or fault
    if isinstance(said, BaseException) and said.args and isinstance(said.args[0], dict):
        # PostgreSQL's own message stands under M, beside places in its source that nobody needs.
        said = said.args[0].get("M", said)
    return str(said).partition("\n")[0]
