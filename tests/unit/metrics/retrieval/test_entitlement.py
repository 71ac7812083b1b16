from __future__ import annotations

from typing import Any

import pytest

from beleg.core.case import Case, Principal
from beleg.core.inventory import Inventory
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch, Row
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
        ({"tenant": "acme", "entitlement": "public"}, 0),
        ({"tenant": "shared", "entitlement": "public"}, 0),
        ({"tenant": "globex"}, 1),
        ({"tenant": "acme", "entitlement": "pro"}, 0),
        ({"tenant": "acme", "entitlement": "staff"}, 1),
        ({"entitlement": "staff"}, 1),
    ],
)
def test_tenant_and_entitlement_must_be_the_principals_where_the_metadata_has_them(
    metadata: dict[str, str], count: int
) -> None:
    assert leaks(case(principal=ACME), retrieved=(passage("d", metadata=metadata),)).value == count
    from_inventory = inventory({"d": "x"}, metadata={"d": metadata})
    assert leaks(case(principal=ACME), known=from_inventory, retrieved=listed("d")).value == count


@pytest.mark.parametrize("metadata", [{"tenant": "acme"}, {"tenant": "shared"}, {"entitlement": "public"}])
def test_partial_metadata_is_no_permission_and_a_whole_inventory_is(metadata: dict[str, str]) -> None:
    shown = (passage("d", metadata=metadata),)
    assert leaks(case(principal=ACME), retrieved=shown).status is ScoreStatus.MISSING
    from_inventory = inventory({"d": "x"}, metadata={"d": metadata})
    assert leaks(case(principal=ACME), known=from_inventory, retrieved=shown).value == 0


def test_an_inventory_in_which_no_document_names_access_says_nothing() -> None:
    silent = inventory({"d": "x"}, metadata={"d": {"locale": "de"}})
    assert leaks(case(principal=ACME), known=silent, retrieved=listed("d")).status is ScoreStatus.MISSING
    assert leaks(case(), known=silent, retrieved=listed("d")).value == 0
    speaking = inventory({"d": "x", "e": "y"}, metadata={"e": {"entitlement": "staff"}})
    assert leaks(case(principal=ACME), known=speaking, retrieved=listed("d")).value == 0
    by_region = inventory({"d": "x", "e": "y"}, metadata={"d": {"region": "at"}})
    region = (entitlement("region", "at"),)
    assert leaks(case(principal=ACME), known=by_region, retrieved=listed("d"), filters=region).value == 0


def test_a_refused_region_is_a_leak_even_where_the_tenant_is_not_known() -> None:
    region = (entitlement("region", "at"),)
    shown = (passage("d", metadata={"region": "ch"}),)
    assert leaks(case(principal=ACME), retrieved=shown, filters=region).value == 1


TWO = inventory(
    {"globex-plan": "x", "page": "y"},
    {
        "g0": (
            "globex-plan",
            "The merger is to be announced on 3 May and must stay secret until then, says the board.",
        ),
        "g1": ("globex-plan", "Imprint"),
        "p0": ("page", "Imprint and contact"),
    },
    metadata={"globex-plan": {"tenant": "globex"}, "page": {"tenant": "acme"}},
)


@pytest.mark.parametrize(
    "output",
    [
        {"retrieved": (passage("page", passage_id="g0"),)},
        {"citations": (citation(passage_id="g0", document_id="page"),)},
        {"citations": (citation(passage_id="p0", document_id="globex-plan"),)},
        {"answer": "The merger is to be announced on 3 May and must stay secret until then, says the board."},
        {"answer": "the merger is to be announced on 3 May, and must stay secret"},
        {"query_rewrites": ("merger is to be announced on 3 May and must stay secret until then",)},
        {"prompt": r'{"context": "The merger is to be announced\non 3 May and must stay secret until then"}'},
    ],
)
def test_a_hidden_document_is_found_under_another_name_and_in_every_text(output: dict[str, Any]) -> None:
    found = leaks(case(principal=ACME), known=TWO, **output)
    assert (found.value, found.detail) == (1.0, "of globex-plan")


def test_words_of_the_asker_and_of_an_open_passage_are_no_leak() -> None:
    words = "merger is to be announced on 3 May and must stay secret until then"
    asked = Case(case_id="c1", principal=ACME, user_input=f"Is it true that the {words}?")
    assert leaks(asked, known=TWO, prompt=f"Question: Is it true that the {words}?").value == 0
    shown = (passage("page", passage_id="p0"),)
    assert leaks(case(principal=ACME), known=TWO, delivered=shown, prompt="Imprint and contact").value == 0
    assert leaks(case(principal=ACME), known=TWO, prompt="Imprint and contact").value == 1


def test_a_run_of_words_that_an_open_document_holds_too_is_no_leak() -> None:
    terms = "Returned goods must be complete, clean and in the box in which they were sent"
    both = inventory(
        {"a": "x", "g": "y"},
        {"a0": ("a", f"Acme. {terms}."), "g0": ("g", f"Globex. {terms}.")},
        metadata={"a": {"tenant": "acme"}, "g": {"tenant": "globex"}},
    )
    assert leaks(case(principal=ACME), known=both, answer=f"{terms}.").value == 0
    assert leaks(case(principal=ACME), known=both, answer=f"Globex. {terms}.").value == 1


def test_the_metadata_of_a_long_list_is_merged_once_for_all_passages() -> None:
    many = tuple(passage(f"d{n}", metadata={"tenant": "acme", "entitlement": "public"}) for n in range(2_000))
    run = Batch.of([case(principal=ACME)], [trace(retrieved=many, reranked=many)])
    (row,) = run.rows
    assert isinstance(row, Row)
    assert run.metadata(row, "d7") is run.metadata(row, "d7")
    assert compute(["entitlement_leak"], run)["entitlement_leak"].score_at(0).value == 0


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
