"""Verdicts as a person writes them: on the command line, or many in a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from beleg.adapters.formats.faults import Place
from beleg.adapters.formats.models import build_all, validated
from beleg.adapters.formats.rows import read_rows
from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.evidence import (
    AttributionDecision,
    AttributionVerdict,
    Condition,
    Decider,
    Rationale,
    SupportDecision,
    SupportVerdict,
)
from beleg.core.model import StoredModel


class VerdictLine(StoredModel):
    """One verdict of one reviewer on one claim."""

    claim_id: Identifier
    """The claim, as the sheet names it."""
    reviewer: Identifier | None = None
    """Who decided; whoever imports the file where it is left out."""
    support: SupportVerdict | None = None
    support_rationale: Rationale | None = None
    """Why, against the wording of the passage."""
    missing: tuple[ShortText, ...] = ()
    """What is missing where support is ``not_assessable``; a JSON list in a CSV file."""
    attribution: AttributionVerdict | None = None
    attribution_rationale: Rationale | None = None
    condition: Condition | None = None
    """What the reviewer had seen; ``blind`` where it is left out, unless the ledger knows better."""
    decided_at: AwareDatetime | None = None
    """When, with its time zone; the time of the import where it is left out."""
    spent_ms: Annotated[int, Field(ge=0)] | None = None
    note: LongText | None = None
    evidence_digest: str | None = None
    """What the reviewer looked at, as ``beleg review open --json`` names it; refused where the claim row is another one
    by now. Left out, the verdict is about the row of today."""
    expected_version: Annotated[int, Field(ge=0)] | None = None
    """The version of the claim's history that the reviewer looked at; refused where somebody acted on it since. Left
    out, the verdict follows whatever was recorded before it."""
    idempotency_key: Identifier | None = None
    """Sent again under the same key, a verdict is recorded once; made of the content where it is left out."""

    @model_validator(mode="after")
    def _has_a_verdict_with_its_reason(self) -> Self:
        if self.support is None and self.attribution is None:
            raise ValueError("a line has a verdict on support, on attribution, or on both")
        if (self.support is None) != (self.support_rationale is None):
            raise ValueError("a verdict on support has its 'support_rationale', and no other line does")
        if (self.attribution is None) != (self.attribution_rationale is None):
            raise ValueError("a verdict on attribution has its 'attribution_rationale', and no other line does")
        if (self.support is SupportVerdict.NOT_ASSESSABLE) != bool(self.missing):
            raise ValueError("'not_assessable' names what is missing, and no other verdict does")
        return self


def read_verdict_lines(path: Path) -> Sequence[VerdictLine]:
    """The verdicts of a file: JSON Lines, a JSON or YAML list, or CSV.

    Raises:
        UsageError: if there is no such file, or its suffix names no format.
        DataError: with everything that is wrong; nothing of the file is used then.
    """
    return build_all(VerdictLine, read_rows(path))


def decisions_of(
    line: VerdictLine, reviewer: str, condition: Condition, at: datetime
) -> tuple[AttributionDecision | None, SupportDecision | None]:
    """What a line decides, in the form of the ledger."""
    decider, decided_at = Decider(kind="human", name=reviewer), line.decided_at or at
    attribution = support = None
    if line.attribution is not None and line.attribution_rationale is not None:
        attribution = AttributionDecision(
            verdict=line.attribution,
            rationale=line.attribution_rationale,
            decider=decider,
            condition=condition,
            decided_at=decided_at,
        )
    if line.support is not None and line.support_rationale is not None:
        support = SupportDecision(
            verdict=line.support,
            rationale=line.support_rationale,
            missing=line.missing,
            decider=decider,
            condition=condition,
            decided_at=decided_at,
        )
    return attribution, support


def line_of(
    claim_id: str,
    support: str | None,
    rationale: str | None,
    missing: Sequence[str],
    attribution: tuple[str | None, str | None],
    note: str | None,
) -> VerdictLine:
    """A line made of what stands on a command line.

    Raises:
        DataError: with everything that is wrong.
    """
    given = {
        "claim_id": claim_id,
        "support": support,
        "support_rationale": rationale,
        "missing": list(missing),
        "attribution": attribution[0],
        "attribution_rationale": attribution[1],
        "note": note,
    }
    return validated(
        VerdictLine, {name: value for name, value in given.items() if value is not None}, Place("the command", None)
    )
