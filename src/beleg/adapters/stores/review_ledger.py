"""The review ledger over SQLAlchemy: append-only, chained by hashes, without a gap whoever writes at once (E7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Protocol, Self

from sqlalchemy import Connection, Engine, Select, and_, bindparam, func, insert, literal_column, select, union_all
from sqlalchemy.exc import SQLAlchemyError

from beleg.adapters.stores.database_faults import told
from beleg.adapters.stores.review_planning import LedgerState, Plan, planned
from beleg.adapters.stores.review_tables import EVENTS, IDENTITY, as_event, as_row
from beleg.adapters.stores.review_turns import Request, Turns
from beleg.core.errors import Error, EvidenceError
from beleg.core.review import LedgerHead, ReviewAction, ReviewEvent

AT_ONCE = 200
"""Rows, keys or streams in one statement: PostgreSQL and SQLite bound how many values one may carry."""


# Made once and kept short: the driver for PostgreSQL reads every statement character by character.
_E = EVENTS.alias("e")
_STATE = union_all(
    select(literal_column("'head'"), _E.c.sequence, _E.c.hash).where(
        _E.c.sequence == select(func.max(EVENTS.c.sequence)).scalar_subquery()
    ),
    select(literal_column("'key'"), _E.c.sequence, _E.c.idempotency_key).where(
        _E.c.idempotency_key.in_(bindparam("keys", expanding=True))
    ),
    select(literal_column("'stream'"), func.max(_E.c.version), _E.c.stream)
    .where(_E.c.stream.in_(bindparam("streams", expanding=True)))
    .group_by(_E.c.stream),
)
"""The head, the events under some keys and the versions of some streams, each as its number and its name."""
_STREAM = select(EVENTS).where(EVENTS.c.stream == bindparam("stream")).order_by(EVENTS.c.sequence)


class LedgerDatabase(Protocol):
    """What the two databases do differently."""

    @property
    def name(self) -> str:
        """What a message calls it; it never holds a password."""
        ...

    @property
    def engine(self) -> Engine:
        """Its connections."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection for single questions, each of which sees what was committed before it."""
        ...

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction that nobody else writes beside, committed at the end and taken back where anything is raised.

        When it ends, what was written survives a loss of power.
        """
        ...

    def settle(self) -> None:
        """Makes whatever a reader may have seen survive a loss of power."""
        ...

    def remedy(self, fault: SQLAlchemyError) -> str:
        """What to do about a fault."""
        ...


class SqlReviewLedger:
    """A `beleg.core.review.ReviewLedger` in a database that was prepared for it.

    Args:
        database: where it is.

    Raises:
        EvidenceError: if the database holds no ledger, or cannot be read.
    """

    def __init__(self, database: LedgerDatabase) -> None:
        self._database = database
        self._turns = Turns(self._write)
        with self._told("cannot be read"), database.reading() as connection:
            self._identity = connection.execute(select(IDENTITY.c.ledger)).scalar_one_or_none()
        if self._identity is None:
            raise EvidenceError(f"{database.name} names no review ledger", hint="Make one with: beleg review create")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Where it is, without a password."""
        return self._database.name

    def append(self, action: ReviewAction, *, at: datetime) -> ReviewEvent:
        """Appends an action, or returns the event that its idempotency key already made.

        Raises:
            StreamMovedOn: if the stream is not at ``expected_version``.
            DataError: if the key was used for another action.
            EvidenceError: if the database cannot be written.
        """
        (event,) = self.append_all((action,), at=at)
        return event

    def append_all(self, actions: Sequence[ReviewAction], *, at: datetime) -> tuple[ReviewEvent, ...]:
        """Appends many in one transaction: all or none.

        Raises:
            StreamMovedOn: if a stream is not at the version that its action names.
            DataError: if a key was used for another action.
            EvidenceError: if the database cannot be written.
        """
        if not actions:
            return ()
        return self._turns.served(Request(tuple(actions), at))

    def stream(self, stream: str) -> tuple[ReviewEvent, ...]:
        """All events of a claim row, in order.

        Raises:
            DamagedEvent: if what stands at a place is no event any more.
        """
        return tuple(self._read(_STREAM, {"stream": stream}))

    def streams(self, prefix: str) -> dict[str, tuple[ReviewEvent, ...]]:
        """The streams whose name begins so, each in order; a run's claims share ``run_id/``.

        Raises:
            DamagedEvent: if what stands at a place is no event any more.
        """
        # The names are compared by code point, and none can begin with the prefix behind the highest one.
        within = and_(EVENTS.c.stream >= prefix, EVENTS.c.stream <= prefix + "\U0010ffff")
        found: dict[str, list[ReviewEvent]] = {}
        for event in self._read(select(EVENTS).where(within).order_by(EVENTS.c.sequence)):
            if event.action.stream.startswith(prefix):
                found.setdefault(event.action.stream, []).append(event)
        return {name: tuple(events) for name, events in found.items()}

    def events(self, *, after: int = 0, limit: int | None = None) -> tuple[ReviewEvent, ...]:
        """Events of the whole ledger in order, after a sequence number.

        Raises:
            DamagedEvent: if what stands at a place is no event any more.
        """
        query = select(EVENTS).where(EVENTS.c.sequence > after).order_by(EVENTS.c.sequence)
        return tuple(self._read(query if limit is None else query.limit(limit)))

    def head(self) -> LedgerHead:
        """Its length and last hash, which survive a loss of power from here on."""
        with self._told("cannot be read"):
            self._database.settle()
            with self._database.reading() as connection:
                state = _state_of(connection, ())
        return LedgerHead(ledger=str(self._identity), size=state.size, hash=state.hash, at=datetime.now(UTC))

    def close(self) -> None:
        """Closes all connections."""
        self._database.engine.dispose()

    def _write(self, requests: Sequence[Request]) -> None:
        """Carries out what several threads wait for in one transaction, so that they wait for the disk once."""
        with self._told("cannot be written"):
            plans: dict[int, Plan] = {}
            with self._database.writing() as connection:
                state = _state_of(connection, [action for request in requests for action in request.actions])
                for place, request in enumerate(requests):
                    try:
                        plans[place] = planned(state, request.actions, request.at)
                    except Error as refusal:
                        request.refusal = refusal
                    else:
                        state = plans[place].state
                added = [event for plan in plans.values() for event in plan.added]
                for some in _portions(added):
                    connection.execute(insert(EVENTS), [as_row(event) for event in some])
        for place, plan in plans.items():
            requests[place].events = plan.events

    def _read(
        self, query: Select[tuple[object, ...]], values: Mapping[str, object] | None = None
    ) -> Iterator[ReviewEvent]:
        with self._told("cannot be read"), self._database.reading() as connection:
            rows = connection.execute(query, values).mappings().all()
        for row in rows:
            yield as_event({str(key): value for key, value in row.items()})

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        with told(self._database, what):
            yield


