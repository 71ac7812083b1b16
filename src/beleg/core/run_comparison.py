"""Two runs of the same frozen cases side by side: what is the same, what changed, what cannot be compared (E9).

Nothing here is averaged, ranked or turned into a rate, and nothing names a cause.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from beleg.core.case import Identifier
from beleg.core.decision import Dimension, Sentence
from beleg.core.evidence import AttributionVerdict, SupportVerdict
from beleg.core.model import StoredModel
from beleg.core.run import RunLink
from beleg.core.trace import MAX_ANSWER_CHARS

COMPARISON_SCHEMA: Literal["beleg-run-comparison/v1"] = "beleg-run-comparison/v1"
"""The version of the form; every stored comparison names it."""

ClaimText = Annotated[str, Field(min_length=1, max_length=MAX_ANSWER_CHARS)]


class Likeness(StrEnum):
    """How something in the new run stands to the same thing in the old one."""

    SAME = "same"
    CHANGED = "changed"
    NOT_COMPARABLE = "not_comparable"
    """Nobody recorded it, or what it is about is not the same any more."""


class Aspect(StrEnum):
    """What is compared of a case, and of a claim row."""

    QUERY = "query"
    """The question with its conversation, its language and who asks."""
    SOURCE_SNAPSHOT = "source_snapshot"
    """The documents behind the index."""
    LOCATOR_TEXT = "locator_text"
    """Whether the captured passages still stand where they stood."""
    ANSWER = "answer"
    """The wording of the answer."""
    CONFIGURATION = "configuration"
    """What the system is made of, and which model answered."""
    CITATIONS = "citations"
    """The citations as they were shown, in order."""
    PASSAGES = "passages"
    """The passages in the order of return, with their words."""
    ATTRIBUTION = "attribution"
    """The verdict on whether a source is attached to a claim."""
    SUPPORT = "support"
    """The proposed verdict on whether the passages carry a claim."""


CASE_ASPECTS: tuple[Aspect, ...] = (
    Aspect.QUERY,
    Aspect.SOURCE_SNAPSHOT,
    Aspect.LOCATOR_TEXT,
    Aspect.ANSWER,
    Aspect.CONFIGURATION,
    Aspect.CITATIONS,
    Aspect.PASSAGES,
)
ROW_ASPECTS: tuple[Aspect, ...] = (
    Aspect.CITATIONS,
    Aspect.PASSAGES,
    Aspect.LOCATOR_TEXT,
    Aspect.ATTRIBUTION,
    Aspect.SUPPORT,
)


class ComparedAspect(StoredModel):
    """One aspect of a case or a claim row."""

    aspect: Aspect
    """What is compared."""
    likeness: Likeness
    """How it stands."""
    detail: Sentence | None = None
    """What differs, or why it cannot be compared; ``None`` where there is nothing to say."""


class PassageToday(StoredModel):
    """What became of a captured passage in the sources of the new run."""

    document_id: Identifier
    """The source."""
    passage_id: Identifier
    """The passage, as it was called when it was captured."""
    state: Literal["MOVED", "ORPHAN", "NOT_RECORDED", "UNKNOWN"]
    """``UNKNOWN`` where the new run has no inventory and did not return the passage."""


class ComparedClaim(StoredModel):
    """A claim that stands in both answers, word for word."""

    old_claim_id: Identifier
    """Its id in the old run."""
    new_claim_id: Identifier
    """Its id in the new run."""
    text: ClaimText
    """Its wording, which is the same in both."""
    matched_by: Literal["span", "wording"]
    """``span``: the same place of the same answer. ``wording``: the same words."""
    comparable: bool
    """Whether its verdicts may be compared: the same question, on passages that are what they were."""
    aspects: tuple[ComparedAspect, ...]
    """Each aspect of the row; without support where nobody judged either answer."""
    old_attribution: AttributionVerdict
    """The verdict on attribution in the old run."""
    new_attribution: AttributionVerdict
    """The verdict on attribution in the new run."""
    old_support: SupportVerdict | None = None
    """The proposal on support in the old run; ``None`` where nobody judged."""
    new_support: SupportVerdict | None = None
    """The proposal on support in the new run; ``None`` where nobody judged."""

    def likeness(self, aspect: Aspect) -> Likeness | None:
        """How one aspect of the row stands; ``None`` for the support of a claim that nobody judged in either run."""
        return next((each.likeness for each in self.aspects if each.aspect is aspect), None)

    @property
    def overall(self) -> Likeness:
        """Changed where any aspect did, else not comparable where any is, else the same."""
        found = {each.likeness for each in self.aspects}
        return next(each for each in (Likeness.CHANGED, Likeness.NOT_COMPARABLE, Likeness.SAME) if each in found)


class LoneClaim(StoredModel):
    """A claim whose wording stands in one of the two answers only."""

    claim_id: Identifier
    """Its id."""
    text: ClaimText
    """Its wording."""
    resembles: Identifier | None = None
    """A claim of the other answer that a person might look at beside it, by its words; never taken for the same."""


class ComparedCase(StoredModel):
    """A frozen case in both runs."""

    case_id: Identifier
    """The case."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of the case."""
    aspects: tuple[ComparedAspect, ...]
    """The seven aspects of the case, each once."""
    drifted: tuple[PassageToday, ...] = ()
    """The captured passages that are not found as they were."""
    claims: tuple[ComparedClaim, ...] = ()
    """The claims that stand in both answers."""
    only_old: tuple[LoneClaim, ...] = ()
    """The claims of the old answer alone."""
    only_new: tuple[LoneClaim, ...] = ()
    """The claims of the new answer alone."""

    def likeness(self, aspect: Aspect) -> Likeness:
        """How one aspect of the case stands."""
        return next(each.likeness for each in self.aspects if each.aspect is aspect)

    @property
    def is_same(self) -> bool:
        """Whether every aspect of the case and of each of its claims is the same."""
        rows = all(each.likeness is Likeness.SAME for row in self.claims for each in row.aspects)
        return rows and all(each.likeness is Likeness.SAME for each in self.aspects) and not self.lone_claims

    @property
    def lone_claims(self) -> int:
        """How many claims stand in one answer only."""
        return len(self.only_old) + len(self.only_new)


