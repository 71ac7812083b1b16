"""What changed by the judge alone: the same stored answers, judged once before and once anew."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.model import StoredModel
from beleg.core.run import RunLink

SHIFT_SCHEMA: Literal["beleg-judge-shift/v1"] = "beleg-judge-shift/v1"
"""The version of the form."""

Count = Annotated[int, Field(ge=0)]


class MovedVerdict(StoredModel):
    """A claim on which the judges do not agree."""

    case_id: Identifier
    repeat: Count = 0
    claim: str
    """The claim, word for word the same in both."""
    old: Identifier
    """The verdict of before."""
    new: Identifier
    """The verdict of today."""


class MovedScore(StoredModel):
    """A case whose score is another one."""

    case_id: Identifier
    old: float
    new: float


class MetricShift(StoredModel):
    """What became of one metric."""

    metric: Identifier
    scored_in_both: Count
    scored_before_only: Count
    scored_today_only: Count
    moved: tuple[MovedScore, ...] = ()
    """The cases whose score is another one, in suite order."""


class ClaimShift(StoredModel):
    """What became of the claims of one measure."""

    measure: Identifier
    in_both: Count
    """Claims that both judges found, word for word."""
    before_only: Count
    today_only: Count
    moved: tuple[MovedVerdict, ...] = ()
    """Of those in both: the claims with another verdict."""


class JudgeShift(StoredModel):
    """The judgements of one run beside those of its rejudged copy; the answers are the same to the last byte."""

    schema_version: Literal["beleg-judge-shift/v1"] = SHIFT_SCHEMA
    run_id: Identifier
    """The run that was judged anew."""
    made_from: RunLink
    """The run with the judgements of before."""
    judges_before: tuple[Identifier, ...]
    """Every judge of before, by model and digest; empty where nobody had judged."""
    judges_today: tuple[Identifier, ...]
    findings_digest: str | None = None
    """The content address of the judgements of today."""
    claims: tuple[ClaimShift, ...]
    metrics: tuple[MetricShift, ...]

    @property
    def moved_claims(self) -> int:
        """How many claims have another verdict."""
        return sum(len(each.moved) for each in self.claims)
