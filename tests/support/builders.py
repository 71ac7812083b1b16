"""Small builders for tests: cases, traces, candidates, runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from beleg.core.case import Case, ExpectedPassage
from beleg.core.evaluation import Evaluation
from beleg.core.inventory import Inventory
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader, RunSettings
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.suite import Suite, SuiteHeader
from beleg.core.trace import Output, Passage, Query, Trace, TraceStatus


def case(case_id: str = "c1", **fields: object) -> Case:
    """A case that expects document d1 unless told otherwise."""
    given: dict[str, object] = {
        "user_input": f"question {case_id}",
        "expected_passages": (ExpectedPassage(document_id="d1"),),
    }
    given.update(fields)
    return Case(case_id=case_id, **given)


def suite(cases: Sequence[Case], **header: object) -> Suite:
    """A suite of some cases."""
    return Suite(header=SuiteHeader(**({"name": "s"} | header)), cases=tuple(cases))


def passage(name: str, document: str | None = None, **fields: object) -> Passage:
    """A passage of a document of the same name."""
    return Passage(passage_id=name, document_id=document or name, **fields)


def trace(case_id: str = "c1", *, repeat: int = 0, answer: str = "yes", passages: Sequence[str] = ("d1",)) -> Trace:
    """A trace that ended well."""
    output = Output(retrieved=tuple(passage(name) for name in passages), answer=answer)
    return Trace(case_id=case_id, repeat=repeat, status=TraceStatus.OK, output=output, total_ms=1.5)


class FunctionCandidate:
    """A candidate made of a function, sync or async."""

    def __init__(self, function: Callable[[Query], object], *, name: str = "candidate") -> None:
        self._function = function
        self._manifest = Manifest(name=name)
        self.closed = False

    @property
    def manifest(self) -> Manifest:
        """What it is made of."""
        return self._manifest

    async def answer(self, query: Query) -> Output:
        """Calls the function."""
        found = self._function(query)
        return await found if asyncio.iscoroutine(found) else found  # type: ignore[return-value]

    def inventory(self) -> Inventory | None:
        """Nothing is known."""
        return None

    async def close(self) -> None:
        """Remembers that it was closed."""
        self.closed = True


def header(cases: Sequence[Case], name: str = "run", **fields: object) -> RunHeader:
    """The header of a run over some cases."""
    manifest = Manifest(name=name)
    given: dict[str, object] = {
        "run_id": f"{name}-1",
        "created_at": datetime(2026, 11, 30, tzinfo=UTC),
        "manifest": manifest,
        "manifest_digest": manifest.digest,
        "suite_name": "s",
        "suite_version": 1,
        "suite_digest": "sha256:0",
        "case_ids": tuple(case.case_id for case in cases),
        "settings": RunSettings(),
        "beleg_version": "0",
        "python_version": "3",
    }
    given.update(fields)
    return RunHeader(**given)


def column(values: Sequence[float | ScoreStatus | None]) -> ScoreColumn:
    """A column from numbers; ``None`` is a missing score, a status is itself."""
    scores = []
    for value in values:
        if value is None:
            scores.append(Score.without(ScoreStatus.MISSING))
        elif isinstance(value, ScoreStatus):
            scores.append(Score.without(value))
        else:
            scores.append(Score.of(value))
    return ScoreColumn.from_scores(scores)


def evaluation(
    cases: Sequence[Case], scores: Mapping[str, Sequence[float | ScoreStatus | None]], name: str = "run"
) -> Evaluation:
    """A scored run with one row per case."""
    columns = {metric: column(values) for metric, values in scores.items()}
    return Evaluation(
        header=header(cases, name),
        cases=tuple(cases),
        row_case=np.arange(len(cases), dtype=np.intp),
        scores=columns,
        metric_versions=dict.fromkeys(columns, "1"),
    )
