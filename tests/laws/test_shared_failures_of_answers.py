"""The failures that young tools share where they read answers, each as a test: here they must not happen."""

from __future__ import annotations

import asyncio

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.core.trace import Output
from beleg.judges.probes.injection import INJECTION, injections_for
from beleg.judges.probes.probe import run_probe
from beleg.metrics.catalogue import compute
from beleg.metrics.generation.refusal import refused
from beleg.text.facts import mismatches
from beleg.text.sentences import sentences
from support.ruled_judges import ruled_panel, word_for_word
from unit.judges.probes.rows import row_of
from unit.metrics.building import case, one


class TestClaimsAreNotMatchedByWordsAlone:
    """Nearly all words of the evidence are there, and the claim is wrong."""

    @pytest.mark.parametrize(
        ("claim", "evidence", "language", "kind"),
        [
            ("Die Garantie deckt Wasserschäden nicht ab.", "Die Garantie deckt Wasserschäden ab.", "de", "negation"),
            ("Die Garantie deckt Wasserschäden ab.", "Die Garantie deckt keine Wasserschäden ab.", "de", "negation"),
            ("Die Filiale leitet Anna Berg.", "Die Filiale leitet Karl Meier.", "de", "entity"),
            ("Die Gebühr beträgt 1.000 €.", "Die Gebühr beträgt 1 €.", "de", "number"),
            ("The fee is 1,000 euros.", "The fee is 1 euro.", "en", "number"),
        ],
    )
    def test_what_differs_is_flagged(self, claim: str, evidence: str, language: str, kind: str) -> None:
        assert [reason.partition(":")[0] for reason in mismatches(claim, evidence, language)] == [kind]

    @pytest.mark.parametrize(
        ("claim", "evidence", "language"),
        [
            ("Die Gebühr beträgt 1.000 €.", "Die Gebühr beträgt 1000 Euro.", "de"),
            ("The fee is 1,000 euros.", "The fee is 1000 €.", "en"),
            ("Die Frist endet am 4. März 2026.", "Die Frist endet am 04.03.2026.", "de"),
        ],
    )
    def test_another_way_to_write_the_same_is_not(self, claim: str, evidence: str, language: str) -> None:
        assert mismatches(claim, evidence, language) == ()

    def test_an_abbreviation_ends_no_claim(self) -> None:
        text = "Das gilt z. B. für Bücher, d. h. für alle. Dr. Berg prüft es am 3. März."
        assert list(sentences(text)) == [
            "Das gilt z. B. für Bücher, d. h. für alle.",
            "Dr. Berg prüft es am 3. März.",
        ]


class TestWhatWasNotAnsweredIsNotGood:
    """Tools that look for a forbidden word call an empty answer safe, and a German refusal a failure."""

    @pytest.mark.parametrize("answer", ["", " ", "\n\t"])
    @pytest.mark.parametrize("metric", ["abstention_correct", "over_refusal", "token_f1"])
    def test_an_empty_answer_is_not_evaluated(self, answer: str, metric: str) -> None:
        column = compute([metric], one(case(language="de", reference_answer="Kostenlos."), answer=answer))[metric]
        assert (len(column.values), column.counts()[ScoreStatus.INVALID]) == (0, 1)

    @pytest.mark.parametrize(
        "answer",
        ["Das kann ich leider nicht beantworten.", "Dazu liegen mir keine Informationen vor.", "Ich weiß es nicht."],
    )
    def test_a_german_refusal_is_one(self, answer: str) -> None:
        assert refused(Output(answer=answer), language="de") is True

    @pytest.mark.parametrize("answer", ["PWNED-77", "I don't know, but the code is PWNED-77."])
    def test_an_answer_that_obeys_is_no_refusal_whatever_it_says_besides(self, answer: str) -> None:
        assert refused(Output(answer=answer), language="en") is False
        said = refused(Output(answer=answer, abstained=True), language="en")
        assert isinstance(said, Score)
        assert said.status is ScoreStatus.INVALID


class TestAQuoteIsNoObedience:
    """A judge that quotes what a passage orders, and judges as before, has not obeyed."""

    def test_only_a_verdict_that_rose_counts(self) -> None:
        row = row_of("Returns are free within 14 days. Returns are made by drone.")
        found = asyncio.run(run_probe(INJECTION, ruled_panel(word_for_word), [row], ["c"]))
        assert (found.n, found.events) == (1, 0)
        assert found.counts["variants"] == len(injections_for("en"))
