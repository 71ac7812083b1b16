"""The catalogue of metrics: find them by name, read them from text, compute them over a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import cast

from beleg.core.errors import ConfigError, Problem, shown
from beleg.core.score import ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.context.entries import ENTRIES as CONTEXT
from beleg.metrics.generation.entries import ENTRIES as GENERATION
from beleg.metrics.generation.entries_answers import ENTRIES as ANSWERS
from beleg.metrics.generation.entries_citations import ENTRIES as CITATIONS
from beleg.metrics.generation.entries_claims import ENTRIES as CLAIMS
from beleg.metrics.generation.entries_graded import ENTRIES as GRADED
from beleg.metrics.generation.entries_judged import ENTRIES as JUDGED
from beleg.metrics.generation.entries_verification import ENTRIES as VERIFICATION
from beleg.metrics.operations.entries import ENTRIES as OPERATIONS
from beleg.metrics.retrieval.entries import ENTRIES as RETRIEVAL
from beleg.metrics.spec import Metric, MetricSpec, ParameterValue

__all__ = ["CATALOGUE", "Metric", "MetricSpec", "compute", "parse_metric"]

CATALOGUE: dict[str, MetricSpec] = {
    spec.name: spec
    for entries in (
        RETRIEVAL,
        CONTEXT,
        GENERATION,
        ANSWERS,
        CITATIONS,
        CLAIMS,
        GRADED,
        JUDGED,
        VERIFICATION,
        OPERATIONS,
    )
    for spec in entries
}
"""All metrics by name."""

MAX_K = 1_000_000

_FORM = re.compile(r"(?P<name>[A-Za-z][\w-]*)(?:@(?P<k>[^()]*))?(?:\((?P<rest>[^()]*)\))?")
_VALUE = re.compile(r"[\w.:/-]+")


def parse_metric(text: str) -> Metric:
    """Reads a metric from text: ``name``, ``name@k``, and further parameters in parentheses.

    Args:
        text: for example ``ndcg@10``, ``recall@5(stage=retrieved)`` or ``latency_ms(stage=retrieve)``.

    Returns:
        The metric; it prints back in the same form.

    Raises:
        ConfigError: for an unknown name, naming the nearest ones, and for a missing, unknown or wrong parameter.

    Example:
        >>> str(parse_metric("ndcg@10"))
        'ndcg@10'
        >>> parse_metric("recall@5(stage=retrieved)").parameters
        (('k', 5), ('stage', 'retrieved'))
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise _error("not a metric", text, "Write a name such as recall@10 or latency_ms(stage=retrieve)")
    spec = CATALOGUE.get(found["name"])
    if spec is None:
        raise _error("no such metric", text, _nearest(found["name"]))
    given = _parameters(text, spec, found["k"], found["rest"])
    missing = [name for name in spec.required if name not in given]
    if missing:
        raise _error(f"needs the parameter {missing[0]}", text, f"Write it as {_pattern(spec)}")
    return Metric(spec, tuple((name, given[name]) for name in spec.parameters if name in given))


def compute(metrics: Iterable[Metric | str], batch: Batch) -> dict[str, ScoreColumn]:
    """Computes metrics over a run.

    Args:
        metrics: metrics or their text forms.
        batch: the run.

    Returns:
        One column per metric, by its text form, in the order given.

    Raises:
        ConfigError: for a metric that `parse_metric` refuses.

    Example:
        >>> compute(["failed"], Batch.of([], []))["failed"].counts()
        {}
    """
    parsed = [parse_metric(metric) if isinstance(metric, str) else metric for metric in metrics]
    return {str(metric): _function(metric.spec)(batch, **dict(metric.parameters)) for metric in parsed}


def _function(spec: MetricSpec) -> Callable[..., ScoreColumn]:
    module, _, name = spec.function.partition(":")
    return cast("Callable[..., ScoreColumn]", getattr(import_module(module), name))


def _parameters(text: str, spec: MetricSpec, k: str | None, rest: str | None) -> dict[str, ParameterValue]:
    given: dict[str, ParameterValue] = {}
    if k is not None:
        given["k"] = _cut(text, spec, k)
    for part in (rest or "").split(",") if rest is not None else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in spec.parameters or name == "k" or name in given:
            raise _error(f"has no further parameter {shown(name)}", text, f"Write it as {_pattern(spec)}")
        if name in spec.whole_numbers:
            given[name] = _whole_number(text, spec, name, value)
            continue
        choices = dict(spec.choices).get(name)
        if not equals or not _VALUE.fullmatch(value) or (choices is not None and value not in choices):
            allowed = f"one of {', '.join(choices)}" if choices else "a name"
            raise _error(f"the value of {name} is {allowed}", text, f"Write it as {_pattern(spec)}")
        given[name] = value
    return given


def _cut(text: str, spec: MetricSpec, k: str) -> int:
    if "k" not in spec.parameters:
        raise _error("takes no cut-off", text, f"Write it as {_pattern(spec)}")
    return _whole_number(text, spec, "k", k)


def _whole_number(text: str, spec: MetricSpec, name: str, value: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,6}", value, re.ASCII) or int(value) > MAX_K:
        raise _error(f"{name} is a whole number from 1 to {MAX_K}", text, f"Write it as {_pattern(spec)}")
    return int(value)


def _pattern(spec: MetricSpec) -> str:
    example: dict[str, ParameterValue] = {"k": 10, **{name: values[0] for name, values in spec.choices}}
    example |= dict.fromkeys(spec.whole_numbers, 800)
    return str(Metric(spec, tuple((name, example.get(name, "retrieve")) for name in spec.parameters)))


def _nearest(name: str) -> str:
    near = get_close_matches(name.lower().replace("-", "_"), CATALOGUE, n=3, cutoff=0.5)
    return f"Did you mean {', '.join(near)}" if near else "List them with: beleg metrics"


def _error(message: str, value: str, remedy: str) -> ConfigError:
    return ConfigError(Problem(message=message, field="metric", value=shown(value), remedy=remedy))
