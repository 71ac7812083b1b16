from __future__ import annotations

import pytest

from beleg.text.normalise import fold_typography
from beleg.text.quotes import QuoteFinder, QuoteMatch, match_quote


@pytest.mark.parametrize(
    ("passage", "quote", "expected"),
    [
        ("Versand: 4,90 € pro Paket", "4,90 €", QuoteMatch.EXACT),
        ("Versand:\n4,90\u00a0€", "Versand: 4,90 €", QuoteMatch.FOLDED),
        ("Er sagte „ja“ – sofort", 'Er sagte "ja" - sofort', QuoteMatch.FOLDED),
        ("u\u0308ber 79 €", "über 79 €", QuoteMatch.FOLDED),
        ("Versand: 4,90 €", "4,80 €", QuoteMatch.ABSENT),
        ("Versand", "versand", QuoteMatch.ABSENT),
        ("14 Tage", "14  Tagen", QuoteMatch.ABSENT),
        ("Spedition: 14,90 €", "4,90 €", QuoteMatch.ABSENT),
        ("it costs 15 euros", "5 euros", QuoteMatch.ABSENT),
        ("it costs 3.5 euros", "5 euros", QuoteMatch.ABSENT),
        ("it weighs 5.5 kg", "weighs 5", QuoteMatch.ABSENT),
        ("14,90 € or 4,90 €", "4,90 €", QuoteMatch.EXACT),
        ("Gebühr:4,90 €/Paket", "4,90 €", QuoteMatch.EXACT),
        ("Es kostet 5.", "kostet 5", QuoteMatch.EXACT),
        ("Stand 1.Mai", "Mai", QuoteMatch.EXACT),
        ("Versandkosten", "Versand", QuoteMatch.ABSENT),
        ("14-30 Tage", "30 Tage", QuoteMatch.EXACT),
        ("anything", " \u00a0", QuoteMatch.ABSENT),
        ("", "x", QuoteMatch.ABSENT),
    ],
)
def test_a_quote_stands_exactly_or_after_folding_or_not_at_all(passage: str, quote: str, expected: QuoteMatch) -> None:
    assert match_quote(passage, quote) is expected


def test_a_finder_answers_the_same_the_second_time() -> None:
    finder = QuoteFinder()
    assert [finder.contains("a  b", "a b") for _ in range(2)] == [True, True]
    assert not finder.contains("a  b", "a c")


def test_of_plain_letters_folding_leaves_nothing_only_where_there_was_nothing_but_space() -> None:
    letters = [chr(code) for code in range(128)]
    assert [bool(letter.strip()) for letter in letters] == [bool(fold_typography(letter)) for letter in letters]
