"""An answer that plainly states facts cannot be one without claims; whatever leaves a doubt can."""

from __future__ import annotations

import pytest

from beleg.text.statements import states_facts

FACTS = (
    "Returns are accepted within 30 days [1].",
    "Das Porto beträgt immer 4,90 €.",
    "It takes fourteen days in most cases.",
    "The contract ended on March 4, 2024.",
    "Leider kann ich das nicht sagen. Der Versand dauert 3 Tage.",
    "The label lies in the box. The shop pays the carrier. Refunds go to the card.",
    "返品は30日以内に限り受け付けます。",
    "返品は無料で受け付けます。送料は店が負担します。返金はカードに行われます。",
)
DOUBTS = (
    "",
    "[1] [2] [3]",
    "Returns are free.",
    "Hello! I am happy to help you. Please let me know what you need. Thank you for your question.",
    "Guten Tag! Vielen Dank für Ihre Anfrage. Gern helfe ich Ihnen weiter. Bitte wenden Sie sich an mich.",
    "I don't know. The documents only discuss prices of 2024.",
    "Das kann ich nicht beantworten. Die Quellen enthalten keine Angaben zu 2024.",
    "Which of the 3 orders do you mean? Was it the one of March 4, 2024?",
    "That is a matter of taste. One can only hope so.",
    "1. It depends on taste\n2. Nobody can say it",
    "It depends. Tastes differ. Nobody can say it.",
)


@pytest.mark.parametrize("text", FACTS)
def test_a_figure_or_three_whole_sentences_state_facts(text: str) -> None:
    assert states_facts(text)


@pytest.mark.parametrize("text", DOUBTS)
def test_refusals_greetings_questions_and_short_texts_are_left_in_doubt(text: str) -> None:
    assert not states_facts(text)


@pytest.mark.parametrize("unit", ["a ", "[", "1. ", "I don't know ", "it is so ", "你"])
def test_hostile_length_stays_cheap(unit: str) -> None:
    states_facts((unit * 200_000)[:200_000])
