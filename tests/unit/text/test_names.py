from __future__ import annotations

import pytest

from beleg.text.names import names_of


def found(text: str, language: str | None) -> list[str]:
    return [name.text for name in names_of(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The sister of Anne Frank lived in Berlin.", ["Anne Frank", "Berlin"]),
        ("Margot wrote. It was Margot's.", ["Margot", "Margot"]),
        ("Margot wrote.", []),
        ("They met the University of Oxford team.", ["University of Oxford"]),
        ("They use NASA data, an iPhone and vitamin B12.", ["NASA", "iPhone", "B12"]),
        ("On Monday in March I saw it.", []),
        ("Answer: Yes, it is.", []),
        ("How To Grill A Perfect Steak At Home", []),
        ("It costs EUR 5, OK?", []),
        ("He met Dr. Smith.", ["Smith"]),
        ("- First item\n- Second item", []),
    ],
)
def test_english_names_by_their_capitals(text: str, expected: list[str]) -> None:
    assert found(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der Versand mit DHL dauert.", ["DHL"]),
        ("Laut Angela Merkel dauert die Lieferung lange.", ["Angela Merkel"]),
        ("Der Kunde zahlt den Preis.", []),
        ("Nach Ansicht von Herrn Müller gilt das.", ["Müller"]),
        ("Das Modell X100 und das eBook.", ["Modell X100", "eBook"]),
        ("Er lebt in Berlin.", []),
        ("Ende März kostet es 5 Euro Gebühr.", []),
        ("ACHTUNG WICHTIGE HINWEISE", []),
    ],
)
def test_german_names_by_more_than_a_capital(text: str, expected: list[str]) -> None:
    assert found(text, "de") == expected


def test_an_unknown_language_gives_only_what_needs_none() -> None:
    assert found("Laut Angela Merkel nutzt die NASA es.", None) == ["NASA"]
