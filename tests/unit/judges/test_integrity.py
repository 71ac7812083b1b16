from __future__ import annotations

import pytest

from beleg.judges.integrity import foreign_claim_flaw

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