def _state_of(connection: Connection, actions: Sequence[ReviewAction]) -> LedgerState:
    """The head, the streams and the keys that the actions need, in one question where they are few."""
    state = LedgerState()
    streams = list(dict.fromkeys(action.stream for action in actions))
    keys = list(dict.fromkeys(action.idempotency_key for action in actions))
    for at in range(0, max(len(streams), len(keys), 1), AT_ONCE):
        _add_to(state, connection, streams[at : at + AT_ONCE], keys[at : at + AT_ONCE])
    return state


def _add_to(state: LedgerState, connection: Connection, streams: Sequence[str], keys: Sequence[str]) -> None:
    used = []
    for what, number, name in connection.execute(_STATE, {"keys": list(keys), "streams": list(streams)}):
        if what == "head":
            state.size, state.hash = int(number), str(name)
        elif what == "key":
            used.append(int(number))
        else:
            state.versions[str(name)] = int(number)
    if used:
        for row in connection.execute(select(EVENTS).where(EVENTS.c.sequence.in_(used))).mappings():
            event = as_event({str(key): value for key, value in row.items()})
            state.by_key[event.action.idempotency_key] = event


def _portions(events: Sequence[ReviewEvent]) -> Iterator[Sequence[ReviewEvent]]:
    for at in range(0, len(events), AT_ONCE):
        yield events[at : at + AT_ONCE]
