"""What a measure is: a kind out of the registry, and the parameters it was asked with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from beleg.metrics.ranking_runs.preferences import RankedPreferences
from beleg.metrics.ranking_runs.ranked import Ranked
from beleg.metrics.ranking_runs.ranked_groups import RankedGroups
from beleg.metrics.ranking_runs.table import FloatArray

Aggregate = Literal["mean", "sum", "geometric", "text"]
Direction = Literal["higher", "lower", "neither"]
"""Which of two figures speaks for a run; neither where the figure tells of queries, lists or labels."""
Form = Literal["qrels", "groups", "subtopics", "preferences"]
"""What judgements a measure needs: a grade for each document, by group of judges, by subtopic, or preferences."""

Option = int | float | str | bool | tuple[float, ...] | tuple[tuple[float, float], ...] | None

Kernel = Callable[[Ranked, "Measure"], FloatArray]
GroupKernel = Callable[[RankedGroups, "Measure"], FloatArray]
PreferenceKernel = Callable[[RankedPreferences, "Measure"], FloatArray]
TextKernel = Callable[[Ranked, "Measure"], list[str]]

_NUMBER = re.compile(r"\d{1,9}(\.\d{0,40})?|\.\d{1,40}", re.ASCII)
_SIGNED = re.compile(r"-?(\d{1,9}(\.\d{0,40})?|\.\d{1,40})", re.ASCII)
_DECIMALS = 40
_WHOLE = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a measure takes beside its cutoff and its lowest relevant grade."""

    name: str
    default: Option
    read: Callable[[str], Option]
    """Reads what is written; nothing where it cannot be one."""
    wants: str
    """What may be written, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """All that is known about a measure: one entry of the registry."""

    name: str
    says: str
    """What it is, in one sentence of the reference page."""
    kernel: Kernel | None = None
    group_kernel: GroupKernel | None = None
    preference_kernel: PreferenceKernel | None = None
    text_kernel: TextKernel | None = None
    form: Form = "qrels"
    cut: Literal["none", "may", "must"] = "none"
    cut_is_level: bool = False
    """Whether what follows ``@`` is a share of the relevant documents instead of a rank."""
    highest_level: float = 1.0
    highest_cut: int = 999_999_999
    """The deepest cutoff: less where every rank down to it takes memory."""
    takes_rel: bool = True
    parameters: tuple[Parameter, ...] = ()
    plain: str | None = None
    """The name that trec_eval gives it without a cutoff."""
    at_cut: str | None = None
    """The name that trec_eval gives it with a cutoff."""
    defaults: tuple[str, ...] = ()
    """The cutoffs that trec_eval takes where none is named."""
    trec_parameter: str | None = None
    """The parameter that trec_eval takes behind the name."""
    trec_options: tuple[tuple[str, Option], ...] = ()
    """The parameters under which the figure is that of trec_eval."""
    aggregate: Aggregate = "mean"
    summary_only: bool = False
    """Whether trec_eval prints it for all queries together only."""
    range: tuple[float, float] = (0.0, 1.0)
    direction: Direction = "higher"
    """Which figures are better."""

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, if the measure takes one."""
        return next((each for each in self.parameters if each.name == name), None)


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """One measure with its parameters; as text it is what `parse_measure` reads.

    ``rel`` is the lowest grade that counts as relevant; ``label`` is the name under which the figure was asked for.

    Example:
        >>> from beleg.metrics.ranking_runs.measures import parse_measure
        >>> str(parse_measure("RR(rel=2)@10")[0])
        'RR(rel=2)@10'
        >>> [measure.label for measure in parse_measure("ndcg_cut.5,10")]
        ['ndcg_cut_5', 'ndcg_cut_10']
    """

    kind: Kind
    cut: int | None = None
    level: float | None = None
    """The share of the relevant documents, for interpolated precision and precision at a share of them."""
    rel: int = 1
    options: tuple[tuple[str, Option], ...] = ()
    """The parameters that differ from their defaults, in the order of the kind."""
    label: str = field(default="", compare=False)
    printed: str | None = field(default=None, compare=False)
    """The name that trec_eval prints, where it was asked for in that notation."""

    @property
    def name(self) -> str:
        """The name of the kind."""
        return self.kind.name

    def option(self, name: str) -> Option:
        """The value of a parameter: as asked, or its default.

        Raises:
            KeyError: if the measure takes no such parameter.
        """
        for key, value in self.options:
            if key == name:
                return value
        parameter = self.kind.parameter(name)
        if parameter is None:
            raise KeyError(name)
        return parameter.default

    def number(self, name: str) -> float:
        """The value of a parameter that is a number."""
        value = self.option(name)
        if isinstance(value, int | float):
            return float(value)
        raise TypeError(f"{name} of {self.name} is no number")

    def numbers(self, name: str) -> tuple[float, ...]:
        """The value of a parameter that is a list of numbers."""
        value = self.option(name)
        if isinstance(value, tuple):
            return tuple(each for each in value if isinstance(each, int | float))
        raise TypeError(f"{name} of {self.name} is no list")

    def __repr__(self) -> str:
        return f"Measure({str(self)!r})"

    def __str__(self) -> str:
        written = [f"rel={self.rel}"] if self.rel != 1 else []
        written += [f"{name}={written_option(value)}" for name, value in self.options]
        parameters = f"({','.join(written)})" if written else ""
        cut = self.cut if self.level is None else written_option(self.level)
        return f"{self.name}{parameters}" if cut is None else f"{self.name}{parameters}@{cut}"


