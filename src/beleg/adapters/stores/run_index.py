"""The index over runs in SQLite: a derived file that may be deleted at any time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    Table,
    and_,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    text,
)

from beleg.adapters.stores.run_index_tables import CASES, METADATA, METRICS, RUNS, SCHEMA, SCORES, SEGMENTS, TRACES
from beleg.core.errors import UsageError, shown
from beleg.core.run_index import (
    CasePage,
    CaseQuery,
    CaseToIndex,
    IndexedCase,
    IndexedScore,
    RunFacets,
    ScoresToIndex,
    TracePlace,
)
from beleg.core.score import ScoreStatus

ROWS_AT_ONCE = 5_000
WAIT_MS = 10_000
_SHOWN = (CASES.c.number, CASES.c.case_id, CASES.c.question, CASES.c.status, CASES.c.lost_at)


class SqliteRunIndex:
    """Cases of many runs in one file.

    Args:
        path: the file; one of another schema is emptied, since everything in it can be made again.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._engine = _engine(path)
        with self._engine.begin() as connection:
            if connection.execute(text("PRAGMA user_version")).scalar() != SCHEMA:
                METADATA.drop_all(connection)
                METADATA.create_all(connection)
                connection.execute(text(f"PRAGMA user_version = {SCHEMA}"))

    def close(self) -> None:
        """Closes the file."""
        self._engine.dispose()

    def digest(self, run_id: str) -> str | None:
        """What the run was when it was indexed; ``None`` where it was not."""
        with self._engine.connect() as connection:
            return connection.execute(select(RUNS.c.digest).where(RUNS.c.run_id == run_id)).scalar()

    def replace(self, run_id: str, digest: str, cases: Iterable[CaseToIndex], scores: Iterable[ScoresToIndex]) -> None:
        """Puts a run in the place of what was indexed of it before: all of it or nothing."""
        with self._engine.begin() as connection:
            connection.execute(delete(RUNS).where(RUNS.c.run_id == run_id))
            run = connection.execute(insert(RUNS).values(run_id=run_id, digest=digest).returning(RUNS.c.run)).scalar()
            _insert_cases(connection, run, cases)
            for position, column in enumerate(scores):
                connection.execute(insert(METRICS).values(run=run, metric=position, name=column.metric))
                _insert(
                    connection,
                    SCORES,
                    (
                        {"run": run, "metric": position, "number": number, "value": value, "reason": reason}
                        for number, (value, reason) in enumerate(zip(column.values, column.reasons, strict=True))
                    ),
                )

    def facets(self, run_id: str) -> RunFacets:
        """By what its cases can be told apart."""
        with self._engine.connect() as connection:
            run = _run(connection, run_id)

            def column(wanted: ColumnElement[Any]) -> tuple[str, ...]:
                found = connection.execute(
                    select(wanted).where(wanted.table.c.run == run).distinct().order_by(wanted)
                ).scalars()
                return tuple(value for value in found if value is not None)

            counted = connection.execute(select(func.count()).select_from(CASES).where(CASES.c.run == run)).scalar_one()
            return RunFacets(
                cases=counted,
                metrics=tuple(_metrics(connection, run)),
                segments=column(SEGMENTS.c.label),
                statuses=column(CASES.c.status),
                lost_at=column(CASES.c.lost_at),
            )

    def find(self, run_id: str, query: CaseQuery) -> CasePage:
        """The cases that fit.

        Raises:
            UsageError: if the run was not indexed or has no such metric.
        """
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            metrics = _metrics(connection, run)
            for name in (*query.metrics, *(() if query.sort is None else (query.sort,))):
                if name not in metrics:
                    raise UsageError(f"the run has no metric {shown(name)}")
            where = _conditions(run, query, metrics)
            total = connection.execute(_joined(select(func.count()), run, query, metrics).where(where)).scalar_one()
            wanted = _joined(select(*_SHOWN), run, query, metrics).where(where).order_by(*_order(query))
            rows = connection.execute(wanted.limit(query.limit).offset(query.offset)).all()
            scores = _scores(connection, run, [row.number for row in rows], {n: metrics[n] for n in query.metrics})
        return CasePage(total=total, cases=tuple(_indexed(row, scores.get(row.number, ())) for row in rows))

    def case(self, run_id: str, case_id: str) -> IndexedCase | None:
        """One case with every score."""
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            row = connection.execute(select(*_SHOWN).where(CASES.c.run == run, CASES.c.case_id == case_id)).first()
            if row is None:
                return None
            scores = _scores(connection, run, [row.number], _metrics(connection, run))
        return _indexed(row, scores.get(row.number, ()))

    def neighbours(self, run_id: str, case_id: str) -> tuple[str | None, str | None]:
        """The cases before and behind one, in the order of the suite."""
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            number = _number(connection, run, case_id)
            beside = {
                row.number: row.case_id
                for row in connection.execute(
                    select(CASES.c.number, CASES.c.case_id).where(
                        CASES.c.run == run, CASES.c.number.in_((number - 1, number + 1))
                    )
                )
            }
        return beside.get(number - 1), beside.get(number + 1)

    def traces(self, run_id: str, case_id: str) -> tuple[TracePlace, ...]:
        """Where its traces stand."""
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            number = _number(connection, run, case_id)
            found = connection.execute(
                select(TRACES).where(TRACES.c.run == run, TRACES.c.number == number).order_by(TRACES.c.repeat)
            )
            return tuple(
                TracePlace(repeat=row.repeat, line=row.line, start=row.start, length=row.length) for row in found
            )


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}")

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _: Any) -> None:
        for pragma in ("foreign_keys = ON", "journal_mode = WAL", "synchronous = NORMAL", f"busy_timeout = {WAIT_MS}"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _insert_cases(connection: Connection, run: int | None, cases: Iterable[CaseToIndex]) -> None:
    labels: list[dict[str, Any]] = []
    places: list[dict[str, Any]] = []

    def rows() -> Iterable[dict[str, Any]]:
        for number, case in enumerate(cases):
            key = {"run": run, "number": number}
            labels.extend({**key, "label": label} for label in case.segments)
            places.extend({**key, **place.to_json_dict()} for place in case.traces)
            yield {
                **key,
                "case_id": case.case_id,
                "question": case.question,
                "folded": f"{case.case_id}\n{case.question}".casefold(),
                "status": case.status,
                "lost_at": case.lost_at,
            }

    _insert(connection, CASES, rows())
    _insert(connection, SEGMENTS, labels)
    _insert(connection, TRACES, places)


def _insert(connection: Connection, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == ROWS_AT_ONCE:
            connection.execute(insert(table), waiting)
            waiting = []
    if waiting:
        connection.execute(insert(table), waiting)


def _run(connection: Connection, run_id: str) -> int:
    found: int | None = connection.execute(select(RUNS.c.run).where(RUNS.c.run_id == run_id)).scalar()
    if found is None:
        raise UsageError(f"the run {shown(run_id)} was not indexed yet")
    return found


def _number(connection: Connection, run: int, case_id: str) -> int:
    found: int | None = connection.execute(
        select(CASES.c.number).where(CASES.c.run == run, CASES.c.case_id == case_id)
    ).scalar()
    if found is None:
        raise UsageError(f"the run has no case {shown(case_id)}")
    return found


def _metrics(connection: Connection, run: int) -> dict[str, int]:
    found = connection.execute(
        select(METRICS.c.name, METRICS.c.metric).where(METRICS.c.run == run).order_by(METRICS.c.metric)
    )
    return {row.name: row.metric for row in found}


def _joined(wanted: Select[Any], run: int, query: CaseQuery, metrics: dict[str, int]) -> Select[Any]:
    """Cases, beside the scores that they are sorted by where that is asked for."""
    if query.sort is None:
        return wanted.select_from(CASES)
    beside = and_(SCORES.c.run == run, SCORES.c.metric == metrics[query.sort], SCORES.c.number == CASES.c.number)
    return wanted.select_from(CASES.join(SCORES, beside))


def _order(query: CaseQuery) -> tuple[ColumnElement[Any], ...]:
    if query.sort is None:
        return (CASES.c.number.desc() if query.descending else CASES.c.number.asc(),)
    value = SCORES.c.value
    return (value.is_(None), value.desc() if query.descending else value.asc(), SCORES.c.number)


def _conditions(run: int, query: CaseQuery, metrics: dict[str, int]) -> ColumnElement[bool]:
    wanted: list[ColumnElement[bool]] = [CASES.c.run == run]
    if query.segment is not None:
        in_segment = select(SEGMENTS.c.number).where(SEGMENTS.c.run == run, SEGMENTS.c.label == query.segment)
        wanted.append(CASES.c.number.in_(in_segment))
    if query.status is not None:
        wanted.append(CASES.c.status == query.status)
    if query.lost_at is not None:
        wanted.append(CASES.c.lost_at == query.lost_at)
    if query.reason is not None:
        if query.sort is None:
            raise UsageError("a reason why a score is missing goes with a metric", hint="Name the metric to sort by")
        wanted.append(SCORES.c.reason == query.reason.value)
    if query.text.strip():
        wanted.append(CASES.c.folded.contains(query.text.strip().casefold(), autoescape=True))
    return and_(*wanted)


def _scores(
    connection: Connection, run: int, numbers: list[int], metrics: dict[str, int]
) -> dict[int, tuple[IndexedScore, ...]]:
    if not numbers or not metrics:
        return {}
    name_of = {position: name for name, position in metrics.items()}
    found = connection.execute(
        select(SCORES).where(SCORES.c.run == run, SCORES.c.metric.in_(name_of), SCORES.c.number.in_(numbers))
    )
    by_case: dict[int, dict[str, IndexedScore]] = {}
    for row in found:
        name = name_of[row.metric]
        reason = None if row.reason is None else ScoreStatus(row.reason)
        by_case.setdefault(row.number, {})[name] = IndexedScore(metric=name, value=row.value, reason=reason)
    return {number: tuple(scores[name] for name in metrics if name in scores) for number, scores in by_case.items()}


def _indexed(row: Any, scores: tuple[IndexedScore, ...]) -> IndexedCase:
    return IndexedCase(
        number=row.number,
        case_id=row.case_id,
        question=row.question,
        status=row.status,
        lost_at=row.lost_at,
        scores=scores,
    )
