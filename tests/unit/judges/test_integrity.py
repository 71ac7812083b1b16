from __future__ import annotations

import pytest

from beleg.core.findings import Support
from beleg.judges.integrity import flags_of, foreign_claim_flaw

ANSWER = "Sie können den Artikel innerhalb von 14 Tagen zurückschicken. Die Rücksendung ist kostenlos."


@pytest.mark.parametrize(
    "claim",
    [
        "Die Rücksendung kostet nichts.",
        "Rücksendungen sind gratis möglich.",
        "Der Rückversand dauert 14 Werktage.",
        "Kostenlose Retouren gibt es.",
        "RÜCKSENDUNG UMSONST",
        "Es geht.",
        "Paris.",
        "返品は無料です。",
    ],
)
def test_other_words_for_what_the_answer_says_are_not_foreign(claim: str) -> None:
    assert foreign_claim_flaw([claim], (ANSWER, "Was kostet eine Retoure?")) is None


@pytest.mark.parametrize(
    "claim", ["Berlin ist die Hauptstadt von Deutschland.", "Returning goods is free.", "Goethe wurde 1749 geboren."]
)
def test_a_claim_without_one_word_of_answer_or_question_is_foreign(claim: str) -> None:
    flaw = foreign_claim_flaw(["Die Rücksendung ist kostenlos.", claim], (ANSWER, "Was kostet eine Retoure?"))
    assert flaw is not None
    assert claim in flaw.message
    assert "claim 2" in flaw.message


def test_a_claim_may_rest_on_the_question_alone() -> None:
    assert foreign_claim_flaw(["Shipping to Austria is free."], ("Yes.", "Is shipping to Austria free?")) is None


def test_what_cannot_be_compared_is_not_foreign() -> None:
    assert foreign_claim_flaw(["Returning goods is free."], ("返品は無料です。", "返品？")) is None


@pytest.mark.parametrize(
    ("claim", "quote", "language", "flag"),
    [
        ("Die Frist beträgt 60 Tage.", "Die Frist beträgt 30 Tage.", "de", "60"),
        ("Versand kostet 4,90 €.", "Versand kostet 4,80 €.", "de", "4,90"),
        ("The fee was raised on 4 March 2024.", "The fee was raised on 5 March 2024.", "en", "March"),
        ("The deposit is paid back after the move.", "The deposit is not paid back after the move.", "en", "neg"),
        ("The fee is paid to Anna Berg.", "The fee is paid to Otto Weiss.", "en", "Anna Berg"),
    ],
)
def test_a_supported_claim_that_says_something_else_than_its_quote_is_flagged(
    claim: str, quote: str, language: str, flag: str
) -> None:
    flags = flags_of(claim, Support.SUPPORTED, [quote], language=language)
    assert any(flag in found for found in flags), flags


def test_what_the_quotes_say_together_is_not_flagged() -> None:
    quotes = ["The term is 30 days.", "Shipping costs EUR 4.90."]
    claim = "Shipping costs EUR 4.90 and the term is 30 days."
    assert flags_of(claim, Support.SUPPORTED, quotes, language="en") == ()


@pytest.mark.parametrize("support", [found for found in Support if found is not Support.SUPPORTED])
def test_only_full_support_is_held_against_its_words(support: Support) -> None:
    assert flags_of("It takes 60 days.", support, ["It takes 30 days."], language="en") == ()


def test_no_words_no_flag() -> None:
    assert flags_of("It takes 60 days.", Support.SUPPORTED, [], language="en") == ()
