from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, Principal
from beleg.core.trace import FilterPredicate, Trace, TraceStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.retrieval.exclusions import excluding_fields
from unit.metrics.building import broken, case, entitlement, gold, inventory, listed, relevance, trace

DOCUMENTS: dict[str, dict[str, Any]] = {
    "swiss": {"tenant": "acme", "locale": "de-CH", "product": "tent", "year": 2026},
    "german": {"tenant": "acme", "locale": "de-DE", "product": "boat", "year": 2026},
    "rival": {"tenant": "globex", "locale": "de-CH", "product": "tent", "year": 2026},
}
ACME = Principal(tenant="acme")
KNOWN = inventory(dict.fromkeys(DOCUMENTS, "x"), metadata=DOCUMENTS)

SWISS_ONLY = relevance("locale", "de-CH")
GERMAN_ONLY = relevance("locale", "de-DE")
TENTS_ONLY = relevance("product", "tent")
BOATS_ONLY = relevance("product", "boat")


def asking(*documents: str, case_id: str = "c1", **fields: Any) -> Case:
    return case(*(gold(name) for name in documents), case_id=case_id, principal=ACME, **fields)


def hiding(a_case: Case, *filters: FilterPredicate) -> dict[str, tuple[str, ...]]:
    return excluding_fields(Batch.of([a_case], [trace(a_case.case_id, filters=filters)], inventory=KNOWN))


def test_the_field_whose_filter_removes_the_gold_is_named() -> None:
    assert hiding(asking("german"), SWISS_ONLY) == {"locale": ("c1",)}


def test_a_filter_that_lets_any_gold_through_hides_nothing() -> None:
    assert hiding(asking("german", "swiss"), SWISS_ONLY) == {}
    assert hiding(asking("german"), GERMAN_ONLY, relevance("year", 2026)) == {}  # type: ignore[arg-type]


def test_each_field_that_removes_all_gold_by_itself_is_named_by_itself() -> None:
    assert hiding(asking("german"), SWISS_ONLY, TENTS_ONLY) == {"locale": ("c1",), "product": ("c1",)}


@pytest.mark.parametrize("filters", [(SWISS_ONLY, BOATS_ONLY), (BOATS_ONLY, SWISS_ONLY)])
def test_two_fields_that_remove_all_gold_only_together_are_named_together(
    filters: tuple[FilterPredicate, ...],
) -> None:
    """One removes the German document, the other the Swiss one; the name does not depend on who filtered first."""
    assert hiding(asking("german", "swiss"), *filters) == {"locale+product": ("c1",)}


def test_a_field_that_removed_nothing_is_not_named_with_those_that_did() -> None:
    found = hiding(asking("german", "swiss"), SWISS_ONLY, BOATS_ONLY, relevance("year", 2026))  # type: ignore[arg-type]
    assert found == {"locale+product": ("c1",)}


def test_several_predicates_on_one_field_are_one_field() -> None:
    assert hiding(asking("german", "swiss"), SWISS_ONLY, GERMAN_ONLY) == {"locale": ("c1",)}


def test_a_soft_predicate_only_moves_documents_and_is_never_named() -> None:
    assert hiding(asking("german"), relevance("locale", "de-CH", hard=False)) == {}
    assert hiding(asking("german"), relevance("locale", "de-CH", hard=False), TENTS_ONLY) == {"product": ("c1",)}


def test_an_entitlement_filter_is_no_relevance_filter() -> None:
    assert hiding(asking("german"), entitlement("locale", "de-CH")) == {}


def test_gold_that_the_caller_may_not_see_was_not_hidden_from_him() -> None:
    assert hiding(asking("rival"), GERMAN_ONLY) == {}
    assert hiding(asking("rival", "german"), SWISS_ONLY) == {"locale": ("c1",)}
    assert hiding(asking("german", forbidden_sources=("german",)), SWISS_ONLY) == {}


def test_a_case_counts_once_whatever_the_number_of_repeats_and_in_suite_order() -> None:
    cases = [asking("german", case_id=name) for name in ("b", "a", "b", "a")]
    traces = [trace(each.case_id, filters=(SWISS_ONLY,)) for each in cases]
    assert excluding_fields(Batch.of(cases, traces, inventory=KNOWN)) == {"locale": ("b", "a")}


@pytest.mark.parametrize(
    "attempt",
    [trace(), trace(filters=()), broken(TraceStatus.TIMEOUT), None],
    ids=["filters not recorded", "no filter", "timeout", "no trace"],
)
def test_nothing_is_said_where_nothing_was_recorded(attempt: Trace | None) -> None:
    assert excluding_fields(Batch.of([asking("german")], [attempt], inventory=KNOWN)) == {}


def test_nothing_is_said_where_the_metadata_of_the_gold_is_not_known() -> None:
    a_case = asking("german")
    found = Batch.of([a_case], [trace(filters=(SWISS_ONLY,), retrieved=listed("swiss"))])
    assert excluding_fields(found) == {}


def test_the_cases_named_are_those_that_the_metric_counts() -> None:
    cases = [asking(*names, case_id=f"c{place}") for place, names in enumerate(
        [("german",), ("swiss",), ("german", "swiss"), ("rival",), ("rival", "german")]
    )]  # fmt: skip
    batch = Batch.of(cases, [trace(each.case_id, filters=(SWISS_ONLY,)) for each in cases], inventory=KNOWN)
    column = compute(["false_exclusion"], batch)["false_exclusion"]
    counted = tuple(each.case_id for row, each in enumerate(cases) if column.score_at(row).value == 1.0)
    assert excluding_fields(batch) == {"locale": counted} == {"locale": ("c0", "c4")}
