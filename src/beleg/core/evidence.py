"""The evidence sheet: one row per material claim, with what stands behind it and who decided what (E1 to E5).

Attribution (is a source attached?) and support (does its passage carry the claim?) are two fields with two verdicts.
Nothing here is ever averaged, ranked or turned into a rate.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from beleg.core.case import Identifier, LongText, ShortText
from beleg.core.findings import Quote
from beleg.core.locators import PassageLocator, Span
from beleg.core.manifest import Manifest
from beleg.core.model import StoredModel
from beleg.core.trace import MAX_ANSWER_CHARS, MAX_PASSAGE_CHARS, FilterPredicate

SHEET_SCHEMA: Literal["beleg-evidence-sheet/v1"] = "beleg-evidence-sheet/v1"
"""The version of the sheet's form; every stored sheet names it."""

Rationale = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
"""Why a verdict is as it is, in words; a label alone is an index, not an analysis."""


class AttributionVerdict(StrEnum):
    """Whether the answer, as it was shown, attached a source to the claim. It says nothing of what the source says."""

    ATTACHED = "attached"
    MISSING = "missing"
    """The claim carries no citation."""
    WRONG_TARGET = "wrong_target"
    """A citation is attached, and a person says that it names another source than the one that is meant."""
    UNRESOLVABLE = "unresolvable"
    """A citation is attached that names nothing which was delivered."""
    NOT_ASSESSABLE = "not_assessable"
    """The record does not tell how citations were shown."""


class SupportVerdict(StrEnum):
    """Whether the visible passages carry the claim, with its scope, exclusions, quantities and times."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    """A separable part is carried; an important limit, scope or connection stays open."""
    NOT_SUPPORTED = "not_supported"
    """The visible passages do not justify the claim, or contradict it."""
    NOT_ASSESSABLE = "not_assessable"
    """The record is incomplete, or the verdict takes expertise or evidence beyond the case; it names what is
    missing."""


class Decider(StoredModel):
    """Who decided: a person by name, a model, or a rule in code."""

    kind: Literal["human", "llm", "verifier", "code"]
    """People and machines are never mixed: the sheet shows them apart."""
    name: Identifier
    """The person, the model, or the rule."""
    version: Identifier | None = None
    """The revision of a model or rule; ``None`` for a person."""


class Condition(StrEnum):
    """What a person had seen before deciding; only blind verdicts count for agreement."""

    BLIND = "blind"
    SAW_MACHINE = "saw_machine"
    SAW_HUMAN = "saw_human"


class AttributionDecision(StoredModel):
    """A verdict on attribution with its reason."""

    verdict: AttributionVerdict
    """Whether a source is attached to the claim."""
    rationale: Rationale
    """The reason."""
    decider: Decider
    """Who decided."""
    condition: Condition | None = None
    """What the person had seen; ``None`` for machines."""
    decided_at: datetime | None = None
    """When; ``None`` for a rule that gives the same whenever it is asked."""


class SupportDecision(StoredModel):
    """A verdict on support with its written rationale."""

    verdict: SupportVerdict
    """Whether the passages carry the claim."""
    rationale: Rationale
    """Why, against the wording of the passage."""
    missing: tuple[ShortText, ...] = ()
    """What is missing where the verdict is ``not_assessable``; empty for any other."""
    quotes: tuple[Quote, ...] = ()
    """The words of the passages that carry the verdict."""
    flags: tuple[str, ...] = ()
    """What a deterministic check found against the verdict."""
    decider: Decider
    """Who decided."""
    condition: Condition | None = None
    """What the person had seen; ``None`` for machines."""
    decided_at: datetime | None = None
    """When; ``None`` for a rule that gives the same whenever it is asked."""

    @model_validator(mode="after")
    def _names_what_is_missing(self) -> Self:
        if (self.verdict is SupportVerdict.NOT_ASSESSABLE) != bool(self.missing):
            raise ValueError("'not_assessable' names what is missing, and no other verdict does")
        return self


class EvidencePassage(StoredModel):
    """A passage as it was returned, with everything needed to find it again."""

    rank: Annotated[int, Field(ge=1)]
    """Its place in the order of return, counted from 1."""
    passage_id: Identifier
    """The passage."""
    document_id: Identifier
    """The source that it is a part of."""
    document_version: Identifier | None = None
    """The version of the source; ``None`` where the candidate does not tell."""
    document_digest: str | None = None
    """The content address of the source's text; ``None`` where the run has no inventory."""
    text: Annotated[str, Field(max_length=MAX_PASSAGE_CHARS)] | None = None
    """The exact words; ``None`` where they were not recorded, which makes claims on it not assessable."""
    passage_digest: str | None = None
    """The content address of these words."""
    delivered: bool | None = None
    """Whether the generator saw it; ``None`` where nobody recorded that."""
    url: ShortText | None = None
    """The address of the source, with its anchor where it has a stable one."""
    locator: PassageLocator | None = None
    """Where the words stand in the source."""


