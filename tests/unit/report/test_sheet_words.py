"""Verdicts are named as the article names them."""

from __future__ import annotations

from beleg.core.evidence import AttributionVerdict, Decider, HonestFailure, SupportVerdict
from beleg.core.sheet_export import SheetFilter
from beleg.report.sheet_words import (
    attribution_word,
    counted,
    decider_word,
    filter_words,
    honest_failure_word,
    support_word,
)


def test_the_four_verdicts_have_the_words_of_the_article() -> None:
    assert [support_word(verdict).de for verdict in SupportVerdict] == [
        "gestützt", "teilweise gestützt", "nicht gestützt", "nicht beurteilbar",
    ]  # fmt: skip
    assert [attribution_word(verdict).de for verdict in AttributionVerdict][:2] == ["angehängt", "fehlt"]


def test_a_honest_failure_is_called_a_result() -> None:
    for outcome in (HonestFailure.DECLINED, HonestFailure.BOUNDED):
        assert "result" in honest_failure_word(outcome).en
        assert "Ergebnis" in honest_failure_word(outcome).de


def test_deciders_numbers_and_filters_are_told_in_both_languages() -> None:
    assert decider_word(Decider(kind="human", name="R. Ito")).de == "R. Ito (Mensch)"
    assert counted("cases", 1).de == "1 Antwort"
    told = filter_words(SheetFilter(machine=(SupportVerdict.SUPPORTED,), text="Tage"))
    assert told.de == "Vorschlag der Maschine: gestützt; Text “Tage”"
