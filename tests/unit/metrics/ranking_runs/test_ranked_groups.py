"""Judgements in groups."""

from __future__ import annotations

from beleg.metrics.ranking_runs.matching import find_hits
from beleg.metrics.ranking_runs.ranked_groups import RankedGroups
from beleg.metrics.ranking_runs.table import table_from_mapping
from unit.metrics.ranking_runs.worked import grouped


def test_a_document_of_several_groups_stands_once_and_every_group_has_its_grade() -> None:
    own = grouped(
        ("q2", "x", "0", "a", 1), ("q1", "x", "0", "b", 2), ("q2", "y", "0", "a", 0), ("q2", "y", "0", "c", 3)
    )  # fmt: skip
    assert own.documents.queries == ("q2", "q1")
    assert [own.documents.documents[row] for row in range(3)] == [b"a", b"c", b"b"]
    assert own.document.tolist() == [0, 2, 0, 1]
    assert own.group_query.tolist() == [0, 0, 1]
    assert own.group.tolist() == [0, 2, 1, 1]


def test_each_group_is_ranked_as_a_query_of_its_own() -> None:
    own = grouped(("q", "x", "0", "a", 1), ("q", "y", "0", "b", 1), ("q", "y", "0", "a", 2), ("p", "x", "0", "a", 1))
    run = table_from_mapping({"q": {"n": 3.0, "b": 2.0, "a": 1.0}})
    ranked = RankedGroups(own, find_hits(own.documents, run))
    hits = ranked.groups.hits
    assert hits.query.tolist() == [0, 1, 1]
    assert hits.rank.tolist() == [3, 2, 3]
    assert hits.grade.tolist() == [1.0, 1.0, 2.0]
    assert hits.returned.tolist() == [3, 3, 0]
    assert ranked.add(ranked.groups.binary(1).total.astype(float)).tolist() == [3.0, 1.0]
