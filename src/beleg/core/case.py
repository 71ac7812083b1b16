"""A golden case: one question, the evidence an answer needs, and what a right system does with it (G1)."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from beleg.core.model import StoredModel

Identifier = Annotated[str, StringConstraints(min_length=1, max_length=512, pattern=r"^[^\x00-\x1f\x7f]+$")]
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
LongText = Annotated[str, StringConstraints(min_length=1, max_length=200_000)]

SHARED_TENANT = "shared"
"""Documents of this tenant may be seen by every tenant."""

PUBLIC_ENTITLEMENT = "public"
"""Documents with this entitlement may be seen by everybody of the tenant."""


class ExpectedBehaviour(StrEnum):
    """What a right system does with the question."""

    ANSWER = "answer"
    ABSTAIN = "abstain"
    PARTIAL = "partial"


class RiskTier(StrEnum):
    """How much harm a wrong answer does."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Role(StrEnum):
    """Who speaks in a turn of a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Turn(StoredModel):
    """One turn of a conversation that leads to the question."""

    role: Role
    """Who speaks."""
    content: LongText
    """What is said."""


class Principal(StoredModel):
    """On whose behalf the question is asked; entitlement filters are proved against it."""

    tenant: Identifier | None = None
    """The tenant that the asker belongs to; documents of another one must stay hidden."""
    entitlements: tuple[Identifier, ...] = ()
    """The entitlements that the asker holds, beside ``public``."""
    jurisdiction: Identifier | None = None
    """Whose law applies to the asker."""
    locale: Identifier | None = None
    """The language and region of the asker, such as ``de-AT``."""


class ExpectedPassage(StoredModel):
    """One piece of evidence that a careful answer needs.

    It names a passage by id, or a document by id and (better) the exact words that must be delivered, so that the
    expectation outlives a change of chunking.
    """

    document_id: Identifier | None = None
    """The document that holds the evidence."""
    passage_id: Identifier | None = None
    """The passage that holds the evidence; such an id is lost when the chunking changes."""
    quote: ShortText | None = None
    """Exact words of the source; a passage holds the evidence when it contains them."""
    grade: Annotated[int, Field(ge=1, le=10)] = 1
    """How relevant the evidence is; higher is better, all listed evidence is relevant."""
    required: bool = True
    """Whether an answer without it is incomplete."""
    any_of: Identifier | None = None
    """Evidence with the same label is interchangeable: one piece of it suffices."""

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if self.document_id is None and self.passage_id is None:
            raise ValueError("an expected passage names a document_id or a passage_id")
        return self


class Nugget(StoredModel):
    """One unit of information that a complete answer holds (vital) or may hold (okay)."""

    nugget_id: Identifier
    """The name of the nugget, unique within the case."""
    text: ShortText
    """The information as a statement."""
    vital: bool = True
    """Whether an answer without it is incomplete."""
    aliases: tuple[ShortText, ...] = ()
    """Other wordings of the same information."""


class ExpectedFilter(StoredModel):
    """A filter predicate that a right query understanding derives from the question."""

    field: Identifier
    """The metadata field."""
    value: str
    """The value that the field must have."""


class Case(StoredModel):
    """One golden case."""

    case_id: Identifier
    """The name of the case, unique within the suite."""
    user_input: LongText | None = None
    """The question, where it is asked without a conversation."""
    turns: tuple[Turn, ...] = ()
    """A conversation that ends with the user's question, instead of ``user_input``."""
    reference_answer: LongText | None = None
    """A right and complete answer."""
    rubric: LongText | None = None
    """In words: what makes an answer to this question right."""
    accepted_answers: tuple[ShortText, ...] = ()
    """Short answers that count as an exact match."""
    expected_behaviour: ExpectedBehaviour = ExpectedBehaviour.ANSWER
    """Whether a right system answers, declines, or answers in part."""
    language: Identifier | None = None
    """The language of the question, such as ``de``."""
    principal: Principal = Principal()
    """On whose behalf the question is asked."""
    expected_passages: tuple[ExpectedPassage, ...] = ()
    """The evidence that a careful answer needs."""
    expected_filters: tuple[ExpectedFilter, ...] | None = None
    """The predicates that a right query understanding derives; ``null`` means that nobody said, an empty list that it
    derives none."""
    known_gaps: tuple[ShortText, ...] | None = None
    """What of the question the collection is known not to answer, in words; ``null`` means that nobody said."""
    forbidden_sources: tuple[Identifier, ...] = ()
    """Documents that may appear nowhere: not in retrieval, reranking, prompt, answer or citations."""
    required_clauses: tuple[Annotated[tuple[ShortText, ...], Field(min_length=1)], ...] = ()
    """Each clause is a list of accepted wordings; an answer holds one wording of each."""
    nuggets: tuple[Nugget, ...] = ()
    """The units of information that an answer is made of."""
    ontology: tuple[Identifier, ...] = ()
    """The concepts of the domain that the question is about; coverage is counted by them."""
    document_class: Identifier | None = None
    """The kind of document that holds the answer, such as ``manual``."""
    risk_tier: RiskTier | None = None
    """How much harm a wrong answer does."""
    segments: dict[Identifier, Identifier] = Field(default_factory=dict)
    """Any further dimensions by which results are broken down."""
    source_group: Identifier | None = None
    """Cases that rest on the same sources share this label; they are not independent."""
    session_group: Identifier | None = None
    """Cases of one conversation or one question in several languages share this label."""
    owner: ShortText | None = None
    """The person or team that keeps the case right."""
    review_by: date | None = None
    """The day by which the case is looked at again."""
    synthetic: bool = False
    """Whether a program wrote the case and not a person."""
    guided_tuning: bool = False
    """Set once a case has guided tuning; such a case is a development case for good (G3)."""
    notes: LongText | None = None
    """Anything else that a reader of the case should know."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.user_input is None) == (not self.turns):
            raise ValueError("a case has either user_input or turns")
        if self.turns and self.turns[-1].role is not Role.USER:
            raise ValueError("the last turn is the user's question")
        if self.expected_behaviour is ExpectedBehaviour.ABSTAIN and any(e.required for e in self.expected_passages):
            raise ValueError("a case that expects abstention cannot require evidence")
        return self

    @property
    def question(self) -> str:
        """The question as asked last."""
        return self.user_input if self.user_input is not None else self.turns[-1].content

    def segment_labels(self) -> dict[str, str]:
        """Every dimension by which this case can be grouped, with its label."""
        labels = dict(self.segments)
        named = {
            "language": self.language,
            "document_class": self.document_class,
            "risk_tier": self.risk_tier.value if self.risk_tier else None,
            "expected_behaviour": self.expected_behaviour.value,
            "tenant": self.principal.tenant,
            "locale": self.principal.locale,
        }
        for dimension, label in named.items():
            if label is not None:
                labels.setdefault(dimension, label)
        return labels

    def ties(self) -> tuple[str, ...]:
        """The labels through which this case shares its luck with others: its session and its source."""
        named = (("session", self.session_group), ("source", self.source_group))
        return tuple(f"{kind}:{label}" for kind, label in named if label is not None)
