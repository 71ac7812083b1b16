"""Judgements are merged by a stated policy, told by their content, and compared pair by pair."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping, table_of
from beleg.metrics.ranking_runs.versions import JudgementSet, OnConflict, difference, merge

Grades = dict[str, dict[str, float]]
GRADES = st.dictionaries(
    st.sampled_from(["q1", "q2"]), st.dictionaries(st.sampled_from("abc"), st.sampled_from([-1.0, 0.0, 1.0, 2.5]))
)


def flat(grades: Grades) -> dict[tuple[str, str], float]:
    return {(query, name): value for query, row in grades.items() for name, value in row.items()}


def read(data: bytes) -> dict[tuple[str, str], float]:
    rows = (line.split() for line in data.decode().splitlines())
    return {(query, name): float(grade) for query, _, name, grade in rows}


def labels(*rows: tuple[str, float]) -> Table:
    """Labels of one query, in which a document may stand more than once."""
    return table_of(
        ("q",), np.zeros(len(rows), dtype=np.int32), Names.of(name for name, _ in rows), np.array([g for _, g in rows])
    )


@given(GRADES, GRADES)
def test_new_labels_count_and_the_rest_stays(known: Grades, new: Grades) -> None:
    merged, counts = merge(table_from_mapping(known), table_from_mapping(new), OnConflict.NEW)
    old, fresh = flat(known), flat(new)
    assert read(merged.canonical_bytes()) == old | fresh
    assert counts.added == len(fresh.keys() - old.keys())
    assert counts.changed == counts.conflicting == sum(old[pair] != fresh[pair] for pair in old.keys() & fresh.keys())
    assert counts.confirmed == sum(old[pair] == fresh[pair] for pair in old.keys() & fresh.keys())
    assert (counts.before, counts.after) == (len(old), len(old | fresh))


@given(GRADES, GRADES)
def test_the_highest_grade_counts_whatever_the_order(known: Grades, new: Grades) -> None:
    one = merge(table_from_mapping(known), table_from_mapping(new), OnConflict.MAX)[0]
    other = merge(table_from_mapping(new), table_from_mapping(known), OnConflict.MAX)[0]
    assert one.digest == other.digest


def test_a_pair_that_is_labelled_differently_is_named_and_refused() -> None:
    known = table_from_mapping({"q": {"a": 1.0, "b": 1.0}})
    with pytest.raises(DataError, match=r"document 'a' is labelled differently.*labelled 0, known as 1") as refused:
        merge(known, labels(("a", 0.0), ("b", 1.0), ("c", 2.0)), OnConflict.REFUSE)
    assert len(refused.value.problems) == 1


def test_labels_that_contradict_each_other_are_refused_unless_the_highest_counts() -> None:
    known, new = table_from_mapping({}), labels(("a", 0.0), ("a", 2.0))
    for policy in (OnConflict.REFUSE, OnConflict.NEW):
        with pytest.raises(DataError, match="labelled 0 and 2"):
            merge(known, new, policy)
    merged, counts = merge(known, new, OnConflict.MAX)
    assert (merged.canonical_bytes(), counts.conflicting, counts.changed) == (b"q 0 a 2\n", 1, 0)


def test_the_same_label_twice_is_no_conflict() -> None:
    merged, counts = merge(table_from_mapping({}), labels(("a", 1.0), ("a", 1.0)), OnConflict.REFUSE)
    assert (merged.canonical_bytes(), counts.conflicting) == (b"q 0 a 1\n", 0)


def test_the_digest_is_that_of_the_sorted_lines() -> None:
    shuffled = table_from_mapping({"q2": {"b": 1.0}, "q1": {"\u00e9": 0.0, "z": 3.0}})
    text = "q1 0 z 3\nq1 0 \u00e9 0\nq2 0 b 1\n"
    assert JudgementSet.of(shuffled).digest == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


@given(GRADES, GRADES)
def test_a_difference_names_what_was_added_removed_and_changed(before: Grades, after: Grades) -> None:
    found = difference(table_from_mapping(before), table_from_mapping(after))
    old, new = flat(before), flat(after)
    assert set(found.pairs.ids(found.added)) == new.keys() - old.keys()
    assert set(found.pairs.ids(found.removed)) == old.keys() - new.keys()
    changed = list(found.pairs.ids(found.changed))
    assert set(changed) == {pair for pair in old.keys() & new.keys() if old[pair] != new[pair]}
    sizes = [abs(old[pair] - new[pair]) for pair in changed]
    assert sizes == sorted(sizes, reverse=True)
