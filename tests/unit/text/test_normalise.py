from __future__ import annotations

import re
import unicodedata

import pytest

from beleg.text.normalise import fold_typography, fold_whitespace, is_english, is_german, nfc, squad_normalise


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
        ("4,90 €", "4,90 €"),
        ("490 €.", "490 €"),
        ("1.000 Euro, 1.000.000 Euro", "1000 euro 1000000 euro"),
        ("14–30 Tage; um 14:30 Uhr", "14-30 tage um 14:30 uhr"),
        ("E-Mail, z. B. am 3.", "email z b am 3"),
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


def test_a_long_run_of_combining_marks_is_broken_after_thirty_as_in_stream_safe_text() -> None:
    # Unicode Standard Annex 15, section 13: a combining grapheme joiner after 30 non-starters.
    long = nfc("a" + "\u0301" * 65)
    assert long.count("\u034f") == 2
    assert long == "á" + "\u0301" * 29 + "\u034f" + "\u0301" * 30 + "\u034f" + "\u0301" * 5
    thirty = "x" + "\u0327" * 15 + "\u0301" * 15
    assert nfc(thirty) == thirty
    assert nfc("―" * 100 + "u\u0308") == "―" * 100 + "ü"


def test_hostile_marks_cost_linear_time() -> None:
    # Unbroken, these marks would have to be sorted past each other: seconds instead of milliseconds.
    marks = "a" + "\u0301" * 200_000 + "\u0327" * 200_000
    assert fold_typography(marks).startswith("á")


def test_english_is_told_by_the_first_subtag() -> None:
    assert [is_english(tag) for tag in ("en", "en-GB", "EN_us", "de", "end", None)] == [True] * 3 + [False] * 3


def test_every_character_that_is_whitespace_to_a_pattern_is_folded() -> None:
    spaces = [chr(code) for code in range(0x110000) if re.fullmatch(r"\s", chr(code))]
    assert len(spaces) > 20
    assert fold_whitespace("a" + "".join(spaces) + "b") == "a b"
    assert fold_whitespace("".join(spaces)) == ""


def test_what_lies_below_the_combining_marks_is_composed_already() -> None:
    below = "".join(map(chr, range(0x300)))
    assert nfc(below) == unicodedata.normalize("NFC", below)
