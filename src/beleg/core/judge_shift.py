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
    """The case."""
    repeat: Count = 0
    """Which repetition of the case."""
    claim: str
    """The claim, word for word the same in both."""
    old: Identifier
    """The verdict of before."""
    new: Identifier
    """The verdict of today."""


class MovedScore(StoredModel):
    """A case whose score is another one."""

    case_id: Identifier
    """The case."""
    old: float
    """The score of before."""
    new: float
    """The score of today."""


class MetricShift(StoredModel):
    """What became of one metric."""

    metric: Identifier
    """The metric."""
    scored_in_both: Count
    """Cases with a score before and today."""
    scored_before_only: Count
    """Cases whose score is missing today."""
    scored_today_only: Count
    """Cases whose score was missing before."""
    moved: tuple[MovedScore, ...] = ()
    """The cases whose score is another one, in suite order."""


class ClaimShift(StoredModel):
    """What became of the claims of one measure."""

    measure: Identifier
    """The judged measure."""
    in_both: Count
    """Claims that both judges found, word for word."""
    before_only: Count
    """Claims that only the judge of before found."""
    today_only: Count
    """Claims that only the judge of today found."""
    moved: tuple[MovedVerdict, ...] = ()
    """Of those in both: the claims with another verdict."""


class JudgeShift(StoredModel):
    """The judgements of one run beside those of its rejudged copy; the answers are the same to the last byte."""

    schema_version: Literal["beleg-judge-shift/v1"] = SHIFT_SCHEMA
    """The form of this file."""
    run_id: Identifier
    """The run that was judged anew."""
    made_from: RunLink
    """The run with the judgements of before."""
    judges_before: tuple[Identifier, ...]
    """Every judge of before, by model and digest; empty where nobody had judged."""
    judges_today: tuple[Identifier, ...]
    """Every judge of today, by model and digest."""
    findings_digest: str | None = None
    """The content address of the judgements of today."""
    claims: tuple[ClaimShift, ...]
    """The claims of each measure that finds claims."""
    metrics: tuple[MetricShift, ...]
    """Every metric that rests on what was judged."""

    @property
    def moved_claims(self) -> int:
        """How many claims have another verdict."""
        return sum(len(each.moved) for each in self.claims)
