"""Recorded predicates against labels and metadata; what is not recorded is not known."""

from __future__ import annotations

import pytest

from beleg.core.filter_test import FieldValues, QueryPredicates
from beleg.metrics.ranking_runs.filtering import NO, UNKNOWN, YES
from beleg.metrics.ranking_runs.predicates import admitted_values, quality_of, survival
from beleg.metrics.retrieval.filters import predicate_scores


def row(
    query: str, applied: dict[str, FieldValues] | None, expected: dict[str, FieldValues] | None = None
) -> tuple[str, QueryPredicates]:
    return query, QueryPredicates(query_id=query, applied=applied, expected=expected)


def test_a_document_passes_where_one_of_the_values_is_its_own() -> None:
    rows = dict([row("q1", {"locale": ("en-US", "en-GB")}), row("q2", {"locale": "de-DE"}), row("q3", {"year": 2024})])
    known = {"d": {"locale": "en-GB"}}
    assert survival([(query, "d") for query in rows], rows, known, "locale").tolist() == [YES, NO, YES]


def test_an_empty_list_of_values_lets_nothing_pass_and_no_predicate_lets_everything_pass() -> None:
    rows = dict([row("empty", {"locale": ()}, {}), row("none", {}, {})])
    found = survival([(query, "d") for query in rows], rows, {"d": {"locale": "de"}}, "locale")
    assert found.tolist() == [NO, YES]
    assert quality_of(rows, "locale").wrong == {"empty"}


@pytest.mark.parametrize(
    ("applied", "metadata"), [(None, {"locale": "de"}), ({"locale": "de"}, {}), ({"locale": "de"}, {"tenant": "acme"})]
)
def test_what_was_not_recorded_is_unknown(applied: dict[str, FieldValues] | None, metadata: dict[str, str]) -> None:
    rows = dict([row("q", applied)])
    assert survival([("q", "d")], rows, {"d": metadata}, "locale").tolist() == [UNKNOWN]
    assert survival([("absent", "d")], rows, {"d": metadata}, "locale").tolist() == [UNKNOWN]


def test_values_are_told_apart_as_json_writes_them() -> None:
    rows = dict([row("q", {"public": True})])
    known = {"d1": {"public": True}, "d2": {"public": 1}, "d3": {"public": "true"}}
    assert survival([("q", "d1"), ("q", "d2"), ("q", "d3")], rows, known, "public").tolist() == [YES, NO, NO]
    assert admitted_values({"year": 2024.0}, "year") == admitted_values({"year": 2024}, "year")


def test_precision_and_recall_of_predicates_are_those_of_single_queries() -> None:
    rows = dict([row("q", {"locale": ("en-US", "de-DE")}, {"locale": ("en-US", "en-GB", "fr-FR")})])
    found = quality_of(rows, "locale")
    precision, recall = predicate_scores(
        [("locale", "en-US"), ("locale", "de-DE")], [("locale", "en-US"), ("locale", "en-GB"), ("locale", "fr-FR")]
    )
    assert sum(right for _, right in found.applied) / len(found.applied) == precision.value
    assert sum(right for _, right in found.expected) / len(found.expected) == recall.value


def test_a_filter_left_out_or_put_in_is_wrong_and_unlabelled_queries_do_not_count() -> None:
    rows = dict(
        [
            row("right", {"locale": "de"}, {"locale": "de"}),
            row("left out", {}, {"locale": "de"}),
            row("put in", {"locale": "de"}, {}),
            row("none", {}, {}),
            row("unlabelled", {"locale": "de"}),
            row("not recorded", None, {"locale": "de"}),
        ]
    )
    found = quality_of(rows, "locale")
    assert (found.labelled, found.wrong) == (4, {"left out", "put in"})
    assert found.applied == (("right", 1), ("put in", 0))
    assert found.expected == (("right", 1), ("left out", 0))
