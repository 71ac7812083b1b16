from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, Principal
from beleg.core.inventory import Inventory
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from unit.metrics.building import case, citation, entitlement, inventory, listed, passage, trace

ACME = Principal(tenant="acme", entitlements=("public", "pro"))
FORBIDDEN = case(forbidden_sources=("secret",))
SECRET = inventory(
    {"secret": "x", "open": "y"},
    {
        "secret#0": ("secret", "Staff may waive any fee up to 50 euros."),
        "s1": ("secret", "PIN 4711"),
        "o": ("open", "Free"),
    },
)


def leaks(a_case: Case, metric: str = "entitlement_leak", known: Inventory | None = None, **output: Any) -> Score:
    return compute([metric], Batch.of([a_case], [trace(**output)], inventory=known))[metric].score_at(0)


@pytest.mark.parametrize(
    ("metadata", "count"),
    [
        ({"tenant": "acme"}, 0),
        ({"tenant": "shared"}, 0),
        ({"tenant": "globex"}, 1),
        ({"tenant": "acme", "entitlement": "pro"}, 0),
        ({"tenant": "acme", "entitlement": "staff"}, 1),
        ({"entitlement": "public"}, 0),
    ],
)
def test_tenant_and_entitlement_must_be_the_principals_where_the_metadata_has_them(
    metadata: dict[str, str], count: int
) -> None:
    assert leaks(case(principal=ACME), retrieved=(passage("d", metadata=metadata),)).value == count
    from_inventory = inventory({"d": "x"}, metadata={"d": metadata})
    assert leaks(case(principal=ACME), known=from_inventory, retrieved=listed("d")).value == count


def test_a_recorded_entitlement_predicate_must_admit_the_document() -> None:
    region = (entitlement("region", "de", "at"),)
    assert leaks(case(), retrieved=(passage("d", metadata={"region": "ch"}),), filters=region).value == 1
    assert leaks(case(), retrieved=(passage("d", metadata={"region": "at"}),), filters=region).value == 0


def test_the_inventory_and_the_passage_are_both_heard() -> None:
    lying = passage("d", metadata={"tenant": "acme"})
    truth = inventory({"d": "x"}, metadata={"d": {"tenant": "globex"}})
    assert leaks(case(principal=ACME), known=truth, retrieved=(lying,)).value == 1
    stale = inventory({"d": "x"}, metadata={"d": {"tenant": "acme"}})
    assert leaks(case(principal=ACME), known=stale, retrieved=(passage("d", metadata={"tenant": "globex"}),)).value == 1


@pytest.mark.parametrize("metric", ["entitlement_leak", "forbidden_passages"])
@pytest.mark.parametrize(
    "output",
    [
        {"retrieved": listed("secret")},
        {"retrieved": listed("open"), "reranked": listed("secret", "open")},
        {"delivered": listed("secret")},
        {"citations": (citation(document_id="secret"),)},
        {"citations": (citation(passage_id="secret#0"),)},
        {"prompt": "Context:\n[1] Staff may waive any  fee up to 50 euros.\n\nQuestion: fee?"},
        {"prompt": "(PIN 4711)"},
    ],
)
def test_a_forbidden_source_is_found_wherever_it_stands(metric: str, output: dict[str, Any]) -> None:
    assert leaks(FORBIDDEN, metric, SECRET, **output).value == 1


@pytest.mark.parametrize("metric", ["entitlement_leak", "forbidden_passages"])
def test_a_passage_counts_once_however_often_it_stands(metric: str) -> None:
    everywhere = leaks(
        FORBIDDEN,
        metric,
        SECRET,
        retrieved=listed("secret", "open"),
        delivered=listed("secret"),
        prompt="Staff may waive any fee up to 50 euros. PIN 4711",
        citations=(citation(passage_id="secret#0", document_id="secret"), citation("2", document_id="secret")),
    )
    assert (everywhere.value, everywhere.detail) == (2.0, "of secret")


def test_part_of_another_number_or_word_is_no_text_in_the_prompt() -> None:
    assert leaks(FORBIDDEN, "forbidden_passages", SECRET, prompt="The PIN 47112 and Freedom").value == 0


def test_a_restricted_principal_and_silent_metadata_leave_the_question_open() -> None:
    silent = leaks(case(principal=ACME), retrieved=listed("d"))
    assert silent == Score.without(ScoreStatus.MISSING, "whether the principal may see 'd' was not recorded")
    proven = (passage("e", metadata={"tenant": "globex"}), passage("d"))
    assert leaks(case(principal=ACME), retrieved=proven).value == 1
    assert leaks(case(), retrieved=listed("d")).value == 0
    assert leaks(case(principal=ACME)).value == 0


def test_a_cited_document_that_the_inventory_does_not_know_shows_nothing() -> None:
    invented = {"citations": (citation(document_id="invented"), citation("2"))}
    assert leaks(case(principal=ACME), known=SECRET, **invented).value == 0
    assert leaks(case(principal=ACME), **invented).status is ScoreStatus.MISSING
    forbidden = case(principal=ACME, forbidden_sources=("invented",))
    assert leaks(forbidden, known=SECRET, **invented).value == 1


def test_forbidden_passages_looks_only_at_what_the_case_forbids() -> None:
    foreign = (passage("d", metadata={"tenant": "globex"}),)
    assert leaks(case(principal=ACME), "forbidden_passages", retrieved=foreign).value == 0
