"""What a candidate did on a case: every stage's passages, the answer, and what it cost (R3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from beleg.core.case import Identifier, Principal, Turn
from beleg.core.manifest import Setting
from beleg.core.model import StoredModel

MAX_PASSAGE_CHARS = 100_000
MAX_ANSWER_CHARS = 200_000
MAX_PROMPT_CHARS = 2_000_000
MAX_PASSAGES_PER_STAGE = 10_000

MAX_CITATIONS = 1_000
MAX_TIMED_STAGES = 100
MAX_METADATA_FIELDS = 200

# Numbers that a candidate gives are bounded, so that no sum over a suite overflows.
Milliseconds = Annotated[float, Field(ge=0, le=1e12)]
Tokens = Annotated[int, Field(ge=0, le=10**12)]


class Stage(StrEnum):
    """The stages that evidence passes on its way into an answer, in order."""

    PARSED = "parsed"
    CHUNKED = "chunked"
    INDEXED = "indexed"
    ELIGIBLE = "eligible"
    FILTERED = "filtered"
    RETRIEVED = "retrieved"
    RERANKED = "reranked"
    DELIVERED = "delivered"
    CITED = "cited"
    SUPPORTED = "supported"


STAGES: tuple[Stage, ...] = tuple(Stage)

RANKED_STAGES: tuple[Stage, ...] = (Stage.RETRIEVED, Stage.RERANKED, Stage.DELIVERED)
"""The stages at which a trace lists passages; the earlier ones follow from inventory and filters."""


class Passage(StoredModel):
    """A passage as a stage returned it."""

    passage_id: Identifier
    """The name of the passage, unique within a stage."""
    document_id: Identifier
    """The document that the passage is a part of."""
    score: float | None = None
    """The score that the stage gave, for people to look at; the order of the list is what is measured."""
    text: Annotated[str, Field(max_length=MAX_PASSAGE_CHARS)] | None = None
    """The words of the passage."""
    version: Identifier | None = None
    """The version of the document."""
    metadata: Annotated[dict[Identifier, Setting], Field(max_length=MAX_METADATA_FIELDS)] = Field(default_factory=dict)
    """What the index knows of the document, such as tenant, entitlement and locale."""


class FilterKind(StrEnum):
    """Why a filter is applied: who may see a document, or which documents are thought to fit."""

    ENTITLEMENT = "entitlement"
    RELEVANCE = "relevance"


class FilterOp(StrEnum):
    """How a filter compares a metadata field with its values."""

    EQUALS = "equals"
    ANY_OF = "any_of"


class FilterPredicate(StoredModel):
    """One filter predicate as it was applied to this query."""

    kind: FilterKind
    """Why it was applied."""
    field: Identifier
    """The metadata field that is compared."""
    op: FilterOp = FilterOp.EQUALS
    """How the field is compared with the values."""
    values: Annotated[tuple[Setting, ...], Field(min_length=1)]
    """The values that are admitted."""
    hard: bool = True
    """A hard predicate removes documents; a soft one only moves them."""

    def admits(self, metadata: dict[str, Setting]) -> bool:
        """Whether a document with this metadata survives the predicate."""
        return not self.hard or metadata.get(self.field) in self.values


class Citation(StoredModel):
    """A citation as rendered: the source it names and the sentence it stands on."""

    marker: Identifier
    """The citation as it stands in the answer, such as ``1`` for ``[1]``."""
    passage_id: Identifier | None = None
    """The passage that it names."""
    document_id: Identifier | None = None
    """The document that it names."""
    sentence: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] | None = None
    """The sentence of the answer that it stands on."""


class TraceStatus(StrEnum):
    """How the attempt on a case ended."""

    OK = "ok"
    TIMEOUT = "timeout"
    ERROR = "error"
    """The candidate could not be reached or reported a fault."""
    INVALID = "invalid"
    """The candidate answered with something that is no valid trace."""


NO_TRACE = "no_trace"
"""The kind of error of a case for which nothing was recorded: its scores are missing, nothing went wrong."""


class TraceError(StoredModel):
    """Why a case has no usable answer."""

    kind: Identifier
    """One word by which faults are counted."""
    message: Annotated[str, Field(max_length=4_000)]
    """What went wrong."""


class Usage(StoredModel):
    """Tokens and money; what is unknown is left out, never 0."""

    prompt_tokens: Tokens | None = None
    """Tokens of the prompt."""
    completion_tokens: Tokens | None = None
    """Tokens of the answer."""
    cost_usd: Annotated[float, Field(ge=0, le=1e9)] | None = None
    """The price of the answer in US dollars."""


class Output(StoredModel):
    """What a candidate returns for one query. Everything beyond ``retrieved`` may be left out."""

    query_rewrites: tuple[Annotated[str, Field(max_length=20_000)], ...] = ()
    """The question as it was rewritten for retrieval."""
    filters: tuple[FilterPredicate, ...] | None = None
    """The predicates applied to this query; ``null`` means they were not recorded."""
    retrieved: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] = ()
    """The passages that retrieval found, best first."""
    reranked: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] | None = None
    """The passages as a reranker ordered them, best first; ``null`` means there is no such list."""
    delivered: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] | None = None
    """The passages that were put into the prompt, in that order; ``null`` means that nobody recorded them."""
    prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] | None = None
    """What the generator was sent."""
    answer: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] | None = None
    """The answer as text; ``null`` when only retrieval was asked for."""
    abstained: bool | None = None
    """The candidate's own word on whether it declined to answer."""
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    """The candidate's own word on how sure it is, as a share; where it is absent, the answer's words are read."""
    citations: Annotated[tuple[Citation, ...], Field(max_length=MAX_CITATIONS)] | None = None
    """The citations of the answer; ``null`` means they were not recorded."""
    stage_ms: Annotated[dict[Identifier, Milliseconds], Field(max_length=MAX_TIMED_STAGES)] = Field(
        default_factory=dict
    )
    """Milliseconds by stage, under names of the candidate's own."""
    first_token_ms: Milliseconds | None = None
    """Milliseconds until the first token of the answer."""
    usage: Usage = Usage()
    """What the answer used up."""
    model_answered: Identifier | None = None
    """The model that answered, as its provider names it."""

    def passages_at(self, stage: Stage) -> tuple[Passage, ...] | None:
        """The ranked passages of a stage, or ``None`` where the stage was not recorded."""
        listed: dict[Stage, tuple[Passage, ...] | None] = {
            Stage.RETRIEVED: self.retrieved,
            Stage.RERANKED: self.reranked,
            Stage.DELIVERED: self.delivered,
        }
        return listed.get(stage)

    def final_passages(self) -> tuple[Passage, ...]:
        """The last ranked list there is: delivered, else reranked, else retrieved."""
        for passages in (self.delivered, self.reranked):
            if passages is not None:
                return passages
        return self.retrieved


class Query(StoredModel):
    """What a candidate is given: the question and who asks, nothing of what is expected."""

    case_id: Identifier
    """The case that is asked."""
    text: str
    """The question."""
    turns: tuple[Turn, ...] = ()
    """The conversation that ends with the question; empty where there is none."""
    language: Identifier | None = None
    """The language of the question, where the case names it."""
    principal: Principal = Principal()
    """On whose behalf the question is asked."""
    retrieve_only: bool = False
    """Whether the retrieved passages are enough and no answer is needed."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of the case this is, so that recorded traces can give each repetition its own."""


class Trace(StoredModel):
    """One attempt of a candidate on one case, as kept in the journal of a run."""

    case_id: Identifier
    """The case that was asked."""
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of the case this is, counted from 0."""
    attempts: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    """How often the candidate was asked, retries counted."""
    status: TraceStatus
    """How the last attempt ended."""
    error: TraceError | None = None
    """Why there is no usable answer."""
    output: Output | None = None
    """What the candidate returned."""
    total_ms: Milliseconds | None = None
    """Milliseconds from the question to the end of the last attempt, waits between retries included."""
