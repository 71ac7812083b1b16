"""What is asked of the index over runs: which cases fit, in which order, and which one comes next.

A page is found in two steps: first the numbers of its cases, from one index of the file alone, then their rows. So a
deep page reads no row that it does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from beleg.adapters.stores.run_index_tables import CASES, SCORES, SEGMENTS, TEXTS
from beleg.core.errors import UsageError, shown
from beleg.core.run_index import CaseQuery

Metrics = Mapping[str, int]
"""The metrics of a run by name, with their places."""


class CaseFinder:
    """Finds cases of one run.

    Args:
        connection: to the file.
        run: the run by its number.
        query: what is asked.
        metrics: the metrics of the run.

    Raises:
        UsageError: if the query names a metric that the run does not have.
    """

    def __init__(self, connection: Connection, run: int, query: CaseQuery, metrics: Metrics) -> None:
        named = (*query.metrics, *(name for name in (query.sort, query.reason_metric) if name is not None))
        for name in named:
            if name not in metrics:
                raise UsageError(f"the run has no metric {shown(name)}")
        self._connection = connection
        self._run = run
        self._query = query
        self._metrics = metrics
        self._filters = tuple(self._filtered())

    def total(self) -> int:
        """How many cases fit."""
        counted = select(func.count()).select_from(CASES).where(CASES.c.run == self._run, *self._filters)
        return self._connection.execute(counted).scalar_one()

    def page(self) -> list[int]:
        """The numbers of the cases on the page, in order."""
        query = self._query
        if query.sort is None:
            return self._numbers(self._in_suite_order(), query.limit, query.offset)
        scored, without = self._scored(), self._without_score()
        found = self._numbers(scored, query.limit, query.offset)
        if len(found) == query.limit:
            return found
        # Cases without a score come last, so they begin where those with one end.
        beyond = query.offset - self._counted(scored) if not found else 0
        return [*found, *self._numbers(without, query.limit - len(found), max(beyond, 0))]

    def beside(self, number: int) -> tuple[int | None, int | None]:
        """The numbers of the cases before and behind one, whether or not it fits itself."""
        return self._next(number, is_forward=False), self._next(number, is_forward=True)

    def _next(self, number: int, *, is_forward: bool) -> int | None:
        steps = self._steps_in_suite if self._query.sort is None else self._steps_by_score
        for step in steps(number, is_up=is_forward is not self._query.descending, is_forward=is_forward):
            found = self._connection.execute(step.limit(1)).scalar()
            if found is not None:
                return int(found)
        return None

    def _steps_in_suite(self, number: int, *, is_up: bool, is_forward: bool) -> Iterator[Select[Any]]:
        own = CASES.c.number
        yield (
            select(own)
            .where(CASES.c.run == self._run, *self._filters, own > number if is_up else own < number)
            .order_by(own.asc() if is_up else own.desc())
        )

    def _steps_by_score(self, number: int, *, is_up: bool, is_forward: bool) -> Iterator[Select[Any]]:
        value, own = SCORES.c.value, SCORES.c.number
        mine = self._connection.execute(
            select(value).where(SCORES.c.run == self._run, SCORES.c.metric == self._place, own == number)
        ).scalar()
        further = own > number if is_up else own < number
        by_number = own.asc() if is_up else own.desc()
        by_value = value.asc() if is_up else value.desc()
        if mine is None:
            yield self._sorted(value.is_(None), further).order_by(by_number)
            if not is_forward:
                yield self._sorted(value.is_not(None)).order_by(by_value, by_number)
            return
        yield self._sorted(value == mine, further).order_by(by_number)
        yield self._sorted(value > mine if is_up else value < mine).order_by(by_value, by_number)
        if is_forward:
            yield self._sorted(value.is_(None)).order_by(by_number)

    def _in_suite_order(self) -> Select[Any]:
        own = CASES.c.number
        wanted = select(own).where(CASES.c.run == self._run, *self._filters)
        return wanted.order_by(own.desc() if self._query.descending else own.asc())

    def _scored(self) -> Select[Any]:
        value, own = SCORES.c.value, SCORES.c.number
        order = (value.desc(), own.desc()) if self._query.descending else (value.asc(), own.asc())
        return self._sorted(value.is_not(None)).order_by(*order)

    def _without_score(self) -> Select[Any]:
        own = SCORES.c.number
        return self._sorted(SCORES.c.value.is_(None)).order_by(own.desc() if self._query.descending else own.asc())

    def _sorted(self, *conditions: ColumnElement[bool]) -> Select[Any]:
        """Cases by the score that they are sorted by; those that do not fit are left out."""
        wanted = select(SCORES.c.number).where(SCORES.c.run == self._run, SCORES.c.metric == self._place, *conditions)
        if not self._filters:
            return wanted
        return wanted.where(SCORES.c.number.in_(select(CASES.c.number).where(CASES.c.run == self._run, *self._filters)))

    @property
    def _place(self) -> int:
        return self._metrics[self._query.sort or ""]

    def _numbers(self, wanted: Select[Any], limit: int, offset: int) -> list[int]:
        return [int(number) for number in self._connection.execute(wanted.limit(limit).offset(offset)).scalars()]

    def _counted(self, wanted: Select[Any]) -> int:
        return self._connection.execute(select(func.count()).select_from(wanted.order_by(None).subquery())).scalar_one()

    def _filtered(self) -> Iterator[ColumnElement[bool]]:
        query = self._query
        if query.segment is not None:
            yield CASES.c.number.in_(
                select(SEGMENTS.c.number).where(SEGMENTS.c.run == self._run, SEGMENTS.c.label == query.segment)
            )
        if query.status is not None:
            yield CASES.c.status == query.status
        if query.lost_at is not None:
            yield CASES.c.lost_at == query.lost_at
        if query.reason is not None or query.reason_metric is not None:
            yield CASES.c.number.in_(self._missing())
        if query.text.strip():
            # instr folds no letters, so it is several times as fast as LIKE over texts that are folded already.
            holds = func.instr(TEXTS.c.folded, query.text.strip().casefold()) > 0
            yield CASES.c.number.in_(select(TEXTS.c.number).where(TEXTS.c.run == self._run, holds))

    def _missing(self) -> Select[Any]:
        """Cases in which a score is missing."""
        query, wanted = self._query, [SCORES.c.run == self._run, SCORES.c.reason.is_not(None)]
        if query.reason is not None:
            wanted.append(SCORES.c.reason == query.reason.value)
        if query.reason_metric is not None:
            wanted.append(SCORES.c.metric == self._metrics[query.reason_metric])
        return select(SCORES.c.number).where(and_(*wanted))
