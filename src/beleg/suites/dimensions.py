"""The dimensions by which cases are grouped: one reading of a dimension's name for cover, split and subset."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from beleg.core.case import Case
from beleg.core.errors import UsageError, shown

ONTOLOGY = "ontology"
"""The one dimension in which a case may carry several labels."""

_SEGMENT_PREFIX = "segments."


def labels_of(case: Case, dimension: str) -> tuple[str, ...]:
    """The labels of a case in a dimension, sorted and distinct; empty where the case has none.

    ``language``, ``document_class``, ``risk_tier``, ``expected_behaviour``, ``tenant``, ``locale`` and every key
    of ``segments`` name a dimension; ``segments.<key>`` names a segment even where a field has the same name.
    """
    if dimension == ONTOLOGY:
        return tuple(sorted(set(case.ontology)))
    if dimension.startswith(_SEGMENT_PREFIX):
        label = case.segments.get(dimension.removeprefix(_SEGMENT_PREFIX))
    else:
        label = case.segment_labels().get(dimension)
    return () if label is None else (label,)


def known_dimensions(cases: Sequence[Case]) -> tuple[str, ...]:
    """Every dimension in which at least one case has a label."""
    names = {name for case in cases for name in case.segment_labels()}
    if any(case.ontology for case in cases):
        names.add(ONTOLOGY)
    return tuple(sorted(names))


def require_dimensions(cases: Sequence[Case], dimensions: Sequence[str], *, may_be_empty: Collection[str] = ()) -> None:
    """Refuses a dimension that no case has, because a misspelt name would put all cases into one group.

    Args:
        cases: The cases that are to be grouped.
        dimensions: The dimensions that were asked for.
        may_be_empty: Dimensions that are known to be meant although no case has a label in them yet.

    Raises:
        UsageError: if a dimension is named twice or no case has a label in it.
    """
    repeated = sorted({name for name in dimensions if dimensions.count(name) > 1})
    if repeated:
        raise UsageError(f"dimension {shown(repeated[0])} is named twice", hint="Name each dimension once")
    for name in dimensions:
        if name not in may_be_empty and not any(labels_of(case, name) for case in cases):
            known = ", ".join(known_dimensions(cases)) or "none"
            raise UsageError(f"no case has a label in dimension {shown(name)}", hint=f"Dimensions in use: {known}")
