"""How sure a candidate says it is: its own field, else what its answer states (A9)."""

from __future__ import annotations

from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Output
from beleg.metrics.batch import Batch
from beleg.text.confidence import stated_confidence

_ROUNDING = 0.005


def confidence_of(output: Output) -> Score:
    """The confidence of an output as a share from 0 to 1.

    The field ``confidence`` of the output counts, else a plain statement in the answer. Undefined: outside where
    nothing is stated; invalid where a statement cannot be read, or field and statement differ by more than rounding.

    Example:
        >>> confidence_of(Output(answer="Paris. Confidence: 80 %")).value
        0.8
        >>> confidence_of(Output(answer="Paris. Confidence: high")).status.value
        'invalid'
    """
    stated = stated_confidence(output.answer or "")
    if output.confidence is not None:
        if stated.value is not None and abs(stated.value - output.confidence) > _ROUNDING:
            return Score.without(ScoreStatus.INVALID, f"confidence {output.confidence:g}, the answer {stated.value:g}")
        return Score.of(output.confidence)
    if stated.fault is not None:
        return Score.without(ScoreStatus.INVALID, stated.fault)
    if stated.value is None:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "no confidence is stated")
    return Score.of(stated.value)


def stated_confidence_column(batch: Batch) -> ScoreColumn:
    """`confidence_of` every row."""
    return batch.column(lambda row: confidence_of(row.output))
