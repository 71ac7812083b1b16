"""The index over runs in SQLite: a derived file that may be deleted at any time."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Engine,
    Table,
    and_,
    create_engine,
    delete,
    event,
    insert,
    select,
    text,
    update,
)

from beleg.adapters.stores.run_index_queries import CaseFinder
from beleg.adapters.stores.run_index_tables import (
    CASES,
    DETAILS,
    METADATA,
    METRICS,
    RUNS,
    SCHEMA,
    SCORES,
    SEGMENTS,
    TEXTS,
    TRACES,
)
from beleg.core.errors import UsageError, shown
from beleg.core.run_index import (
    CaseDetail,
    CaseInRun,
    CasePage,
    CaseQuery,
    CaseToIndex,
    IndexedCase,
    IndexedScore,
    RunFacets,
    RunSummary,
    ScoresToIndex,
    TracePlace,
)
from beleg.core.score import ScoreStatus

ROWS_AT_ONCE = 5_000
WAIT_MS = 10_000
_SHOWN = (CASES.c.number, CASES.c.case_id, TEXTS.c.question, CASES.c.status, CASES.c.lost_at)
_WITH_TEXT = CASES.join(TEXTS, and_(TEXTS.c.run == CASES.c.run, TEXTS.c.number == CASES.c.number))


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

    def replace(
        self,
        run_id: str,
        digest: str,
        summary: RunSummary,
        cases: Iterable[CaseToIndex],
        scores: Iterable[ScoresToIndex],
    ) -> None:
        """Puts a run in the place of what was indexed of it before: all of it or nothing."""
        stored = {"run_id": run_id, "digest": digest, "summary": summary.model_dump_json(), "facets": ""}
        with self._engine.begin() as connection:
            connection.execute(delete(RUNS).where(RUNS.c.run_id == run_id))
            run = connection.execute(insert(RUNS).values(stored).returning(RUNS.c.run)).scalar_one()
            facets = _Facets()
            _insert_cases(connection, run, facets.noting(cases))
            for position, column in enumerate(scores):
                facets.metrics.append(column.metric)
                connection.execute(insert(METRICS).values(run=run, metric=position, name=column.metric))
                _insert(
                    connection,
                    SCORES,
                    (
                        {"run": run, "metric": position, "number": number, "value": value, "reason": reason}
                        for number, (value, reason) in enumerate(zip(column.values, column.reasons, strict=True))
                    ),
                )
            told = facets.told().model_dump_json()
            connection.execute(update(RUNS).where(RUNS.c.run == run).values(facets=told))

    def summary(self, run_id: str) -> RunSummary:
        """The figures of the run.

        Raises:
            UsageError: if the run was not indexed.
        """
        return RunSummary.model_validate_json(self._column(run_id, "summary"))

    def facets(self, run_id: str) -> RunFacets:
        """By what its cases can be told apart.

        Raises:
            UsageError: if the run was not indexed.
        """
        return RunFacets.model_validate_json(self._column(run_id, "facets"))

    def _column(self, run_id: str, name: str) -> str:
        with self._engine.connect() as connection:
            found: str | None = connection.execute(select(RUNS.c[name]).where(RUNS.c.run_id == run_id)).scalar()
        if found is None:
            raise _not_indexed(run_id)
        return found

    def find(self, run_id: str, query: CaseQuery) -> CasePage:
        """The cases that fit.

        Raises:
            UsageError: if the run was not indexed or has no such metric.
        """
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            metrics = _metrics(connection, run)
            finder = CaseFinder(connection, run, query, metrics)
            numbers = finder.page()
            scores = _scores(connection, run, numbers, {name: metrics[name] for name in query.metrics})
            rows = {
                row.number: _indexed(row, scores.get(row.number, ()))
                for row in connection.execute(
                    select(*_SHOWN).select_from(_WITH_TEXT).where(CASES.c.run == run, CASES.c.number.in_(numbers))
                )
            }
            return CasePage(total=finder.total(), cases=tuple(rows[number] for number in numbers))

    def case(self, run_id: str, case_id: str) -> IndexedCase | None:
        """One case with every score."""
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            row = connection.execute(
                select(*_SHOWN).select_from(_WITH_TEXT).where(CASES.c.run == run, CASES.c.case_id == case_id)
            ).first()
            if row is None:
                return None
            scores = _scores(connection, run, [row.number], _metrics(connection, run))
        return _indexed(row, scores.get(row.number, ()))

    def detail(self, run_id: str, case_id: str) -> CaseDetail:
        """What the page of one case needs.

        Raises:
            UsageError: if the run was not indexed or has no such case.
        """
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            number = _number(connection, run, case_id)
            body = connection.execute(
                select(DETAILS.c.body).where(DETAILS.c.run == run, DETAILS.c.number == number)
            ).scalar_one()
        return CaseDetail.model_validate_json(body)

    def neighbours(self, run_id: str, case_id: str, query: CaseQuery) -> tuple[str | None, str | None]:
        """The cases before and behind one among those that fit, in the order that is asked for.

        Raises:
            UsageError: if the run was not indexed, or has no such case or metric.
        """
        with self._engine.connect() as connection:
            run = _run(connection, run_id)
            finder = CaseFinder(connection, run, query, _metrics(connection, run))
            before, behind = finder.beside(_number(connection, run, case_id))
            names = {
                row.number: row.case_id
                for row in connection.execute(
                    select(CASES.c.number, CASES.c.case_id).where(
                        CASES.c.run == run, CASES.c.number.in_([n for n in (before, behind) if n is not None])
                    )
                )
            }
        return (None if before is None else names[before]), (None if behind is None else names[behind])

    def history(self, case_id: str, metrics: Collection[str]) -> tuple[CaseInRun, ...]:
        """The case in every run that was indexed, with some of its scores."""
        found = []
        with self._engine.connect() as connection:
            rows = connection.execute(
                select(RUNS.c.run_id, RUNS.c.run, *_SHOWN)
                .select_from(_WITH_TEXT.join(RUNS, CASES.c.run == RUNS.c.run))
                .where(CASES.c.case_id == case_id)
            ).all()
            for row in rows:
                known = {name: at for name, at in _metrics(connection, row.run).items() if name in metrics}
                scores = _scores(connection, row.run, [row.number], known)
                found.append(CaseInRun(run_id=row.run_id, case=_indexed(row, scores.get(row.number, ()))))
        return tuple(found)

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


class _Facets:
    """Notes by what cases can be told apart while they go by, so that no page has to look through them."""

    def __init__(self) -> None:
        self.metrics: list[str] = []
        self._cases = 0
        self._seen: dict[str, set[str]] = {"segments": set(), "statuses": set(), "lost_at": set()}

    def noting(self, cases: Iterable[CaseToIndex]) -> Iterable[CaseToIndex]:
        for case in cases:
            self._cases += 1
            self._seen["segments"].update(case.segments)
            self._seen["statuses"].add(case.status)
            if case.lost_at is not None:
                self._seen["lost_at"].add(case.lost_at)
            yield case

    def told(self) -> RunFacets:
        seen = {name: tuple(sorted(values)) for name, values in self._seen.items()}
        return RunFacets(cases=self._cases, metrics=tuple(self.metrics), **seen)


def _insert_cases(connection: Connection, run: int, cases: Iterable[CaseToIndex]) -> None:
    labels: list[dict[str, Any]] = []
    texts: list[dict[str, Any]] = []
    places: list[dict[str, Any]] = []
    details: list[dict[str, Any]] = []

    def rows() -> Iterable[dict[str, Any]]:
        for number, case in enumerate(cases):
            key = {"run": run, "number": number}
            folded = f"{case.case_id}\n{case.question}".casefold()
            texts.append({**key, "question": case.question, "folded": folded})
            labels.extend({**key, "label": label} for label in case.segments)
            places.extend({**key, **place.to_json_dict()} for place in case.traces)
            details.append({**key, "body": case.detail.model_dump_json(exclude_none=True)})
            if len(details) == ROWS_AT_ONCE:
                _insert(connection, DETAILS, details)
                details.clear()
            yield {
                **key,
                "case_id": case.case_id,
                "status": case.status,
                "lost_at": case.lost_at,
            }

    _insert(connection, CASES, rows())
    _insert(connection, TEXTS, texts)
    _insert(connection, SEGMENTS, labels)
    _insert(connection, TRACES, places)
    _insert(connection, DETAILS, details)


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
        raise _not_indexed(run_id)
    return found


def _not_indexed(run_id: str) -> UsageError:
    return UsageError(f"the run {shown(run_id)} was not indexed yet")


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


def _scores(
    connection: Connection, run: int, numbers: list[int], metrics: Mapping[str, int]
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