class ComparedRun(StoredModel):
    """One of the two runs, pinned by content addresses."""

    run_id: Identifier
    """The name of the run."""
    name: Identifier
    """The name of the candidate."""
    created_at: datetime
    """When the run began."""
    manifest_digest: str
    """The content address of what the candidate is made of."""
    suite_digest: str
    """The content address of the suite."""
    traces_digest: str
    """The content address of the traces."""
    findings_digest: str | None = None
    """The content address of what judges found out; ``None`` where nobody judged."""
    inventory_digest: str | None = None
    """The content address of the inventory; ``None`` where there is none."""
    made_from: RunLink | None = None
    """The run that it was made from; ``None`` where it names none."""


class RunComparison(StoredModel):
    """Two runs side by side, case by case and claim row by claim row."""

    schema_version: Literal["beleg-run-comparison/v1"] = COMPARISON_SCHEMA
    """The form of this file."""
    old: ComparedRun
    """The run that is held to be captured."""
    new: ComparedRun
    """The run that is held against it."""
    made_from_old: bool
    """Whether the new run says that it was made from the old one, and all digests say the same."""
    configuration: tuple[Dimension, ...]
    """What the systems are made of, field by field; ``candidate`` is the new run."""
    cases: tuple[ComparedCase, ...]
    """The cases that both runs hold."""
    only_old: tuple[Identifier, ...] = ()
    """Cases that only the old run holds."""
    only_new: tuple[Identifier, ...] = ()
    """Cases that only the new run holds."""
    beleg_version: str
    """The version of Beleg that compared."""
    created_at: datetime
    """When it was compared."""

    def count(self, aspect: Aspect, likeness: Likeness) -> int:
        """In how many cases an aspect stands so."""
        return sum(case.likeness(aspect) is likeness for case in self.cases)

    @property
    def rows(self) -> tuple[ComparedClaim, ...]:
        """All claim rows that stand in both runs."""
        return tuple(row for case in self.cases for row in case.claims)
