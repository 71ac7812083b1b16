from __future__ import annotations

import time

import pytest

from beleg.text.facts import EvidenceFacts, facts_of, mismatches


def test_facts_are_told_apart_by_their_unit() -> None:
    facts = facts_of("5 % of 30 days cost $4 since March 4, 2024, not more; ask NASA.", "en")
    assert [str(found) for found in facts.percentages] == ["5 %"]
    assert [str(found) for found in facts.durations] == ["30 days"]
    assert [str(found) for found in facts.money] == ["4"]
    assert [str(found) for found in facts.dates] == ["2024-03-04"]
    assert [found.text for found in facts.names] == ["NASA"]
    assert len(facts.negations) == 1


@pytest.mark.parametrize(
    ("claim", "evidence", "language"),
    [
        ("Der Versand kostet 4,90 €.", "Shipping is EUR 4.90.", "de"),
        ("Shipping costs 1,234.56 euros.", "Der Versand kostet 1.234,56 €.", "en"),
        ("Die Frist beträgt dreißig Tage.", "A 30-day period applies.", "de"),
        ("It started on March 4, 2024.", "Es begann am 4. März 2024.", "en"),
        ("5 Prozent der Kunden", "5% of customers", "de"),
    ],
)
def test_one_fact_in_two_languages_is_one_fact(claim: str, evidence: str, language: str) -> None:
    assert mismatches(claim, evidence, language) == ()


def test_each_kind_of_mismatch_has_its_reason() -> None:
    evidence = "Anne Frank paid 30 euros on March 4, 2024. The plan covers water damage."
    claim = "Laura Smith paid 60 euros on March 5, 2024. Here the plan does not cover water damage."
    assert [reason.partition(":")[0] for reason in mismatches(claim, evidence, "en")] == [
        "number",
        "date",
        "negation",
        "entity",
    ]
    assert mismatches("It was Laura Smith.", evidence, "en") == ("entity: Laura Smith is not in the evidence",)


def test_a_single_german_name_is_not_seen() -> None:
    """The blind spot: in German a capital is no sign of a name."""
    assert mismatches("Der Sitz ist in Hamburg.", "Der Sitz ist in Berlin.", "de") == ()


def test_swapped_roles_are_not_seen() -> None:
    assert mismatches("So the Franks beat the Goths.", "So the Goths beat the Franks.", "en") == ()


@pytest.mark.parametrize("text", ["It is not 5 days for Laura.", "Nur sT\u0301 am 4. März", "T4½K3"])
def test_a_text_never_differs_from_itself(text: str) -> None:
    assert mismatches(text, text, "en") == mismatches(text, text, "de") == mismatches(text, text) == ()


def test_the_order_of_claims_does_not_matter() -> None:
    """Each kind of fact of the evidence is read at the first claim that needs it."""
    evidence = "Anne Frank paid 30 euros on March 4, 2024. The plan does not cover water damage."
    claims = ["The plan covers water damage.", "It was Laura Smith.", "She paid 60 euros.", "It was March 5.", "Yes."]
    alone = [mismatches(claim, evidence, "en") for claim in claims]
    assert [len(reasons) for reasons in alone] == [1, 1, 1, 1, 0]
    for shift in range(len(claims)):
        order = [*range(shift, len(claims)), *range(shift)]
        facts = EvidenceFacts(evidence)
        assert [facts.mismatches(claims[at], "en") for at in order] == [alone[at] for at in order]


def test_evidence_that_is_empty_carries_nothing() -> None:
    assert mismatches("It takes 5 days.", "", "en") == ("number: 5 days is not in the evidence",)
    assert mismatches("", "It takes 5 days.", "en") == ()


def test_one_evidence_answers_many_claims() -> None:
    evidence = EvidenceFacts("It takes 5 days.")
    assert [bool(evidence.mismatches(f"It takes {days} days.", "en")) for days in range(4, 7)] == [True, False, True]


@pytest.mark.parametrize(
    "unit",
    ["1.", "1,1", "1:", "a-", "A", "A ", "not ", "März ", "1. ", "((", "twenty ", "1 000 ", "’", "-5 ", "passage 1, ",
     "Aa Bb ", "x\n", "$ 1", "zwei", "1/1/"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        begin = time.process_time()
        EvidenceFacts(text).mismatches("It is not 5 days for NASA.", "en")
        facts_of(text, "de")
        return time.process_time() - begin

    limit = 20 * max(seconds(6_000), 0.02)
    # One try may be hit by a collection of the garbage that other tests left; what is not linear fails in all.
    assert any(seconds(24_000) < limit for _ in range(3))


def test_reasons_are_capped() -> None:
    assert len(mismatches(" ".join(f"{number} days." for number in range(100, 300)), "none", "en")) == 50
