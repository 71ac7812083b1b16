"""The judge file of a project: who judges, how fast it may be asked, what it costs, and what may be spent (J2, J6)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from beleg.core.case import Identifier, ShortText
from beleg.core.judging import ReplyMode
from beleg.core.model import StoredModel

Dollars = Annotated[float, Field(ge=0, le=1e9)]


class JudgeLimits(StoredModel):
    """How fast one judge may be asked, over all measures together."""

    in_flight: Annotated[int, Field(ge=1, le=1_024)] = 16
    """How many requests are under way at a time."""
    requests_per_minute: Annotated[float, Field(gt=0)] | None = None
    """Left out: as fast as the server answers."""
    tokens_per_minute: Annotated[float, Field(gt=0)] | None = None
    """Prompt and longest reply together; left out: no limit."""
    attempts: Annotated[int, Field(ge=1, le=20)] = 6
    """How often one question is put in all, whatever went wrong; six leave one question in a hundred thousand without a
    reply where 15 in a hundred requests fail."""
    call_timeout_s: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    """How long one request may take."""
    run_timeout_s: Annotated[float, Field(gt=0)] | None = None
    """How long all calls together may take; what is not judged by then is missing, and can be judged later."""
    max_prompt_chars: Annotated[int, Field(ge=1_000, le=100_000_000)] = 4_000_000
    """A longer request is not sent."""


class JudgePrice(StoredModel):
    """What tokens cost. Without a price the cost is unknown, never 0."""

    usd_per_million_prompt_tokens: Dollars
    """Dollars for a million tokens that are sent."""
    usd_per_million_completion_tokens: Dollars
    """Dollars for a million tokens that come back."""


class JudgeBudget(StoredModel):
    """What one command may spend; the first limit that is reached stops it, and what was judged is kept."""

    max_usd: Annotated[float, Field(gt=0, le=1e9)] | None = None
    """Dollars; it needs a price."""
    max_tokens: Annotated[int, Field(gt=0)] | None = None
    """Tokens sent and received."""
    max_calls: Annotated[int, Field(gt=0)] | None = None
    """Requests, repeats counted."""


class EmbedderSettings(StoredModel):
    """The embedding model that some measures need."""

    kind: Literal["openai", "fastembed", "onnx"] = "openai"
    """A server that speaks the OpenAI protocol, or a model in process: one that fastembed knows, or an ONNX folder,
    which alone gives a vector for every token."""
    model: ShortText | None = None
    """The model that is asked for; an ONNX folder needs none."""
    folder: ShortText | None = None
    """The folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``, for the kind ``onnx``."""
    max_tokens: Annotated[int, Field(ge=16, le=32_768)] = 512
    """The longest text that an ONNX model reads; a longer one is refused and never cut."""
    base_url: ShortText | None = None
    """Up to and including ``/v1``; needed for a server."""
    api_key_env: Identifier | None = None
    """The environment variable that holds the key; the key itself is never written anywhere."""
    query_prefix: str = ""
    """What the model wants in front of a question."""
    passage_prefix: str = ""
    """What the model wants in front of any other text."""

    @model_validator(mode="after")
    def _one_model(self) -> Self:
        if self.kind == "onnx" and (self.folder is None or self.model is not None):
            raise ValueError("onnx needs the folder of a model, and no model by name")
        if self.kind != "onnx" and (self.model is None or self.folder is not None):
            raise ValueError(f"{self.kind} needs a model by name, and no folder")
        return self


class VerifierSettings(StoredModel):
    """A dedicated model that verifies claims, in process."""

    kind: Literal["nli", "hhem", "alignment"]
    """An NLI cross-encoder, HHEM-2.1-Open, or Beleg's own comparison of words and facts, which needs no model."""
    folder: ShortText | None = None
    """The folder with ``model.onnx``, ``tokenizer.json`` and ``config.json``."""
    repository: ShortText | None = None
    """A repository of a model hub with these files, in place of a folder; it needs a revision."""
    revision: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")] | None = None
    """The commit of the repository, in full: a branch may change from one day to the next."""
    max_tokens: Annotated[int, Field(ge=16, le=32_768)] = 512
    """The longest pair that the model reads; a longer passage is read in windows that end at a sentence."""
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    """How many threads the model computes with."""
    threshold: Annotated[float, Field(gt=0, lt=1)] | None = None
    """From where on a claim counts as supported; it comes from a calibration."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        places = (self.folder is not None) + (self.repository is not None)
        if self.kind == "alignment":
            if places:
                raise ValueError("alignment needs no model: leave folder and repository out")
        elif places != 1:
            raise ValueError("name either a folder or a repository")
        if (self.repository is None) != (self.revision is None):
            raise ValueError("repository and revision go together")
        return self


class JudgeSettings(StoredModel):
    """The judge of a project."""

    name: Identifier
    """The name of the judge in reports."""
    kind: Literal["openai"] = "openai"
    """Any server that speaks the OpenAI protocol."""
    base_url: ShortText
    """Up to and including ``/v1``."""
    model: ShortText
    """The model that is asked for."""
    api_key_env: Identifier | None = None
    """The environment variable that holds the key; the key itself is never written anywhere."""
    mode: ReplyMode | Literal["probe"] = "probe"
    """How JSON is had from the server; ``probe`` tries it out before the run."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """The sampling temperature."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    """The share of probability that is sampled from; left out: as the server likes."""
    seed: int | None = None
    """The seed of sampling; left out: as the server likes."""
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 2_000
    """The longest reply; a reply that is cut off is asked again with twice as many, up to four times."""
    extra: dict[Identifier, str | int | float | bool] = Field(default_factory=dict)
    """Further parameters that are sent, such as ``reasoning_effort``."""
    limits: JudgeLimits = JudgeLimits()
    """How fast it may be asked."""
    price: JudgePrice | None = None
    """What tokens cost; left out: the cost is unknown."""
    budget: JudgeBudget = JudgeBudget()
    """What one command may spend."""
    cache: ShortText | None = None
    """A file in which verdicts are kept for every run that shares it; left out: only the run's own."""
    embedder: EmbedderSettings | None = None
    """The embedding model, for the measures that need one."""
    verifier: VerifierSettings | None = None
    """The dedicated verifier, for the measures that need one."""

    @model_validator(mode="after")
    def _money_needs_a_price(self) -> Self:
        if self.budget.max_usd is not None and self.price is None:
            raise ValueError("max_usd needs a price: without one nobody knows when it is reached")
        return self
