"""Short ways to put one row before a scripted panel."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from beleg.core.case import Case
from beleg.core.errors import CandidateError
from beleg.core.findings import Finding
from beleg.core.inference import Vectors
from beleg.core.score import Score
from beleg.judges.measures.registry import MEASURES
from beleg.judges.panel import Docket, Outcome, Panel
from beleg.metrics.batch import Batch, Row
from beleg.metrics.catalogue import compute
from beleg.metrics.findings import subject_digest
from support.judge_models import Script, scripted_panel
from unit.metrics.building import case, one, passage

REFERENCE = "Returns are free. They take 30 days."
ASKED = case(reference_answer=REFERENCE, language="en")
DELIVERED = (passage("d1", "Returns are free within 30 days."), passage("d2", "We are open on Sundays."))


class ScriptedEmbedder:
    """Gives the vectors of a table; everything it was asked stands in ``asked``."""

    def __init__(self, table: Mapping[str, Sequence[float]], fault: CandidateError | None = None) -> None:
        self._table = table
        self._fault = fault
        self.asked: list[str] = []

    @property
    def identity(self) -> str:
        return "scripted-vectors"

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._fault is not None:
            raise self._fault
        self.asked.extend(texts)
        return np.array([self._table[text] for text in texts], dtype=np.float32)

    async def embed_query(self, text: str) -> Vectors:
        raise AssertionError("no text of a measure is a query")

    async def close(self) -> None:
        return


def row(a_case: Case = ASKED, **output: Any) -> Row:
    """One row that ended well."""
    (found,) = one(a_case, **{"answer": "Returns are free.", "delivered": DELIVERED, **output}).rows
    assert isinstance(found, Row)
    return found


def judged(measure: str, script: Mapping[str, Script], a_row: Row, **members: Any) -> tuple[Outcome, Docket]:
    """What a measure finds out about a row from a scripted panel, and the calls that it took."""
    return judged_by(measure, scripted_panel(script, **members), a_row)


def judged_by(measure: str, panel: Panel, a_row: Row) -> tuple[Outcome, Docket]:
    """What a measure finds out about a row from a panel, and the calls that it took."""
    docket = Docket()
    outcome = asyncio.run(MEASURES[measure].judge(panel, docket, a_row))
    assert len(docket.keys) <= MEASURES[measure].calls(a_row)
    return outcome, docket


def scored(metric: str, measure: str, outcome: Outcome, a_row: Row) -> Score:
    """What a metric of the catalogue makes of an outcome."""
    finding = Finding(
        case_id=a_row.case.case_id,
        measure=measure,
        measure_version=MEASURES[measure].version,
        subject_digest=subject_digest(a_row),
        evidence={},
    )
    key = (a_row.case.case_id, 0, measure)
    batch = Batch.of([a_row.case], [a_row.trace], findings={key: outcome.as_finding(finding)})
    return compute([metric], batch)[metric].score_at(0)


def reason(outcome: Outcome) -> tuple[str, str | None]:
    """Why there is no evidence."""
    assert outcome.without is not None
    return outcome.without.status.value, outcome.without.detail
