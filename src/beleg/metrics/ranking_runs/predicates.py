"""Filter predicates per query as recorded, against what was right and against the documents they admit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from beleg.core.digest import canonical_json
from beleg.core.filter_test import FieldValues, QueryPredicates
from beleg.core.manifest import Setting
from beleg.metrics.ranking_runs.filtering import NO, UNKNOWN, YES
from beleg.metrics.ranking_runs.table import IntArray


def admitted_values(predicates: Mapping[str, FieldValues] | None, field: str) -> frozenset[bytes] | None:
    """The values of a field that are admitted; None where nothing is recorded.

    There are none where the field is not filtered by, and none where it is filtered by an empty list; `is_filtered`
    tells the two apart.

    Values are told apart as JSON writes them: ``true`` is not 1, and 1.0 is 1.

    Example:
        >>> sorted(admitted_values({"locale": ("en-US", "en-GB")}, "locale"))
        [b'"en-GB"', b'"en-US"']
    """
    if predicates is None:
        return None
    values = predicates.get(field, ())
    return frozenset(canonical_json(value) for value in (values if isinstance(values, tuple) else (values,)))


def is_filtered(predicates: Mapping[str, FieldValues] | None, field: str) -> bool:
    """Whether a predicate on the field is recorded, if only one that admits nothing.

    Example:
        >>> is_filtered({"locale": ()}, "locale"), is_filtered({}, "locale"), is_filtered(None, "locale")
        (True, False, False)
    """
    return predicates is not None and field in predicates


def survival(
    pairs: Sequence[tuple[str, str]],
    rows: Mapping[str, QueryPredicates],
    metadata: Mapping[str, Mapping[str, Setting]],
    field: str,
) -> IntArray:
    """Whether the predicate on one field lets each document of a query pass.

    Args:
        pairs: query and document.
        rows: the predicates of each query.
        metadata: the metadata of each document.
        field: the field whose predicate is looked at; others are left aside.

    Returns:
        `YES`, `NO`, or `UNKNOWN` where the predicates of the query or the field of the document are not recorded. A
        predicate with an empty list of values lets nothing pass.

    Example:
        >>> rows = {"q": QueryPredicates(query_id="q", applied={"locale": "en-US"})}
        >>> known = {"d1": {"locale": "en-US"}, "d2": {"locale": "en-GB"}, "d3": {}}
        >>> survival([("q", "d1"), ("q", "d2"), ("q", "d3")], rows, known, "locale").tolist()
        [1, 0, -1]
    """
    admitted = {query: admitted_values(row.applied, field) for query, row in rows.items()}
    filtered = {query for query, row in rows.items() if is_filtered(row.applied, field)}

    def passes(query: str, document: str) -> int:
        values = admitted.get(query)
        if values is None:
            return UNKNOWN
        if query not in filtered:
            return YES
        if not values:
            return NO
        found = metadata.get(document, {})
        if field not in found:
            return UNKNOWN
        return YES if canonical_json(found[field]) in values else NO

    return np.array([passes(query, document) for query, document in pairs], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class PredicateQuality:
    """How good the predicates of one field were, over the labelled queries.

    Each list has one entry per predicate value with the query it belongs to, 1 where it was right.
    """

    applied: tuple[tuple[str, int], ...]
    """Applied values: 1 where it was expected. Their mean is precision."""
    expected: tuple[tuple[str, int], ...]
    """Expected values: 1 where it was applied. Their mean is recall."""
    labelled: int
    """Queries of which both is known."""
    wrong: frozenset[str]
    """Queries in which applied and expected differ."""


def quality_of(rows: Mapping[str, QueryPredicates], field: str) -> PredicateQuality:
    """Holds applied predicate values against expected ones. Nothing applied gives no precision, not 0.

    Example:
        >>> row = QueryPredicates(query_id="q", applied={"locale": "en-US"}, expected={"locale": "en-GB"})
        >>> quality_of({"q": row}, "locale").applied
        (('q', 0),)
    """
    applied: list[tuple[str, int]] = []
    expected: list[tuple[str, int]] = []
    wrong, labelled = set(), 0
    for query, row in rows.items():
        mine, right = admitted_values(row.applied, field), admitted_values(row.expected, field)
        if mine is None or right is None:
            continue
        labelled += 1
        applied += ((query, int(value in right)) for value in sorted(mine))
        expected += ((query, int(value in mine)) for value in sorted(right))
        if mine != right or is_filtered(row.applied, field) != is_filtered(row.expected, field):
            wrong.add(query)
    return PredicateQuality(tuple(applied), tuple(expected), labelled, frozenset(wrong))
