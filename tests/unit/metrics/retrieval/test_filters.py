from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, ExpectedFilter, Principal
from beleg.core.errors import EvidenceError
from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import FilterOp, FilterPredicate
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.retrieval.filters import FilteredQuery, false_exclusion_rate, predicate_scores
from unit.metrics.building import case, entitlement, gold, inventory, listed, passage, relevance, trace

DOCUMENTS = {
    "d1": {"tenant": "acme", "locale": "en-US"},
    "d2": {"tenant": "acme", "locale": "en-GB"},
    "d3": {"tenant": "globex", "locale": "en-US"},
    "d4": {"tenant": "acme", "locale": "en-US"},
    "d5": {"tenant": "acme", "locale": "de-DE"},
    "d6": {"tenant": "acme", "locale": "fr-FR"},
}
# Part 5 of the article: query, gold, predicate.
ARTICLE = [("q1", "d2", "locale", "en-US"), ("q2", "d4", "tenant", "acme"), ("q3", "d6", "locale", "en-US"),
           ("q4", "d5", "locale", "de-DE")]  # fmt: skip


def query(name: str, document: str, field: str, value: str) -> FilteredQuery:
    return FilteredQuery(name, frozenset({document}), lambda metadata: metadata[field] == value)


def test_the_worked_example_of_the_article() -> None:
    eligible = {name: fields for name, fields in DOCUMENTS.items() if fields["tenant"] == "acme"}
    assert sorted(eligible) == ["d1", "d2", "d4", "d5", "d6"]
    assert false_exclusion_rate([query(*row) for row in ARTICLE], eligible) == (0.5, 4, ("q1", "q3"))


def test_the_older_example_of_the_companion() -> None:
    rows = [("q1", "d2", "locale", "en-US"), ("q2", "d4", "tenant", "acme"), ("q3", "d3", "tenant", "acme"),
            ("q4", "d5", "locale", "de-DE")]  # fmt: skip
    everything = {name: DOCUMENTS[name] for name in ("d1", "d2", "d3", "d4", "d5")}
    assert false_exclusion_rate([query(*row) for row in rows], everything) == (0.5, 4, ("q1", "q3"))


def test_gold_that_the_caller_may_not_see_is_no_false_exclusion() -> None:
    both = FilteredQuery("q", frozenset({"private", "public"}), lambda metadata: metadata["x"] == 1)
    assert false_exclusion_rate([both], {"public": {"x": 1}}).rate == 0.0


def test_a_rate_over_nothing_is_missing_evidence() -> None:
    with pytest.raises(EvidenceError, match="no query has gold that its caller may see"):
        false_exclusion_rate([query("q1", "d3", "locale", "en-US")], {})


def batch(a_case: Case, **output: Any) -> Batch:
    known = inventory(dict.fromkeys(DOCUMENTS, "x"), metadata=DOCUMENTS)
    return Batch.of([a_case], [trace(a_case.case_id, **output)], inventory=known)


def measured(metric: str, a_batch: Batch) -> Score:
    return compute([metric], a_batch)[metric].score_at(0)


def test_the_article_again_over_traces_with_recall_over_the_original_gold() -> None:
    acme = Principal(tenant="acme")
    cases = [case(gold(document), case_id=name, principal=acme) for name, document, _, _ in ARTICLE]
    survivors = [
        listed(*(name for name, fields in DOCUMENTS.items() if fields["tenant"] == "acme" and fields[field] == value))
        for _, _, field, value in ARTICLE
    ]
    traces = [
        trace(name, retrieved=found, filters=(entitlement("tenant", "acme"), relevance(field, value)))
        for (name, _, field, value), found in zip(ARTICLE, survivors, strict=True)
    ]
    run = Batch.of(cases, traces, inventory=inventory(dict.fromkeys(DOCUMENTS, "x"), metadata=DOCUMENTS))
    columns = compute(["false_exclusion", "document_exclusion", "eligible_recall@10", "recall@10"], run)
    assert [column.values.mean() for column in columns.values()] == [0.5, 0.5, 0.5, 0.5]
    assert columns["false_exclusion"].values.tolist() == [1.0, 0.0, 1.0, 0.0]


ACME = Principal(tenant="acme")


def test_one_surviving_gold_document_is_no_false_exclusion_and_shows_in_the_share() -> None:
    run = batch(case(gold("d1"), gold("d2"), gold("d3"), principal=ACME), filters=(relevance("locale", "en-US"),))
    assert measured("false_exclusion", run).value == 0.0
    # d3 belongs to another tenant, so the share is over d1 and d2.
    assert measured("document_exclusion", run).value == 0.5


