from __future__ import annotations

import pytest

from beleg.text.normalise import fold_typography, fold_whitespace, is_german, nfc, squad_normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # The published script: lower, punctuation away without a gap, articles, whitespace.
        ("The  Eiffel-Tower!", "eiffeltower"),
        ("a cat, an owl and the dog", "cat owl and dog"),
        ("Theatre", "theatre"),
        ("U.S.", "us"),
        ("$4.90", "490"),
        ("„quoted“", "„quoted“"),
        ("the", ""),
    ],
)
def test_english_follows_the_squad_script_to_the_letter(text: str, expected: str) -> None:
    assert squad_normalise(text) == expected
    assert squad_normalise(text, "en-GB") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das »Maß« der Dinge", "maß dinge"),
        ("„Eine Übung“ – für einen Schüler…", "übung für schüler"),
        ("des Tages, dem Tage, den Tag, eines Tages", "tages tage tag tages"),
        ("The cat", "the cat"),
        ("derselbe Einer", "derselbe"),
        ("u\u0308ber", "über"),
        ("STRASSE", "strasse"),
    ],
)
def test_german_drops_german_articles_and_quotation_marks_and_keeps_umlauts(text: str, expected: str) -> None:
    assert squad_normalise(text, "de") == expected


@pytest.mark.parametrize(
    ("tag", "expected"), [("de", True), ("de-CH", True), ("DE_at", True), ("den", False), ("en", False), (None, False)]
)
def test_german_is_told_by_the_first_subtag(tag: str | None, expected: bool) -> None:
    assert is_german(tag) is expected


def test_folding_changes_whitespace_quotes_and_dashes_and_nothing_else() -> None:
    assert fold_whitespace("\u202f4,90\u00a0€\t\n") == "4,90 €"
    assert fold_typography("‚ja‘ – „nein“ — 5−3 ‑ Straße, ÄÖ!") == "'ja' - \"nein\" - 5-3 - Straße, ÄÖ!"
    assert nfc("e\u0301") == "é"
