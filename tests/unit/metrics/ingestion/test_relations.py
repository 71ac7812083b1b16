"""Relations: bounds, types, direction, and no relation found twice."""

from __future__ import annotations

import pytest

from beleg.core.score import ScoreStatus
from beleg.metrics.ingestion.relations import End, Relation, relation_scores

ANNA, FIRM, TOWN = End(start=0, end=4, type="PER"), End(start=9, end=12, type="ORG"), End(start=20, end=24, type="LOC")


def relation(head: End, label: str, tail: End, document: str = "d") -> Relation:
    return Relation(document=document, label=label, head=head, tail=tail)


def test_strict_needs_types_and_boundaries_do_not() -> None:
    gold = [relation(ANNA, "works_for", FIRM)]
    found = [relation(ANNA, "works_for", End(start=9, end=12, type="LOC"))]
    assert relation_scores(gold, found).overall.f_score().value == 0
    assert relation_scores(gold, found, "boundaries").overall.f_score().value == 1


@pytest.mark.parametrize(
    "found",
    [
        relation(FIRM, "works_for", ANNA),
        relation(ANNA, "owns", FIRM),
        relation(ANNA, "works_for", FIRM, document="e"),
        relation(ANNA, "works_for", End(start=9, end=11, type="ORG")),
    ],
)
def test_direction_label_document_and_bounds_count(found: Relation) -> None:
    assert relation_scores([relation(ANNA, "works_for", FIRM)], [found], "boundaries").overall.correct == 0


def test_only_declared_labels_are_symmetric() -> None:
    gold = [relation(ANNA, "near", TOWN), relation(FIRM, "in", TOWN)]
    turned = [relation(TOWN, "near", ANNA), relation(TOWN, "in", FIRM)]
    told = relation_scores(gold, turned, symmetric={"near"})
    assert (told.by_type["near"].correct, told.by_type["in"].correct) == (1, 0)
    assert told.macro_f_score().value == 0.5


def test_the_same_relation_twice_is_one_find_and_one_too_many() -> None:
    gold = [relation(ANNA, "works_for", FIRM), relation(FIRM, "in", TOWN)]
    counts = relation_scores(gold, [gold[0], gold[0]]).overall
    assert (counts.correct, counts.missed, counts.spurious) == (1, 1, 1)
    assert counts.precision().value == counts.recall().value == 0.5


def test_without_relations_there_is_no_figure() -> None:
    assert relation_scores([], []).overall.f_score().status is ScoreStatus.NOT_APPLICABLE
