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

Milliseconds = Annotated[float, Field(ge=0)]


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
    document_id: Identifier
    score: float | None = None
    text: Annotated[str, Field(max_length=MAX_PASSAGE_CHARS)] | None = None
    version: Identifier | None = None
    metadata: dict[Identifier, Setting] = Field(default_factory=dict)


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
    field: Identifier
    op: FilterOp = FilterOp.EQUALS
    values: Annotated[tuple[Setting, ...], Field(min_length=1)]
    hard: bool = True
    """A hard predicate removes documents; a soft one only moves them."""

    def admits(self, metadata: dict[str, Setting]) -> bool:
        """Whether a document with this metadata survives the predicate."""
        return not self.hard or metadata.get(self.field) in self.values


class Citation(StoredModel):
    """A citation as rendered: the source it names and the sentence it stands on."""

    marker: Identifier
    passage_id: Identifier | None = None
    document_id: Identifier | None = None
    sentence: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] | None = None


class TraceStatus(StrEnum):
    """How the attempt on a case ended."""

    OK = "ok"
    TIMEOUT = "timeout"
    ERROR = "error"
    """The candidate could not be reached or reported a fault."""
    INVALID = "invalid"
    """The candidate answered with something that is no valid trace."""


class TraceError(StoredModel):
    """Why a case has no usable answer."""

    kind: Identifier
    message: Annotated[str, Field(max_length=4_000)]


class Usage(StoredModel):
    """Tokens and money; what is unknown is left out, never 0."""

    prompt_tokens: Annotated[int, Field(ge=0)] | None = None
    completion_tokens: Annotated[int, Field(ge=0)] | None = None
    cost_usd: Annotated[float, Field(ge=0)] | None = None


class Output(StoredModel):
    """What a candidate returns for one query. Everything beyond ``retrieved`` may be left out."""

    query_rewrites: tuple[Annotated[str, Field(max_length=20_000)], ...] = ()
    filters: tuple[FilterPredicate, ...] | None = None
    """The predicates applied to this query; ``None`` means they were not recorded."""
    retrieved: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] = ()
    reranked: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] | None = None
    delivered: Annotated[tuple[Passage, ...], Field(max_length=MAX_PASSAGES_PER_STAGE)] | None = None
    prompt: Annotated[str, Field(max_length=MAX_PROMPT_CHARS)] | None = None
    answer: Annotated[str, Field(max_length=MAX_ANSWER_CHARS)] | None = None
    """``None`` when only retrieval was asked for."""
    abstained: bool | None = None
    """The candidate's own word on whether it declined to answer."""
    citations: tuple[Citation, ...] | None = None
    stage_ms: dict[Identifier, Milliseconds] = Field(default_factory=dict)
    first_token_ms: Milliseconds | None = None
    usage: Usage = Usage()
    model_answered: Identifier | None = None

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
    text: str
    turns: tuple[Turn, ...] = ()
    language: Identifier | None = None
    principal: Principal = Principal()
    retrieve_only: bool = False
    repeat: Annotated[int, Field(ge=0)] = 0
    """Which repetition of the case this is, so that recorded traces can give each repetition its own."""


class Trace(StoredModel):
    """One attempt of a candidate on one case, as kept in the journal of a run."""

    case_id: Identifier
    repeat: Annotated[int, Field(ge=0)] = 0
    attempts: Annotated[int, Field(ge=1)] = 1
    status: TraceStatus
    error: TraceError | None = None
    output: Output | None = None
    total_ms: Milliseconds | None = None
