"""Coverage: how many cases stand in every cell of a grid of dimensions, and what they can prove (G5)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from beleg.core.case import Case
from beleg.core.errors import UsageError, shown
from beleg.core.suite import Suite
from beleg.core.ties import number_of_groups
from beleg.suites.dimensions import labels_of, require_dimensions

DEFAULT_RATE = 0.8
DEFAULT_CONFIDENCE = 0.95
DEFAULT_MINIMUM_N = 30
PLANNED_HALF_WIDTHS = (0.1, 0.05, 0.03, 0.02)
_MOST_CELLS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One combination of labels with its cases."""

    labels: tuple[str, ...]
    """One label per dimension, in the order of the dimensions."""
    n: int
    clusters: int
    """How many independent groups the cases form (sessions, sources, single cases)."""
    half_width: float | None
    """Half the interval's width if every case counts by itself; ``None`` in an empty cell."""
    half_width_clustered: float | None
    """The same if cases of one cluster always share their outcome, so that only clusters count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize:
    """The answer to: how many cases for ± this many points?"""

    half_width: float
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The grid; `dataclasses.asdict` gives it as JSON data.

    A case with several ontology labels stands in the cell of each, so the cells may add up to more than the cases.
    """

    dimensions: tuple[str, ...]
    cases: int
    rate: float
    confidence: float
    minimum_n: int
    needed_for_minimum: dict[str, int]
    """By ``dimension=label, ...``: how many cases a cell lacks to reach the minimum; empty cells included."""
    cells: tuple[Cell, ...]
    """All cells, the empty ones included, in the order of the labels."""
    planning: tuple[SampleSize, ...]
    """How many cases the usual half widths need at this rate and confidence."""
    unlabelled: dict[str, int]
    """By dimension: the cases that have no label in it and therefore stand in no cell."""

    @property
    def empty(self) -> tuple[Cell, ...]:
        """The cells without a case."""
        return tuple(cell for cell in self.cells if cell.n == 0)

    @property
    def too_small(self) -> tuple[Cell, ...]:
        """The cells with at least one case and fewer than the minimum."""
        return tuple(cell for cell in self.cells if 0 < cell.n < self.minimum_n)


def coverage(
    suite: Suite,
    dimensions: Sequence[str],
    *,
    minimum_n: int = DEFAULT_MINIMUM_N,
    rate: float = DEFAULT_RATE,
    confidence: float = DEFAULT_CONFIDENCE,
    expected_labels: Mapping[str, Sequence[str]] | None = None,
) -> Coverage:
    """Counts the cases in every combination of labels.

    Args:
        suite: The suite to be looked at.
        dimensions: The dimensions of the grid; any name of `labels_of`, ``ontology`` included.
        minimum_n: How many cases a cell needs to carry a decision.
        rate: The success rate that is assumed for the interval.
        confidence: The two-sided confidence of the interval.
        expected_labels: Labels that must be covered although no case may have them yet, by dimension.

    Raises:
        UsageError: if no dimension is named, no case has a label in one of them, or the grid is too large to be read.

    Example:
        >>> from beleg.core.suite import SuiteHeader
        >>> cases = tuple(
        ...     Case(case_id=name, user_input=name, language=name[:2], segments={"intent": name[3:]})
        ...     for name in ("de-price", "de-return", "en-price")
        ... )
        >>> grid = coverage(Suite(header=SuiteHeader(name="shop"), cases=cases), ["language", "intent"])
        >>> [cell.labels for cell in grid.empty]
        [('en', 'return')]
    """
    expected = expected_labels or {}
    if not dimensions:
        raise UsageError("a coverage matrix needs at least one dimension")
    require_dimensions(suite.cases, dimensions, may_be_empty=expected)
    axes = _axes(suite.cases, dimensions, expected)
    members: defaultdict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in suite.cases:
        for labels in product(*(labels_of(case, name) for name in dimensions)):
            members[labels].append(case)
    cells = tuple(_cell(labels, members.get(labels, []), rate, confidence) for labels in product(*axes))
    return Coverage(
        dimensions=tuple(dimensions),
        cases=len(suite.cases),
        rate=rate,
        confidence=confidence,
        minimum_n=minimum_n,
        needed_for_minimum={
            ", ".join(f"{name}={label}" for name, label in zip(dimensions, cell.labels, strict=True)): minimum_n
            - cell.n
            for cell in cells
            if cell.n < minimum_n
        },
        cells=cells,
        planning=sample_sizes(rate=rate, confidence=confidence),
        unlabelled={name: sum(not labels_of(case, name) for case in suite.cases) for name in dimensions},
    )


def sample_sizes(
    half_widths: Sequence[float] = PLANNED_HALF_WIDTHS,
    *,
    rate: float = DEFAULT_RATE,
    confidence: float = DEFAULT_CONFIDENCE,
) -> tuple[SampleSize, ...]:
    """How many independent cases an interval needs to be no wider than each half width.

    The interval is Wilson's; the normal approximation asks for about one case more, the gate's exact bounds for a few.

    Example:
        >>> [(answer.half_width, answer.cases) for answer in sample_sizes([0.05])]
        [(0.05, 245)]
    """
    # Imported here so that reading and releasing suites does not load the numerical libraries.
    from beleg.stats.intervals import sample_size_for_half_width

    return tuple(
        SampleSize(half_width=width, cases=sample_size_for_half_width(rate, width, confidence)) for width in half_widths
    )


def _axes(
    cases: Sequence[Case], dimensions: Sequence[str], expected: Mapping[str, Sequence[str]]
) -> list[tuple[str, ...]]:
    unknown = sorted(expected.keys() - set(dimensions))
    if unknown:
        raise UsageError(
            f"labels are expected in {shown(unknown[0])}, which is no dimension of the matrix",
            hint=f"Dimensions: {', '.join(dimensions)}",
        )
    axes = []
    for name in dimensions:
        found = {label for case in cases for label in labels_of(case, name)}
        axes.append(tuple(sorted(found | set(expected.get(name, ())))))
    size = math.prod(len(axis) for axis in axes)
    if size > _MOST_CELLS:
        raise UsageError(f"the matrix would have {size} cells", hint="Use fewer dimensions or coarser labels")
    return axes


def _cell(labels: tuple[str, ...], cases: Sequence[Case], rate: float, confidence: float) -> Cell:
    clusters = number_of_groups([case.ties() for case in cases])
    return Cell(
        labels=labels,
        n=len(cases),
        clusters=clusters,
        half_width=_planned(rate, len(cases), confidence) if cases else None,
        half_width_clustered=_planned(rate, clusters, confidence) if cases else None,
    )


def _planned(rate: float, n: int, confidence: float) -> float:
    from beleg.stats.intervals import planned_half_width

    return planned_half_width(rate, n, confidence)