@pytest.mark.parametrize("metric", ["false_exclusion", "document_exclusion"])
def test_what_leaves_the_denominator_and_what_is_missing(metric: str) -> None:
    hard = (relevance("locale", "en-US"),)
    assert measured(metric, batch(case(principal=ACME), filters=hard)).status is ScoreStatus.NOT_APPLICABLE
    assert measured(metric, batch(case(gold("d3"), principal=ACME), filters=hard)).status is ScoreStatus.NOT_APPLICABLE
    silent = measured(metric, batch(case(gold("d1"), principal=ACME)))
    assert silent == Score.without(ScoreStatus.MISSING, "filters were not recorded")
    assert measured(metric, batch(case(gold("d2"), principal=ACME), filters=())).value == 0.0
    soft = (relevance("locale", "en-US", hard=False),)
    assert measured(metric, batch(case(gold("d2"), principal=ACME), filters=soft)).value == 0.0
    unknown = batch(case(gold("elsewhere"), principal=ACME), filters=hard)
    assert measured(metric, unknown).detail == "the metadata of a gold document was not recorded"


def test_an_entitlement_filter_makes_gold_ineligible_and_never_counts_as_exclusion() -> None:
    run = batch(case(gold("d1"), principal=ACME), filters=(entitlement("locale", "de-DE"), relevance("tenant", "acme")))
    assert measured("false_exclusion", run).status is ScoreStatus.NOT_APPLICABLE


def test_metadata_may_come_from_the_passages() -> None:
    found = passage("d1", metadata={"locale": "de-DE"})
    run = Batch.of([case(gold("d1"))], [trace(retrieved=(found,), filters=(relevance("locale", "en-US"),))])
    assert measured("false_exclusion", run).status is ScoreStatus.MISSING
    found = passage("d1", metadata={"locale": "de-DE", "tenant": "acme", "entitlement": "public"})
    run = Batch.of(
        [case(gold("d1"), principal=ACME)], [trace(retrieved=(found,), filters=(relevance("locale", "en-US"),))]
    )
    assert measured("false_exclusion", run).value == 1.0


def test_recall_of_eligible_gold_names_its_gaps() -> None:
    hidden = batch(case(gold("d3"), principal=ACME), retrieved=listed("d3"))
    assert measured("eligible_recall@5", hidden).status is ScoreStatus.NOT_APPLICABLE
    half = batch(case(gold("d1"), gold("d2"), gold("d3"), principal=ACME), retrieved=listed("d9", "d1"))
    assert measured("eligible_recall@2", half).value == 0.5
    assert measured("eligible_recall@1", half).value == 0.0
    assert measured("eligible_recall@1(stage=reranked)", half).status is ScoreStatus.MISSING
    twice = batch(case(gold("d1"), principal=ACME), retrieved=listed("d1", "d1"))
    assert measured("eligible_recall@1", twice).status is ScoreStatus.INVALID
    assert measured("eligible_recall@1", batch(case(principal=ACME))).status is ScoreStatus.NOT_APPLICABLE
    assert measured("eligible_recall@1", batch(case(gold("d9"), principal=ACME))).status is ScoreStatus.MISSING


def test_predicates_are_compared_as_pairs() -> None:
    predicted, right = [("tenant", "acme"), ("locale", "en-US")], [("tenant", "globex"), ("locale", "en-US")]
    assert [score.value for score in predicate_scores(predicted, right)] == [0.5, 0.5]
    assert [score.value for score in predicate_scores(right, right)] == [1.0, 1.0]


def test_an_empty_denominator_of_predicates_is_no_zero() -> None:
    pair = [("locale", "de")]
    assert [score.status for score in predicate_scores([], [])] == [ScoreStatus.NOT_APPLICABLE] * 2
    precision, recall = predicate_scores([], pair)
    assert (precision.status, recall.value) == (ScoreStatus.NOT_APPLICABLE, 0.0)
    precision, recall = predicate_scores(pair, [])
    assert (precision.value, recall.status) == (0.0, ScoreStatus.NOT_APPLICABLE)


def test_predicates_of_a_trace_are_the_relevance_predicates_with_all_their_values() -> None:
    any_of = FilterPredicate(
        kind=relevance("x", "y").kind, field="year", op=FilterOp.ANY_OF, values=(2025, 2026, True, None)
    )
    expected = (ExpectedFilter(field="year", value="2026"), ExpectedFilter(field="locale", value="de"))
    run = batch(case(expected_filters=expected), filters=(any_of, entitlement("tenant", "acme")))
    assert measured("predicate_precision", run).value == pytest.approx(1 / 4)
    assert measured("predicate_recall", run).value == 0.5
    assert measured("predicate_recall", batch(case(), filters=())).status is ScoreStatus.NOT_APPLICABLE
    assert measured("predicate_recall", batch(case(expected_filters=expected))).status is ScoreStatus.MISSING
