"""Cases that guided tuning become development cases for good (G3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from beleg.core.case import Case
from beleg.core.errors import DataError, Problem, shown
from beleg.core.suite import Suite, SuiteKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """What marking leaves behind: the next version of the suite, and the cases that are development cases now."""

    suite: Suite
    development: tuple[Case, ...]


def mark_guided_tuning(suite: Suite, case_ids: Collection[str]) -> Retirement:
    """Marks cases that tuning was guided by and takes them out of every suite but a development suite.

    A development suite keeps the marked cases. From any other kind they are removed; release them in a
    development suite of the same store, which keeps them from coming back under any name.

    Raises:
        DataError: if a case id is not in the suite.

    Example:
        >>> from beleg.core.suite import SuiteHeader
        >>> header = SuiteHeader(name="shop", kind=SuiteKind.RELEASE)
        >>> cases = tuple(Case(case_id=name, user_input=name) for name in ("q1", "q2"))
        >>> retired = mark_guided_tuning(Suite(header=header, cases=cases), {"q2"})
        >>> [case.case_id for case in retired.suite.cases], retired.development[0].guided_tuning
        (['q1'], True)
    """
    known = suite.case_by_id()
    unknown = sorted(set(case_ids) - known.keys())
    if unknown:
        raise DataError(
            Problem(
                message=f"case is not in suite {shown(suite.header.name)}",
                field="case_id",
                value=shown(case_id),
                remedy="Name a case of this suite",
            )
            for case_id in unknown
        )
    wanted = set(case_ids)
    marked = tuple(_marked(case) if case.case_id in wanted else case for case in suite.cases)
    keeps = suite.header.kind is SuiteKind.DEVELOPMENT
    return Retirement(
        suite=Suite(
            header=suite.header.model_copy(update={"version": suite.header.version + 1}),
            cases=tuple(case for case in marked if keeps or case.case_id not in wanted),
        ),
        development=tuple(case for case in marked if case.case_id in wanted),
    )


def _marked(case: Case) -> Case:
    return case.model_copy(update={"guided_tuning": True})
