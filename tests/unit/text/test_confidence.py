from __future__ import annotations

import time

import pytest

from beleg.text.confidence import StatedConfidence, stated_confidence, without_confidence

READ = [
    ("Paris. Confidence: 80 %", 0.8),
    ("Confidence: 0.8", 0.8),
    ("Confidence: 0.85.", 0.85),
    ("Confidence level: 8/10.", 0.8),
    ("Confidence: 80 out of 100", 0.8),
    ("**Confidence:** 95%", 0.95),
    ("Confidence (0-1): 0.85", 0.85),
    ("Confidence: 1.0", 1.0),
    ("Confidence: 0", 0.0),
    ("My confidence is about 60 percent.", 0.6),
    ("I am 80% confident that it is Paris.", 0.8),
    ("I'm about 70 percent sure.", 0.7),
    ("With 75 % certainty it is Paris.", 0.75),
    ("The answer to the question is present.\n\nConfidence: 100%", 1.0),
    ("Konfidenz: 0,8", 0.8),
    ("Konfidenzwert: 0,75", 0.75),
    ("Sicherheit: 90 von 100", 0.9),
    ("Meine Zuversicht liegt bei 65 Prozent.", 0.65),
    ("Ich bin mir zu 80 % sicher.", 0.8),
    ("Zu Express bin ich mir zu rund 40 Prozent sicher.", 0.4),
    ("Mit 75 % Sicherheit ist es Paris.", 0.75),
    ("Das stimmt mit 80-prozentiger Sicherheit.", 0.8),
    ("Confidence: 80%\nConfidence: 0.8", 0.8),
    ("Confidence: 80\nAnswer: Paris", 0.8),
    ("Answer: Paris (Confidence: 0.7)", 0.7),
]
UNREADABLE = [
    "Confidence: high",
    "Konfidenz: sehr hoch",
    "Confidence: 80-90 %",
    "Confidence: 80 to 90 percent",
    "Confidence: 1",
    "Confidence: 150%",
    "Confidence: -5%",
    "Confidence: 11/10",
    "Confidence: 1/0",
    "Confidence = .8",
    "Confidence: 80. Confidence: 90",
    "Confidence: 80 %. Konfidenz: hoch",
    "Konfidenz: unbekannt",
]
SILENT = [
    "",
    "Paris.",
    "The confidence interval is 95%.",
    "Das ist mit Sicherheit Paris.",
    "Sicherheit: Bitte Helm tragen.",
    "Sicherheit: 5 Sterne im Test.",
    "Sicherheit: 24 Stunden überwacht.",
    "80 % of the parcels arrive in 2 days.",
    "The 95 % confidence interval runs from 2 to 3.",
]


@pytest.mark.parametrize(("answer", "share"), READ)
def test_a_plain_statement_is_read_in_both_languages(answer: str, share: float) -> None:
    assert stated_confidence(answer) == StatedConfidence(value=pytest.approx(share))


@pytest.mark.parametrize("answer", UNREADABLE)
def test_what_is_not_plain_is_a_fault_and_no_number(answer: str) -> None:
    found = stated_confidence(answer)
    assert found.value is None
    assert found.fault


@pytest.mark.parametrize("answer", SILENT)
def test_an_answer_that_says_nothing_of_it_has_neither_value_nor_fault(answer: str) -> None:
    assert stated_confidence(answer) == StatedConfidence()


@pytest.mark.parametrize(
    ("answer", "bare"),
    [
        ("Paris.\nConfidence: 80 %", "Paris."),
        ("Paris. **Confidence:** 0.85.", "Paris."),
        ("Paris. (Konfidenz: hoch)", "Paris."),
        ("Paris. Confidence: 80 %\n\n", "Paris."),
        ("Sicherheit: Bitte Helm tragen.", "Sicherheit: Bitte Helm tragen."),
        ("I am 80 % sure that it is Paris.", "I am 80 % sure that it is Paris."),
        ("Confidence: 80 %. It is Paris.", "Confidence: 80 %. It is Paris."),
    ],
)
def test_only_a_labelled_statement_at_the_end_is_taken_off(answer: str, bare: str) -> None:
    assert without_confidence(answer) == bare


@pytest.mark.parametrize(
    "unit", ["Confidence: ", "confidence (", "Ich bin zu ", "*_", "mit 1", ": 0.8 confidence", "(["]
)
def test_hostile_repetition_costs_no_time(unit: str) -> None:
    text = (unit * 200_000)[:200_000]
    before = time.process_time()
    stated_confidence(text)
    without_confidence(text)
    assert time.process_time() - before < 2.0
