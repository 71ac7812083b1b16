from __future__ import annotations

import pytest

from beleg.text.name_words import NameWords
from beleg.text.names import Name


def name(text: str) -> Name:
    return Name(words=tuple(text.split()), text=text, start=0, end=len(text))


@pytest.mark.parametrize(
    ("wanted", "lacking"),
    [
        ("Frank", False),
        ("Anne Frank", False),
        ("Anne Miller", True),
        ("New York City", False),
        ("German", False),
        ("WHO", False),
        ("HIV", False),
        ("ESCs", False),
        ("HIV-positive", False),
        ("World Trade Union", True),
        ("Smith", True),
        ("B12", True),
        ("X.25", False),
    ],
)
def test_a_name_stands_in_the_evidence_in_some_form(wanted: str, lacking: bool) -> None:
    evidence = (
        "Anne Frank, New York, Germany, the World Health Organization, human immunodeficiency virus, ESC, B13 and X.25"
    )
    assert NameWords(evidence).lacks(name(wanted)) is lacking


def test_the_initials_of_a_name_may_stand_for_it() -> None:
    assert not NameWords("the WTU").lacks(name("World Trade Union"))


def test_nothing_stands_in_an_empty_evidence() -> None:
    assert NameWords("").lacks(name("Frank"))
