"""The scan of characters: every kind of troublesome code point, and honest text of many scripts left in peace."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ingestion.characters import IGNORABLE_KINDS, KINDS, scan_characters

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("character", "kind"),
    [
        ("\u200b", "zero_width"), ("\u2060", "zero_width"), ("\ufeff", "zero_width"), ("\u200d", "joiner"),
        ("\u00ad", "soft_hyphen"), ("\u202e", "bidi_control"), ("\u2066", "bidi_control"),
        ("\ufe0f", "variation_selector"),
        ("\U000e0041", "tag"), ("\u3164", "other_ignorable"), ("\ue000", "private_use"), ("\U0010fffd", "private_use"),
        ("\ud800", "surrogate"), ("\ufdd0", "noncharacter"), ("\U0001ffff", "noncharacter"), ("\x80", "control"),
        ("\ufffd", "replacement"),
    ],
)  # fmt: skip
def test_every_kind_is_told(character: str, kind: str) -> None:
    found = scan_characters(f"ä{character}b{character}")
    assert dict(found.counts) == {kind: 2}
    assert found.ignorable == (2 if kind in IGNORABLE_KINDS else 0)
    assert found.length == 4


@given(st.text(alphabet=st.characters(), max_size=40))
def test_forms_are_those_of_the_standard_library(text: str) -> None:
    found = scan_characters(text)
    nfc = unicodedata.normalize("NFC", text)
    assert found.is_nfc == (nfc == text)
    assert found.is_compatible == (nfc == unicodedata.normalize("NFKC", text))
    assert set(found.counts) <= set(KINDS[1:])


@pytest.mark.parametrize("text", ["x²", "ﬁn", "①", "ｆｕｌｌ", "a\u00a0b"])
def test_compatibility_characters_drift(text: str) -> None:
    assert scan_characters(text).is_nfc
    assert not scan_characters(text).is_compatible


def test_binary_text_that_is_ascii_has_its_controls_counted() -> None:
    assert dict(scan_characters("\x00PK\x03\x04\t\n\r").counts) == {"control": 3}
    assert dict(scan_characters("\x00PKä\x03\x04\t\n\r").counts) == {"control": 3}
    assert scan_characters("").length == 0


def test_emoji_persian_and_soft_hyphens_are_counted_and_nothing_is_judged() -> None:
    assert dict(scan_characters(FAMILY).counts) == {"joiner": 2}
    assert dict(scan_characters("می\u200cخواهم").counts) == {"joiner": 1}
    assert scan_characters("Immo\u00adbilien für Wert\u00adpapiere").counts["soft_hyphen"] == 2


def test_a_run_of_a_hundred_thousand_marks_costs_no_quadratic_time() -> None:
    found = scan_characters("a" + "\u0301\u0316" * 50_000)
    assert found.length == 100_001
    assert not found.is_nfc