class ShownCitation(StoredModel):
    """A citation as it was rendered beside a claim."""

    marker: Identifier
    """As it stands in the answer, such as ``D-01`` for ``[D-01]``."""
    span: Span | None = None
    """Where the mark stands in the answer; ``None`` where it was recorded beside the text."""
    document_id: Identifier | None = None
    """The source that it names; ``None`` where that is not known."""
    passage_id: Identifier | None = None
    """The passage that it names; ``None`` where it names a source as a whole."""
    passages: tuple[Identifier, ...] = ()
    """The returned passages that it stands for."""


class ObservationCode(StrEnum):
    """What the visible record shows, by the rows of the article's matrix. None of them is a cause."""

    EXPECTED_PASSAGE_NOT_RETRIEVED = "expected_passage_not_retrieved"
    QUALIFICATION_OMITTED = "qualification_omitted"
    """An expected passage was there, and the answer leaves out its exclusion or limit."""
    CITATION_CONTRADICTS = "citation_contradicts"
    """The passage cited does not carry the claim, or contradicts it."""
    SUPPORT_WITHOUT_CITATION = "support_without_citation"
    """A passage that carries the claim was returned, and no citation is shown."""
    LOCATOR_DRIFT = "locator_drift"
    """The locator finds other text than was captured."""
    FACT_NOT_IN_COLLECTION = "fact_not_in_collection"
    """The collection does not hold the fact that was asked for."""


class Observation(StoredModel):
    """One bounded observation; its sentence and next check follow from the code, in both languages."""

    code: ObservationCode
    subjects: tuple[Identifier, ...] = ()
    """The passages or sources that it is about."""


class ClaimRow(StoredModel):
    """One material claim: its words, its citations, its passages, and what machines propose about it.

    What people decided stands in the review ledger and is laid beside the row, never into it.
    """

    case_id: Identifier
    answer_id: Identifier
    claim_id: Identifier
    """Unique within the run, such as ``C-017-1``."""
    repeat: Annotated[int, Field(ge=0)] = 0
    text: Annotated[str, Field(min_length=1, max_length=MAX_ANSWER_CHARS)]
    """The wording, copied from the answer: the text of its spans, joined by a space."""
    spans: Annotated[tuple[Span, ...], Field(min_length=1)]
    """Where the wording stands in the answer, in code points."""
    restated: LongText | None = None
    """The claim as a sentence that stands by itself, as a judge was asked about it; never shown as the wording."""
    answer_digest: str
    """The content address of the answer that the spans count in."""
    citations: tuple[ShownCitation, ...] = ()
    """The citations shown with the claim, in order."""
    passages: tuple[Identifier, ...] = ()
    """The ids of the case's passages that the verdicts are about: what is cited, else what was weighed."""
    attribution: AttributionDecision
    """Whether a citation is attached, by the rule in code."""
    support: SupportDecision | None = None
    """What a judge or verifier proposes; ``None`` where nobody looked, which is not a verdict."""
    observations: tuple[Observation, ...] = ()
    """What the visible record shows."""
    open_note: LongText | None = None
    """What stays open, in words."""

    @model_validator(mode="after")
    def _holds_proposals_only(self) -> Self:
        decided = [each for each in (self.attribution, self.support) if each is not None]
        if any(each.decider.kind == "human" for each in decided):
            raise ValueError("a row holds what machines propose; what people decide stands in the review ledger")
        ends = [0, *(span.end for span in self.spans)]
        if any(span.start < end or span.start == span.end for span, end in zip(self.spans, ends, strict=False)):
            raise ValueError("the spans of a claim hold words, and stand in the order of the answer without overlap")
        return self


