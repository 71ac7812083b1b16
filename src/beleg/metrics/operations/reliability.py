"""How often the candidate itself fails."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import TraceStatus
from beleg.metrics.batch import Batch


def failed_column(batch: Batch) -> ScoreColumn:
    """1 when an attempt did not end well (timeout, error, invalid reply, no output), else 0. Lower is better.

    This is the one metric for which a failed attempt is a value: a policy puts a ceiling on it.
    Undefined: missing where there is no trace, since nobody knows how the attempt ended.
    """
    return ScoreColumn.from_scores(
        Score.without(ScoreStatus.MISSING, "there is no trace")
        if trace is None
        else Score.of(float(trace.status is not TraceStatus.OK or trace.output is None))
        for trace in batch.traces
    )
