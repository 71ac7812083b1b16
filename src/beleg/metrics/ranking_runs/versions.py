"""Versions of relevance judgements: merge new labels into a set, and tell two sets apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from beleg.core.digest import digest_of_bytes
from beleg.core.errors import MAX_PROBLEMS_SHOWN, DataError, Problem, shown
from beleg.metrics.ranking_runs.pairs import Pairs, Rows, pairs_of
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table

Mask = npt.NDArray[np.bool_]


class OnConflict(StrEnum):
    """What happens to a pair that is labelled differently from what is known."""

    REFUSE = "refuse"
    NEW = "new"
    """The new label counts."""
    MAX = "max"
    """The highest of all grades counts."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgementSet:
    """Distinct pairs with one grade each, by query and document ascending by bytes."""

    pairs: Pairs
    grade: FloatArray

    @classmethod
    def of(cls, table: Table) -> JudgementSet:
        """The pairs of a table, each of which it holds once."""
        pairs = pairs_of([Rows.all_of(table)])
        return cls(pairs, pairs.values(0, table.value)[0])

    def canonical_bytes(self) -> bytes:
        r"""The one form in which a set is written and told from others: four fields with one space between.

        Example:
            >>> from beleg.metrics.ranking_runs.table import table_from_mapping
            >>> JudgementSet.of(table_from_mapping({"q": {"d2": 0.5, "d1": 1.0}})).canonical_bytes()
            b'q 0 d1 1\nq 0 d2 0.5\n'
        """
        queries = [name.encode("utf-8", "surrogatepass") for name in self.pairs.queries]
        names = (self.pairs.documents[number] for number in range(len(self.grade)))
        codes = self.pairs.query.tolist()
        rows = zip(codes, names, self.grade.tolist(), strict=True)
        return b"".join(b"%b 0 %b %b\n" % (queries[code], name, _grade(value)) for code, name, value in rows)

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical bytes: equal for equal judgements, however their files are laid out."""
        return digest_of_bytes(self.canonical_bytes())


def _grade(value: float) -> bytes:
    return repr(int(value) if value.is_integer() else value).encode()


@dataclass(frozen=True, slots=True)
class MergeCounts:
    """What a merge did to pairs."""

    before: int
    after: int
    added: int
    confirmed: int
    """Labelled as they were known."""
    changed: int
    """Known pairs whose grade is another now."""
    conflicting: int
    """Pairs with two different grades, among the labels or against what was known."""


def merge(parent: Table, labels: Table, on_conflict: OnConflict) -> tuple[JudgementSet, MergeCounts]:
    r"""Merges labels into a set of judgements.

    Args:
        parent: what is known, each pair once.
        labels: new grades; a pair may stand there more than once.
        on_conflict: what happens to a pair with two different grades. `OnConflict.NEW` still refuses labels that
            contradict each other, for neither of them is the new one.

    Returns:
        The new set, and what became of the pairs.

    Raises:
        DataError: naming the pairs that conflict, where the policy does not settle them.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> known, new = table_from_mapping({"q": {"d1": 1.0}}), table_from_mapping({"q": {"d1": 2.0, "d2": 0.0}})
        >>> merged, counts = merge(known, new, OnConflict.MAX)
        >>> merged.canonical_bytes(), counts.added, counts.changed
        (b'q 0 d1 2\nq 0 d2 0\n', 1, 1)
    """
    pairs = pairs_of([Rows.all_of(parent), Rows.all_of(labels)])
    old, known = pairs.values(0, parent.value)
    _, labelled = pairs.values(1, labels.value)
    low, high = np.full(len(pairs), np.inf), np.full(len(pairs), -np.inf)
    np.minimum.at(low, pairs.parts[1], labels.value)
    np.maximum.at(high, pairs.parts[1], labels.value)
    is_known, is_labelled = known > 0, labelled > 0
    among_labels = is_labelled & (low != high)
    with_known = is_labelled & is_known & ((low != old) | (high != old))
    refused = {
        OnConflict.REFUSE: among_labels | with_known,
        OnConflict.NEW: among_labels,
        OnConflict.MAX: np.zeros(len(pairs), dtype=np.bool_),
    }[on_conflict]
    if refused.any():
        raise DataError(_conflicts(pairs, refused, (old, is_known), (low, high)))
    kept = high if on_conflict is OnConflict.NEW else np.maximum(high, np.where(is_known, old, -np.inf))
    grade = np.where(is_labelled, kept, old)
    counts = MergeCounts(
        before=len(parent.value),
        after=len(pairs),
        added=int((~is_known).sum()),
        confirmed=int((is_known & is_labelled & ~with_known).sum()),
        changed=int((is_known & (grade != old)).sum()),
        conflicting=int((among_labels | with_known).sum()),
    )
    return JudgementSet(pairs, grade), counts


def _conflicts(
    pairs: Pairs, refused: Mask, known: tuple[FloatArray, Mask], labels: tuple[FloatArray, FloatArray]
) -> Iterator[Problem]:
    places = np.flatnonzero(refused)
    for number, (query, document) in zip(places[: MAX_PROBLEMS_SHOWN + 1], pairs.ids(places), strict=False):
        grades = {labels[0][number], labels[1][number]}
        said = " and ".join(f"{grade:g}" for grade in sorted(grades))
        before = f", known as {known[0][number]:g}" if known[1][number] else ""
        yield Problem(
            message=f"query {shown(query)}, document {shown(document)} is labelled differently",
            field="grade",
            value=f"labelled {said}{before}",
            remedy="Settle the label, or choose --on-conflict new or max",
        )


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """Two sets of judgements, pair by pair."""

    pairs: Pairs
    old: FloatArray
    new: FloatArray
    in_old: Mask
    in_new: Mask

    @property
    def added(self) -> IntArray:
        """Pairs that only the new set has."""
        return np.flatnonzero(self.in_new & ~self.in_old)

    @property
    def removed(self) -> IntArray:
        """Pairs that only the old set has."""
        return np.flatnonzero(self.in_old & ~self.in_new)

    @property
    def shared(self) -> IntArray:
        """Pairs that both have."""
        return np.flatnonzero(self.in_old & self.in_new)

    @property
    def changed(self) -> IntArray:
        """Pairs that both have with different grades, the largest change first."""
        shared = self.shared
        size = np.abs(self.new[shared] - self.old[shared])
        found = shared[np.lexsort((shared, -size))]
        return np.asarray(found[self.new[found] != self.old[found]])


def difference(old: Table, new: Table) -> Difference:
    """Holds two sets of judgements against each other.

    Example:
        >>> from beleg.metrics.ranking_runs.table import table_from_mapping
        >>> found = difference(
        ...     table_from_mapping({"q": {"d1": 1.0, "d2": 0.0}}), table_from_mapping({"q": {"d1": 2.0, "d3": 0.0}}))
        >>> [list(found.pairs.ids(part)) for part in (found.added, found.removed, found.changed)]
        [[('q', 'd3')], [('q', 'd2')], [('q', 'd1')]]
    """
    pairs = pairs_of([Rows.all_of(old), Rows.all_of(new)])
    before, in_old = pairs.values(0, old.value)
    after, in_new = pairs.values(1, new.value)
    return Difference(pairs, before, after, in_old > 0, in_new > 0)
