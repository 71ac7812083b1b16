"""The filtered questions of a sweep: which rows each filter admits, and which queries ask under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.adapters.formats.vectors import read_labels
from beleg.core.errors import DataError, Problem, UsageError
from beleg.core.nearest import Admitted, Rows

MAX_FILTERS = 1_000
BUCKETS = (0.01, 0.1, 0.5, 1.0)
"""Upper ends of the buckets by the share of rows that a filter admits."""


@dataclass(frozen=True, slots=True, eq=False)
class FilteredQueries:
    """A filter, and the queries that are asked under it."""

    admitted: Admitted
    queries: Rows
    share: float
    """How much of the corpus it admits."""

    @property
    def bucket(self) -> float:
        """The upper end of its bucket of selectivity."""
        return next(end for end in BUCKETS if self.share <= end)


@dataclass(frozen=True, slots=True)
class Filters:
    """All filters of a sweep."""

    each: tuple[FilteredQueries, ...] = ()
    without_rows: int = 0
    """Queries whose tag no row of the corpus bears: there is nothing to find, and nothing is measured."""

    def admitted(self) -> list[Admitted]:
        """What an index must know to filter."""
        return [filtered.admitted for filtered in self.each]


def filters_by_tag(corpus_tags: Sequence[str], query_tags: Sequence[str]) -> Filters:
    """Each query asks among the rows that bear its own tag.

    Raises:
        UsageError: if there are more than `MAX_FILTERS` tags.

    Example:
        >>> found = filters_by_tag(["de", "en", "de"], ["de", "fr"])
        >>> found.each[0].admitted.rows.tolist(), found.each[0].queries.tolist(), found.without_rows
        ([0, 2], [0], 1)
    """
    rows_of, queries_of = _positions(corpus_tags), _positions(query_tags)
    if len(queries_of) > MAX_FILTERS:
        raise UsageError(f"the queries bear {len(queries_of):,} tags, more than {MAX_FILTERS:,}")
    known = [tag for tag in queries_of if tag in rows_of]
    each = tuple(
        FilteredQueries(Admitted(number, tag, rows_of[tag]), queries_of[tag], len(rows_of[tag]) / len(corpus_tags))
        for number, tag in enumerate(known)
    )
    return Filters(each, sum(len(queries) for tag, queries in queries_of.items() if tag not in rows_of))


def filters_by_share(shares: Sequence[float], total: int, queries: int, rng: np.random.Generator) -> Filters:
    """Every query asks under filters that each admit a random share of the rows.

    Raises:
        UsageError: unless every share lies above 0 and below 1.
    """
    for share in shares:
        if not 0.0 < share < 1.0:
            raise UsageError(f"a filter must admit a share between 0 and 1 (found {share:g})")
    each = []
    for number, share in enumerate(dict.fromkeys(shares)):
        count = max(1, round(share * total))
        rows = np.sort(rng.choice(total, count, replace=False)).astype(np.int64)
        named = Admitted(number, f"random {share:g}", rows)
        each.append(FilteredQueries(named, np.arange(queries), count / total))
    return Filters(tuple(each))


def read_tags(path: Path, wanted: int, beside: str) -> list[str]:
    """One tag for each vector.

    Raises:
        UsageError: if there is no such file.
        DataError: if there is not one tag for each vector.
    """
    tags = read_labels(path)
    if len(tags) != wanted:
        raise DataError(
            Problem(
                file=str(path),
                message=f"there are {len(tags):,} tags for the {wanted:,} vectors of {beside}",
                remedy="Write one tag a line, in the order of the vectors",
            )
        )
    return tags


def _positions(tags: Sequence[str]) -> dict[str, Rows]:
    """The positions at which each tag stands, in the order of their first."""
    distinct, first, codes = np.unique(np.array(tags, dtype=object), return_index=True, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(distinct)))
    parts = np.split(order, ends[:-1])
    return {str(distinct[code]): parts[code].astype(np.int64) for code in np.argsort(first)}
