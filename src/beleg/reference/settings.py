"""The ``reference:`` block of a candidate file: every setting of the embedded RAG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from beleg.core.case import Identifier
from beleg.core.errors import ConfigError, Problem, shown
from beleg.core.manifest import Setting
from beleg.core.model import StoredModel


def _require_model(kind: str, model: str | None, base_url: str | None) -> None:
    if kind in {"openai", "fastembed"} and model is None:
        raise ValueError(f"kind '{kind}' needs a model")
    if kind == "openai" and base_url is None:
        raise ValueError("kind 'openai' needs a base_url")


class CorpusSettings(StoredModel):
    """Where the documents are."""

    path: str
    """A folder, a BEIR ``corpus.jsonl[.gz]`` or a SQuAD JSON file, relative to the project."""
    format: Literal["folder", "beir", "squad"] = "folder"
    """``folder`` is read by `beleg.reference.ingest`; the caller loads the other two and passes the documents in."""
    max_files: Annotated[int, Field(ge=1)] = 20_000
    """A folder with more files is refused."""
    max_file_bytes: Annotated[int, Field(ge=1)] = 4_000_000
    """A larger file is refused."""
    default_metadata: dict[Identifier, Setting] = Field(default_factory=dict)
    """Metadata for documents that do not state it. Without tenant, entitlement and status nobody may see a document."""


class ChunkerSettings(StoredModel):
    """How documents are cut into passages."""

    kind: Literal["recursive", "structure"] = "structure"
    """``recursive`` cuts plain text by size; ``structure`` follows headings and keeps tables and lists whole."""
    size_tokens: Annotated[int, Field(ge=16, le=8_000)] = 160
    """The most word tokens of a passage, its heading path not counted."""
    overlap_tokens: Annotated[int, Field(ge=0, le=4_000)] = 0
    """How many tokens of a passage may be repeated at the start of the next one cut from the same text."""

    @model_validator(mode="after")
    def _overlap_is_smaller(self) -> Self:
        if self.overlap_tokens * 2 > self.size_tokens:
            raise ValueError("overlap_tokens is at most half of size_tokens")
        return self


class Bm25Settings(StoredModel):
    """The lexical lane."""

    enabled: bool = True
    """Whether the lane is searched."""
    k1: Annotated[float, Field(ge=0, le=10)] = 1.2
    """How fast repeats of a term saturate."""
    b: Annotated[float, Field(ge=0, le=1)] = 0.75
    """How strongly long passages are discounted."""
    stemming: bool = True
    """Snowball stemming in the language of the passage and of the question."""
    stopwords: bool = True
    """Whether function words are left out."""


class DenseSettings(StoredModel):
    """The vector lane."""

    enabled: bool = True
    """Whether the lane is searched."""
    kind: Literal["lsa", "openai", "fastembed"] = "lsa"
    """``lsa`` is fitted on the corpus and needs no model; the others are passed in by the caller."""
    dimensions: Annotated[int, Field(ge=2, le=4_096)] = 200
    """Length of an LSA vector; small corpora give shorter ones."""
    seed: Annotated[int, Field(ge=0)] = 20_260_101
    """Seed of the randomised factorisation of LSA."""
    model: str | None = None
    """Name of the embedding model (``openai``, ``fastembed``)."""
    base_url: str | None = None
    """Where an OpenAI-compatible server answers, up to and including ``/v1``."""
    api_key_env: Identifier | None = None
    """Name of the environment variable that holds the key."""
    query_prefix: str = ""
    """What the model wants in front of a question, such as ``"query: "`` for the E5 family (``openai``)."""
    passage_prefix: str = ""
    """What the model wants in front of a passage (``openai``)."""

    @model_validator(mode="after")
    def _model_is_named(self) -> Self:
        _require_model(self.kind, self.model, self.base_url)
        return self


class LaneSettings(StoredModel):
    """The retrieval lanes that are fused."""

    bm25: Bm25Settings = Bm25Settings()
    """Term matching."""
    dense: DenseSettings = DenseSettings()
    """Vector similarity in an in-process Qdrant collection."""

    @model_validator(mode="after")
    def _one_lane_at_least(self) -> Self:
        if not (self.bm25.enabled or self.dense.enabled):
            raise ValueError("at least one lane is enabled")
        return self


class FusionSettings(StoredModel):
    """How the lanes become one list."""

    kind: Literal["rrf"] = "rrf"
    """Reciprocal rank fusion; with one lane it keeps the lane's order."""
    k: Annotated[int, Field(ge=1)] = 60
    """The rank constant."""