def written_option(value: Option) -> str:
    """A parameter as it is written, so that reading it gives the same value."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        pairs = [each for each in value if isinstance(each, tuple)]
        if pairs:
            return "{" + ",".join(f"{written_option(key)}:{written_option(gain)}" for key, gain in pairs) + "}"
        return "[" + ",".join(written_option(each) for each in value) + "]"
    text = repr(float(value)).removesuffix(".0")
    if "e" not in text:
        return text
    longer = (f"{value:.{decimals}f}" for decimals in range(_DECIMALS + 1))
    return next((each for each in longer if float(each) == value), text)


def number(name: str, default: float, lowest: float, highest: float) -> Parameter:
    """A number in a closed range."""

    def read(text: str) -> Option:
        value = float(text) if _NUMBER.fullmatch(text) else None
        return value if value is not None and lowest <= value <= highest else None

    wants = f"a number from {lowest:g} to {highest:g}"
    return Parameter(name, default, read, wants)


def share(name: str, default: float) -> Parameter:
    """A number from 0 to below 1."""

    def read(text: str) -> Option:
        value = float(text) if _NUMBER.fullmatch(text) else None
        return value if value is not None and value < 1.0 else None

    return Parameter(name, default, read, "a number from 0 to below 1")


def whole(name: str, default: int | None, lowest: int, highest: int | None = None) -> Parameter:
    """A whole number."""

    def read(text: str) -> Option:
        value = int(text) if _WHOLE.fullmatch(text) else None
        return value if value is not None and lowest <= value <= (highest or value) else None

    upward = "on" if highest is None else f"to {highest}"
    return Parameter(name, default, read, f"a whole number from {lowest} {upward}")


def choice(name: str, *words: str) -> Parameter:
    """One of some words; the first is the default."""
    return Parameter(
        name, words[0], lambda text: text if text in words else None, " or ".join(f"'{each}'" for each in words)
    )


def flag(name: str, *, default: bool) -> Parameter:
    """True or False."""
    return Parameter(name, default, lambda text: {"True": True, "False": False}.get(text), "True or False")


def gains(name: str) -> Parameter:
    """A mapping of grades to gains; a grade that is not named is its own gain."""

    def read(text: str) -> Option:
        inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
        pairs: dict[float, float] = {}
        for part in inner.split(","):
            grade, _, gain = part.replace("=", ":").partition(":")
            if not (_WHOLE.fullmatch(grade.strip()) and _NUMBER.fullmatch(gain.strip())):
                return None
            if float(grade) in pairs:
                return None
            pairs[float(grade)] = float(gain)
        return tuple(sorted(pairs.items()))

    return Parameter(name, (), read, "grades and gains, such as {1:3,2:9}")


def listed(name: str, default: tuple[float, ...], *, signed: bool = False, length: int | None = None) -> Parameter:
    """A list of numbers; unsigned ones are shares."""

    def read(text: str) -> Option:
        inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        parts = [part.strip() for part in inner.split(",")]
        if not all((_SIGNED if signed else _NUMBER).fullmatch(part) for part in parts):
            return None
        values = tuple(float(part) for part in parts)
        fits = len(values) == length if length else all(value <= 1.0 for value in values)
        return values if fits else None

    wants = f"{length} numbers, such as [2,-1,0,0]" if length else "shares from 0 to 1, such as [0.25,0.5]"
    return Parameter(name, default, read, wants)
