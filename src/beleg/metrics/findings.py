"""From what judges found out to score columns: always computed anew from the evidence, never from a stored figure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError

from beleg.core.findings import Finding
from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.metrics.batch import Batch, Row

EvidenceT = TypeVar("EvidenceT", bound=StoredModel)

NOT_JUDGED = "no judge was asked yet; ask one with: beleg judge run"
STALE = "the trace or the case is not the one that was judged; judge it again with: beleg judge run"
OTHER_VERSION = "judged by another version of the measure ({judged}, now {now}); judge it again with: beleg judge run"

FIRST_VERSION = "1"
CHANGED_MEASURES = {"answer_correctness": "2", "statement_matching": "2"}
"""The version of every judged measure that is no longer at its first; the registry of measures is held to it."""


def measure_version(measure: str) -> str:
    """The version of a judged measure whose findings count today.

    Example:
        >>> measure_version("statement_matching"), measure_version("claim_support")
        ('2', '1')
    """
    return CHANGED_MEASURES.get(measure, FIRST_VERSION)


def subject_digest(row: Row) -> str:
    """The content address of what is judged in a row: question, answer, citations, passages, and what is expected.

    A finding whose digest is another one is about other words, and counts for nothing.
    """
    return row.subject_digest


def finding_column(
    batch: Batch, measure: str, evidence: type[EvidenceT], score: Callable[[Row, EvidenceT], Score]
) -> ScoreColumn:
    """Scores every row from what a judge found out about it.

    Args:
        batch: the run.
        measure: the judged measure whose findings are read.
        evidence: the shape of its evidence.
        score: the figure that follows from the evidence.

    Returns:
        One score per row: missing where no judge was asked, another text was judged, or another version of the measure
        judged; the finding's own reason where the judge gave no verdict, invalid where the evidence is damaged.
    """

    def of_row(row: Row) -> Score:
        held = valid_evidence(batch, row, measure, evidence)
        return held if isinstance(held, Score) else score(row, held)

    return batch.column(of_row)


def valid_evidence(batch: Batch, row: Row, measure: str, evidence: type[EvidenceT]) -> EvidenceT | Score:
    """What a judge found out about a row, or the reason why nothing counts, as `finding_column` says."""
    found = batch.findings.get((row.case.case_id, row.trace.repeat, measure))
    if found is None:
        return Score.without(ScoreStatus.MISSING, NOT_JUDGED)
    return held_evidence(row, found, evidence)


def held_evidence(row: Row, found: Finding, evidence: type[EvidenceT]) -> EvidenceT | Score:
    """The evidence of a finding, where it is about this very row and of today's version of its measure.

    Args:
        row: the row.
        found: what was found out about it.
        evidence: the shape of its evidence.

    Returns:
        The evidence, or the reason why it does not count: missing where another text was judged or another version of
        the measure judged, the finding's own reason where there is no verdict, invalid where the evidence is damaged.
    """
    current = measure_version(found.measure)
    if found.measure_version != current:
        return Score.without(ScoreStatus.MISSING, OTHER_VERSION.format(judged=found.measure_version, now=current))
    if found.subject_digest != subject_digest(row):
        return Score.without(ScoreStatus.MISSING, STALE)
    if found.evidence is None:
        return Score.without(found.status, found.detail)
    try:
        return evidence.model_validate(found.evidence, strict=False)
    except ValidationError as error:
        return Score.without(ScoreStatus.INVALID, f"the stored evidence is damaged: {error.errors()[0]['msg']}")
