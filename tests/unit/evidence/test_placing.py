"""Restated claims go back onto the words of the answer, or nowhere."""

from __future__ import annotations

from beleg.core.findings import ClaimFinding, Support
from beleg.core.trace import Output
from beleg.evidence.claims import wording
from beleg.evidence.placing import Placement, place_claims
from beleg.metrics.generation.cited_sentences import cited_answer


def placed(answer: str, *claims: str) -> Placement:
    findings = [
        ClaimFinding(claim_id=str(number), claim=claim, support=Support.SUPPORTED)
        for number, claim in enumerate(claims, start=1)
    ]
    return place_claims(answer, cited_answer(Output(answer=answer)), findings)


def worded(answer: str, *claims: str) -> list[str]:
    return [wording(answer, claim.spans) for claim in placed(answer, *claims).claims]


def test_a_claim_that_stands_word_for_word_is_placed_on_its_own_words() -> None:
    answer = "Returns are free within 30 days. Shipping costs 5 euros, and gifts are wrapped."
    assert worded(answer, "Shipping costs 5 euros", "Returns are free within 30 days.") == [
        "Shipping costs 5 euros",
        "Returns are free within 30 days",
    ]


def test_words_inside_other_words_are_not_the_claim() -> None:
    found = placed("The unreturned items stay. Postage is paid.", "returned items stay")
    assert [claim.sentences for claim in found.claims] == [(0,)]
    assert wording("The unreturned items stay. Postage is paid.", found.claims[0].spans) == "The unreturned items stay."


def test_a_restatement_goes_to_the_sentence_that_shares_most_of_its_words() -> None:
    answer = "Der Versand dauert drei Tage. Die Rückgabe dauert 30 Tage."
    assert worded(answer, "Für die Rückgabe gelten 30 Tage.") == ["Die Rückgabe dauert 30 Tage."]


def test_numbers_are_the_same_by_value() -> None:
    answer = "Der Versand dauert fünf Tage. Die Rückgabe dauert acht Tage."
    assert worded(answer, "Es dauert 8 Tage.") == ["Die Rückgabe dauert acht Tage."]


def test_a_claim_that_fits_two_sentences_equally_keeps_both_whole() -> None:
    answer = "Der Versand kostet 5 Euro. Die Rückgabe kostet 5 Euro."
    found = placed(answer, "Er kostet 5 Euro pauschal.")
    assert found.claims[0].sentences == (0, 1)
    assert wording(answer, found.claims[0].spans) == answer


def test_a_claim_that_shares_too_little_has_no_place() -> None:
    found = placed("Der Versand kostet 5 Euro. Die Rückgabe ist frei.", "Ein Gutschein verfällt am Versand.")
    assert (found.claims, [finding.claim for finding in found.unplaced]) == (
        (),
        ["Ein Gutschein verfällt am Versand."],
    )


def test_claims_on_one_sentence_part_it_and_lose_no_word() -> None:
    answer = "Final-sale items are not returnable, and standard shipping costs 5 euros."
    first, second = worded(answer, "Items from final sale cannot be returned.", "Standard shipping is 5 euros.")
    assert "Final-sale items are not returnable" in first
    assert "shipping" not in first
    assert second.startswith("standard shipping") or second.startswith("are not returnable")
    assert {word.strip(",.") for word in answer.split()} - {"and"} <= {
        word.strip(",.") for word in f"{first} {second}".split()
    }


def test_a_negation_that_belongs_to_a_claim_stays_with_it() -> None:
    answer = "Gutscheine sind nicht übertragbar und verfallen nach drei Jahren."
    first, _ = worded(answer, "Gutscheine lassen sich nicht übertragbar machen.", "Gutscheine verfallen in 3 Jahren.")
    assert "nicht übertragbar" in first


def test_claims_listed_as_often_as_they_stand_take_one_place_each() -> None:
    answer = "It is free of charge. It is new. It is free of charge."
    found = placed(answer, "It is free of charge.", "It is free of charge.")
    assert [claim.spans[0].start for claim in found.claims] == [0, 33]


def test_scripts_without_spaces_are_placed_by_pairs_of_letters() -> None:
    answer = "退货在三十天内免费。运费为五欧元。"
    assert worded(answer, "三十天内可免费退货") == ["退货在三十天内免费。"]


def test_a_hostile_number_of_claims_and_sentences_ends() -> None:
    answer = "Das gilt hier. " * 3_000
    found = placed(answer, *(f"Das gilt in Fall {number}." for number in range(300)))
    assert len(found.claims) + len(found.unplaced) == 300
