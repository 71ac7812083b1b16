from __future__ import annotations

from beleg.core.score import ScoreStatus
from beleg.core.trace import NO_TRACE, Trace, TraceError, TraceStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from support.builders import case


def test_a_case_without_a_recorded_trace_is_missing_and_nothing_failed() -> None:
    absent = Trace(case_id="c1", status=TraceStatus.ERROR, error=TraceError(kind=NO_TRACE, message="none recorded"))
    broken = Trace(case_id="c2", status=TraceStatus.ERROR, error=TraceError(kind="http_500", message="down"))
    column = compute(["recall@5"], Batch.of([case("c1"), case("c2")], [absent, broken]))["recall@5"]
    assert column.score_at(0).status is ScoreStatus.MISSING
    assert column.score_at(0).detail == "none recorded"
    assert column.score_at(1).status is ScoreStatus.INFRA_ERROR
