"""What was found out about an answer: the checked verdicts from which judged metrics are computed (A1, J2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier
from beleg.core.judging import JudgeSpec, TaskReference
from beleg.core.model import StoredModel
from beleg.core.score import ScoreStatus


class Support(StrEnum):
    """How a claim stands to its evidence."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    CONTRADICTED = "contradicted"
    NOT_IN_CONTEXT = "not_in_context"
    """The evidence says neither that it is so nor that it is not."""


class Quote(StoredModel):
    """Words that were quoted from a passage, and whether they really stand there."""

    passage_id: Identifier
    """The passage that it is quoted from."""
    text: str
    """The words."""
    match: Identifier
    """``exact`` or ``folded`` (after folding whitespace and typography); a quote that is absent is no quote."""


class ClaimFinding(StoredModel):
    """The verdict on one claim."""

    claim_id: Identifier
    """Its number within the answer."""
    claim: str
    """The claim as a sentence that stands by itself."""
    support: Support
    """Whether the evidence carries it."""
    quotes: tuple[Quote, ...] = ()
    """The words that carry the verdict."""
    rationale: str | None = None
    """Why, in the judge's words."""
    flags: tuple[str, ...] = ()
    """What a deterministic check found against the verdict, such as ``number: 30 is not in the evidence``."""


class Finding(StoredModel):
    """What one judged measure found out about one row: evidence, or the reason why there is none.

    The scores of the metrics that rest on the measure are computed from ``evidence`` whenever they are asked for, and
    never stored in its place.
    """

    case_id: Identifier
    """The case."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of the case."""
    measure: Identifier
    """The measure, such as ``claim_support``; several metrics may rest on one."""
    measure_version: Identifier
    """The version of the measure."""
    status: ScoreStatus = ScoreStatus.SCORED
    """``scored`` where there is evidence, else the reason why there is none."""
    detail: Annotated[str, Field(max_length=4_000)] | None = None
    """More about the reason."""
    evidence: dict[str, Any] | None = None
    """The evidence in the measure's own shape."""
    subject_digest: str
    """The digest of what was judged: question, answer, passages and what the case expects."""
    judge: JudgeSpec | None = None
    """``None`` where no judge was needed, such as for an answer that makes no claim."""
    embedder: Identifier | None = None
    """The embedding model that was used, where one was."""
    verifier_threshold: float | None = None
    """From where on the support that a dedicated verifier gave counted as carried; ``None`` for the usual one."""
    tasks: tuple[TaskReference, ...] = ()
    """What the judge was asked."""
    calls: tuple[str, ...] = ()
    """The keys of the calls, by which the raw replies are found."""

    @model_validator(mode="after")
    def _evidence_xor_reason(self) -> Self:
        if (self.status is ScoreStatus.SCORED) != (self.evidence is not None):
            raise ValueError("a finding has evidence exactly when its status is 'scored'")
        return self