class RerankSettings(StoredModel):
    """Whether the fused list is ordered anew."""

    kind: Literal["none", "overlap", "hook"] = "none"
    """``overlap`` orders by weighted term coverage; ``hook`` calls a reranker that the caller passes in."""
    name: Identifier | None = None
    """What the manifest calls the hook."""

    @model_validator(mode="after")
    def _hook_is_named(self) -> Self:
        if self.kind == "hook" and self.name is None:
            raise ValueError("a hook reranker needs a name")
        return self


class FilterSettings(StoredModel):
    """Relevance filters. The entitlement filter (tenant, entitlement, status) is not a setting: it always applies."""

    relevance: Literal["none", "locale_hard", "locale_soft"] = "none"
    """``locale_hard`` removes passages of another locale than the asker's; ``locale_soft`` moves matching ones up."""
    soft_boost: Annotated[float, Field(ge=0, le=1)] = 0.03
    """By which share a passage's fused score grows for each soft predicate that it satisfies."""


class GeneratorSettings(StoredModel):
    """How an answer is made from the delivered passages."""

    kind: Literal["extractive", "openai"] = "extractive"
    """``extractive`` quotes sentences; ``openai`` asks a chat model that the caller passes in."""
    max_sentences: Annotated[int, Field(ge=1, le=20)] = 4
    """The most sentences that an extractive answer quotes."""
    minimum_evidence: Annotated[float, Field(ge=0, le=1)] = 0.5
    """From 0 to 1: what the lanes' standing (three quarters) and the covered share of the question's informative words
    (one quarter) must reach, else an extractive answer abstains. Higher declines more often."""
    model: str | None = None
    """Name of the chat model."""
    base_url: str | None = None
    """Where an OpenAI-compatible server answers, up to and including ``/v1``."""
    api_key_env: Identifier | None = None
    """Name of the environment variable that holds the key."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """Sampling temperature of the chat model."""
    seed: int | None = None
    """Sampling seed of the chat model."""
    max_tokens: Annotated[int, Field(ge=16)] = 600
    """The most tokens that the chat model may write."""

    @model_validator(mode="after")
    def _model_is_named(self) -> Self:
        _require_model(self.kind, self.model, self.base_url)
        return self


class ReferenceSettings(StoredModel):
    """The whole configuration of the embedded RAG.

    Example:
        >>> settings = ReferenceSettings(corpus=CorpusSettings(path="corpus"))
        >>> settings.lanes.bm25.k1, settings.fusion.k, settings.top_k
        (1.2, 60, 5)
    """

    corpus: CorpusSettings
    """The documents and how they are read."""
    chunker: ChunkerSettings = ChunkerSettings()
    """How they are cut."""
    lanes: LaneSettings = LaneSettings()
    """How passages are found."""
    fusion: FusionSettings = FusionSettings()
    """How the lists of the lanes are merged."""
    candidates: Annotated[int, Field(ge=1, le=1_000)] = 50
    """How many passages each lane contributes."""
    retrieved: Annotated[int, Field(ge=1, le=1_000)] = 30
    """How many passages of the fused list are kept and recorded."""
    top_k: Annotated[int, Field(ge=1, le=100)] = 5
    """How many passages the generator is given."""
    rerank: RerankSettings = RerankSettings()
    """What orders the fused list anew."""
    filters: FilterSettings = FilterSettings()
    """Which passages are thought to fit."""
    generator: GeneratorSettings = GeneratorSettings()
    """How the answer is made."""

    @model_validator(mode="after")
    def _depths_fit(self) -> Self:
        if self.top_k > self.retrieved:
            raise ValueError("top_k is at most retrieved")
        return self


def read_settings(block: Mapping[str, Any], *, file: str | None = None) -> ReferenceSettings:
    """Reads the ``reference:`` block of a candidate file.

    Args:
        block: the block as plain data.
        file: the file it stands in, for messages.

    Raises:
        ConfigError: naming every field that is unknown, missing or out of range.

    Example:
        >>> read_settings({"corpus": {"path": "corpus"}, "top_k": 3}).top_k
        3
    """
    try:
        return ReferenceSettings.model_validate(dict(block))
    except ValidationError as error:
        raise ConfigError(_problem(detail, file) for detail in error.errors()) from error


def _problem(detail: Any, file: str | None) -> Problem:
    field = ".".join(("reference", *(str(part) for part in detail["loc"])))
    missing = detail["type"] == "missing"
    return Problem(
        message=str(detail["msg"]).removeprefix("Value error, "),
        file=file,
        field=field,
        value=None if missing else shown(detail["input"]),
        remedy="Correct this setting; docs/reference lists all of them",
    )
