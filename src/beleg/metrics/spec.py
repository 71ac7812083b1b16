"""What a metric is: its place in the catalogue, and a printable value with parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Direction = Literal["higher", "lower", "neutral"]
Kind = Literal["binary", "graded", "count", "milliseconds", "usd", "tokens"]
Aggregate = Literal["mean", "rate", "p95", "sum"]
Area = Literal["retrieval", "context", "generation", "operations"]
ParameterValue = int | str

RANKED_STAGE_NAMES = ("retrieved", "reranked", "delivered")

INPUT_DIMENSIONS: tuple[str, ...] = (
    "suite",
    "cases",
    "repeats",
    "mode",
    "measured stage",
    "metric versions",
    "normalisation",
)
"""What is asked and how it is measured; it is never a treatment."""
RETRIEVAL_DIMENSIONS: tuple[str, ...] = (
    "corpus_snapshot",
    "chunker",
    "embedding_model",
    "index_build",
    "inventory",
    "retriever",
    "reranker",
    "top_k",
    "seed",
    "application_revision",
    "extra",
    "lock",
)
"""What can change the passages that a system returns."""
GENERATION_DIMENSIONS: tuple[str, ...] = ("prompt", "generator", "model answered", "temperature")
"""What can change an answer beside its passages."""
OPERATION_DIMENSIONS: tuple[str, ...] = ("timeout_s", "retries")
"""What can change how long an attempt takes and how it ends."""
JUDGE_DIMENSION = "judge"
"""Who judged, with which prompts and which version of the measure."""

SYSTEM_DIMENSIONS = (*RETRIEVAL_DIMENSIONS, *GENERATION_DIMENSIONS, *OPERATION_DIMENSIONS)
"""Everything of the system under test that can be a treatment."""

_BY_AREA: dict[Area, tuple[str, ...]] = {
    "retrieval": (*INPUT_DIMENSIONS, *RETRIEVAL_DIMENSIONS),
    "context": (*INPUT_DIMENSIONS, *RETRIEVAL_DIMENSIONS),
    "generation": (*INPUT_DIMENSIONS, *RETRIEVAL_DIMENSIONS, *GENERATION_DIMENSIONS),
    "operations": (*INPUT_DIMENSIONS, *SYSTEM_DIMENSIONS),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """One line of the catalogue.

    ``function`` is ``module:function``; it takes a batch and the parameters by keyword and returns a score column.
    """

    name: str
    function: str
    area: Area
    direction: Direction
    kind: Kind
    title_en: str
    title_de: str
    description_en: str
    description_de: str
    version: str = "1"
    low: float | None = 0.0
    high: float | None = 1.0
    aggregate: Aggregate = "mean"
    parameters: tuple[str, ...] = ()
    """The parameters that may be given: ``k`` is written behind ``@``, the others in parentheses."""
    required: tuple[str, ...] = ()
    """The parameters that must be given."""
    whole_numbers: tuple[str, ...] = ()
    """The parameters beside ``k`` that are whole numbers."""
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The values allowed for a parameter; any identifier where none are listed."""
    rests_on: str | None = None
    """The judged measure whose findings the metric is computed from; ``None`` where no judge is needed."""
    proxy: bool = False
    """Whether the metric only stands in for the one that is meant; it is never enough for a PASS by itself."""
    depends_on: tuple[str, ...] | None = None
    """What must be the same in two runs, or be the treatment, for the metric to be compared; ``None`` for whatever
    metrics of its area depend on, and the judge where it rests on one."""

    @property
    def dependencies(self) -> tuple[str, ...]:
        """What must be the same in two runs, or be the treatment, for the metric to be compared.

        Example:
            >>> spec = MetricSpec(name="n", function="m:f", area="retrieval", direction="higher", kind="binary",
            ...     title_en="", title_de="", description_en="", description_de="")
            >>> "chunker" in spec.dependencies, "prompt" in spec.dependencies
            (True, False)
        """
        if self.depends_on is not None:
            return self.depends_on
        judged = (JUDGE_DIMENSION,) if self.rests_on is not None or self.proxy else ()
        return (*_BY_AREA[self.area], *judged)

    @property
    def best(self) -> float | None:
        """The best value there can be, where there is one."""
        return {"higher": self.high, "lower": self.low, "neutral": None}[self.direction]

    @property
    def worst(self) -> float | None:
        """The worst value there can be, where there is one."""
        return {"higher": self.low, "lower": self.high, "neutral": None}[self.direction]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with its parameters; it prints in the form that `parse_metric` reads."""

    spec: MetricSpec
    parameters: tuple[tuple[str, ParameterValue], ...] = ()

    def __str__(self) -> str:
        given = dict(self.parameters)
        cut = f"@{given.pop('k')}" if "k" in given else ""
        rest = ",".join(f"{name}={value}" for name, value in given.items())
        return f"{self.spec.name}{cut}{f'({rest})' if rest else ''}"

    def title(self, language: str) -> str:
        """The title with its parameters, in German for ``de`` and in English otherwise."""
        title = self.spec.title_de if language == "de" else self.spec.title_en
        given = dict(self.parameters)
        cut = f"@{given.pop('k')}" if "k" in given else ""
        rest = ", ".join(str(value) for value in given.values())
        return f"{title}{cut}{f' ({rest})' if rest else ''}"
