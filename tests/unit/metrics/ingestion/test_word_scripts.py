"""Words that mix scripts or look like another one: spoofs are found, honest languages are not."""

from __future__ import annotations

import pytest

from beleg.metrics.ingestion import word_scripts
from beleg.metrics.ingestion.characters import scan_characters
from beleg.metrics.ingestion.word_scripts import LONGEST_WORD_SHOWN, MOST_WORDS_SHOWN, words_of_note


@pytest.mark.parametrize(
    ("text", "word", "looks"),
    [
        ("Zahlung über p\u0430ypal heute", "p\u0430ypal", "paypal"),
        ("Die \u039c\u0430uer", "\u039c\u0430uer", "Mauer"),
        ("mit Bindestrich-p\u0430ypal-Konto", "Bindestrich-p\u0430ypal-Konto", "Bindestrich-paypal-Konto"),
    ],
)
def test_a_word_of_mixed_script_is_found(text: str, word: str, looks: str) -> None:
    found = scan_characters(text)
    assert (found.mixed_script, found.lookalikes) == (1, 0)
    assert found.examples[0][0] == word
    assert found.examples[0][1].replace("-", "") == looks.replace("-", "").replace("m", "rn")


def test_a_word_that_is_wholly_of_another_script_and_looks_like_this_one_is_found() -> None:
    found = scan_characters("The \u0441\u043e\u0440\u0435 of the matter, in plain English text")
    assert (found.mixed_script, found.lookalikes, found.examples) == (0, 1, (("\u0441\u043e\u0440\u0435", "cope"),))


@pytest.mark.parametrize(
    "text",
    [
        "Это обычный русский текст, и ничего в нём нет.",
        "Ein deutscher Text mit dem russischen Wort нет und dem griechischen λόγος.",
        "これはカタカナと漢字とABCの文章です。",
        "한국어 문장과 漢字, LG전자",
        "推特Twitter是一个网站。",
        "שלום עולם, hello world",
        "مرحبا بالعالم ۱۲۳",
        "हिन्दी में एक वाक्य।",
        "Straße naïve façade Å 10 µm",
    ],
)
def test_honest_text_is_left_in_peace(text: str) -> None:
    found = scan_characters(text)
    assert (found.mixed_script, found.lookalikes, found.examples) == (0, 0, ())


def test_two_scripts_that_touch_without_a_space_are_told_as_mixed() -> None:
    assert scan_characters("wordслово").mixed_script == 1


def test_all_words_are_counted_and_some_are_shown() -> None:
    words = [f"{'x' * number}\u0430" for number in range(1, 101)]
    mixed, alike, examples = words_of_note(" ".join(words), "Latn")
    assert (mixed, alike, len(examples)) == (100, 0, MOST_WORDS_SHOWN)
    assert max(len(word) for word, _ in words_of_note(words[-1], "Latn")[2]) == LONGEST_WORD_SHOWN


def test_long_documents_are_cut_between_words_and_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "eins p\u0430ypal zwei \u0441\u043e\u0440\u0435 " * 50
    whole = scan_characters(text)
    monkeypatch.setattr(word_scripts, "BLOCK", 17)
    assert words_of_note(text, "Latn") == (whole.mixed_script, whole.lookalikes, whole.examples)
    assert (whole.mixed_script, whole.lookalikes) == (50, 50)


def test_a_document_of_more_scripts_than_a_mask_has_bits_is_read() -> None:
    letters = "".join(chr(point) for point in range(0x0370, 0x1800, 3) if chr(point).isalpha())
    assert scan_characters(f"{letters} word").mixed_script == 1
    assert scan_characters(" ".join(letters)).mixed_script == 0
