"""What of an evidence sheet is shown or exported: the filter, the cases it leaves, what people decided (E2)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Identifier, ShortText
from beleg.core.decision import Sentence
from beleg.core.evidence import AttributionVerdict, EvidenceCase, ObservationCode, SheetHeader, SupportVerdict
from beleg.core.model import StoredModel
from beleg.core.review import ClaimReview

EXPORT_SCHEMA: Literal["beleg-sheet-export/v1"] = "beleg-sheet-export/v1"
"""The version of the exported form."""

NOBODY = "nobody"
"""Stands for a verdict that nobody gave."""


class SheetFilter(StoredModel):
    """Which claims are taken: every field that is not empty must hold, and one of its values suffices."""

    cases: tuple[Identifier, ...] = ()
    """Ids of cases."""
    segments: tuple[Identifier, ...] = ()
    """Segments as the suite names them, such as ``locale=de``."""
    languages: tuple[Identifier, ...] = ()
    """Languages of cases, such as ``de``; ``de`` takes ``de-AT`` too."""
    attribution: tuple[AttributionVerdict, ...] = ()
    """Verdicts on attribution, by the rule in code."""
    machine: tuple[SupportVerdict | Literal["nobody"], ...] = ()
    """Verdicts on support that a machine proposes; ``nobody`` where none does."""
    human: tuple[SupportVerdict | Literal["nobody"], ...] = ()
    """Verdicts on support in force that a person gave; ``nobody`` where no person decided."""
    reviewers: tuple[Identifier, ...] = ()
    """People who have decided about the claim."""
    observations: tuple[ObservationCode, ...] = ()
    """Observations on the claim, or on its case as a whole."""
    text: ShortText | None = None
    """Words in question, claim or rationale, whatever their case."""

    @property
    def is_empty(self) -> bool:
        """Whether everything is taken."""
        return self == SheetFilter()


class ExportedCase(StoredModel):
    """One case with the claims that were taken, and what people decided about them."""

    run_id: Identifier
    case: EvidenceCase
    """The case as the sheet holds it; claims that the filter left out are not among its claims."""
    left_out: Annotated[int, Field(ge=0)] = 0
    """How many claims of the case the filter left out."""
    reviews: tuple[ClaimReview, ...] = ()
    """What people decided about the claims above, apart from what machines propose."""


class ExportedDiagnosis(StoredModel):
    """The sentences of an observation; none of them is a cause."""

    record: Sentence
    observation: Sentence
    next_check: Sentence


class SheetExport(StoredModel):
    """A whole export as one JSON document; in JSON Lines, each line is one `ExportedCase`."""

    schema_version: Literal["beleg-sheet-export/v1"] = EXPORT_SCHEMA
    header: SheetHeader
    """The run, its versions, and the digest of all cases of the sheet."""
    filter: SheetFilter
    """What was asked for."""
    diagnoses: dict[ObservationCode, ExportedDiagnosis]
    """What each observation says, in both languages."""
    cases: tuple[ExportedCase, ...] = ()