class ExpectedEvidence(StoredModel):
    """One piece of evidence that a careful answer needs, and what became of it."""

    document_id: Identifier | None = None
    passage_id: Identifier | None = None
    quote: ShortText | None = None
    required: bool = True
    any_of: Identifier | None = None
    """Evidence with the same label is interchangeable: one piece of it suffices."""
    returned: bool | None = None
    """Whether a passage that holds it was returned; ``None`` where a text that decides was not recorded."""
    returned_rank: Annotated[int, Field(ge=1)] | None = None
    """The best rank of a passage that holds it; ``None`` where none was returned."""
    delivered: bool | None = None
    """Whether it reached the generator; ``None`` where nobody recorded that."""


class HonestFailure(StrEnum):
    """How a system dealt with a question that the collection cannot answer, in whole or in part."""

    DECLINED = "declined"
    """It said so: a first-class result."""
    BOUNDED = "bounded"
    """It answered what the sources carry and named what they do not."""
    ANSWERED_ANYWAY = "answered_anyway"
    NOT_DUE = "not_due"
    """The collection answers the question."""


class EvidenceCase(StoredModel):
    """A frozen case: what was asked, returned, answered and shown, and what a careful answer would have needed."""

    case_id: Identifier
    query_id: Identifier
    answer_id: Identifier
    repeat: Annotated[int, Field(ge=0)] = 0
    question: LongText
    language: Identifier | None = None
    collection: ShortText | None = None
    """The version of the source collection; ``None`` where the manifest does not name it."""
    filters: tuple[FilterPredicate, ...] | None = None
    passages: tuple[EvidencePassage, ...] = ()
    """In the order of return."""
    answer: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] | None = None
    """Word for word; ``None`` where there is none."""
    answer_digest: str | None = None
    expected: tuple[ExpectedEvidence, ...] = ()
    known_gaps: tuple[ShortText, ...] = ()
    """What the collection is known not to answer."""
    honest_failure: HonestFailure | None = None
    """``None`` where nobody can tell."""
    failure_note: LongText | None = None
    """Why there is no usable answer, where the attempt failed."""
    claims: tuple[ClaimRow, ...] = ()
    observations: tuple[Observation, ...] = ()
    """What the visible record shows of the case as a whole."""
    missing: tuple[ShortText, ...] = ()
    """Parts of the record that are absent, named instead of rebuilt from memory."""


class SheetHeader(StoredModel):
    """What all cases of a sheet share: the run, the versions, and what made the sheet."""

    schema_version: Literal["beleg-evidence-sheet/v1"] = SHEET_SCHEMA
    run_id: Identifier
    manifest: Manifest
    manifest_digest: str
    suite_name: Identifier
    suite_version: int
    suite_digest: str
    traces_digest: str | None = None
    findings_digest: str | None = None
    """``None`` where nobody judged."""
    inventory_digest: str | None = None
    case_count: Annotated[int, Field(ge=0)] = 0
    """How many cases the sheet holds; one case asked several times counts as often."""
    claim_count: Annotated[int, Field(ge=0)] = 0
    """How many claim rows they hold."""
    cases_digest: str | None = None
    """The content address of the cases as they are stored: a sheet that was cut or half rebuilt is refused."""
    beleg_version: str
    created_at: datetime
