"""How long an answer takes, per stage and until the first token."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch, Row
from beleg.metrics.operations.readings import reading


def latency_column(batch: Batch, *, stage: str | None = None) -> ScoreColumn:
    """Milliseconds from question to answer, or of one stage. Lower is better.

    Undefined: missing where the time was not recorded.

    Args:
        batch: the run.
        stage: the name under which the candidate records the stage; ``None`` takes the whole attempt.

    Returns:
        One time per row.
    """
    return batch.column(lambda row: _latency(row, stage))


def first_token_column(batch: Batch) -> ScoreColumn:
    """Milliseconds until the first token of the answer. Lower is better. Undefined: missing where not recorded."""
    return batch.column(lambda row: reading(row.output.first_token_ms, "the time to the first token"))


def _latency(row: Row, stage: str | None) -> Score:
    if stage is not None:
        return reading(row.output.stage_ms.get(stage), f"the time of stage {stage!r}")
    return reading(row.trace.total_ms, "the total time")
