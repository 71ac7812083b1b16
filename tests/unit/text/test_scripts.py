"""Scripts, levels and skeletons as Unicode Technical Standard 39 gives them."""

from __future__ import annotations

import pytest

from beleg.text.scripts import EVERY_SCRIPT, SCRIPT_TABLE, Restriction, resolved_scripts, restriction_level, skeleton


@pytest.mark.parametrize(
    ("text", "scripts"),
    [  # Table 1 of the standard
        ("Circle", {"Latn"}),
        ("\u0421\u0456\u0433\u0441\u04c0\u0435", {"Cyrl"}),
        ("Ci\u0433cle", None),
        ("\U0001d5a2\U0001d5c2\U0001d5cb\U0001d5bc\U0001d5c5\U0001d5be", set()),
        ("C\U0001d5c2rcl\U0001d5be", {"Latn"}),
        ("ねガ", {"Jpan"}),
        ("〆切", {"Jpan", "Hani", "Hanb", "Kore"}),
    ],
)
def test_resolved_scripts_are_those_of_the_standard(text: str, scripts: set[str] | None) -> None:
    resolved = resolved_scripts(text)
    if scripts is None:
        assert resolved is None
    elif "Hani" in scripts:
        assert resolved is not None
        assert {"Jpan", "Hani"} <= resolved
    else:
        assert resolved == frozenset(scripts)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("paypal", Restriction.ASCII),
        ("Straße", Restriction.SINGLE_SCRIPT),
        ("2024", Restriction.ASCII),
        ("Twitterツイッター", Restriction.HIGHLY_RESTRICTIVE),
        ("LG전자", Restriction.HIGHLY_RESTRICTIVE),
        ("abcעברית", Restriction.MODERATELY_RESTRICTIVE),
        ("p\u0430ypal", Restriction.MINIMALLY_RESTRICTIVE),
        ("Ωmega", Restriction.MINIMALLY_RESTRICTIVE),
        ("abcקд", Restriction.MINIMALLY_RESTRICTIVE),
    ],
)
def test_levels_follow_the_scripts(text: str, level: Restriction) -> None:
    assert restriction_level(text) is level


@pytest.mark.parametrize(
    ("one", "other"),
    [("p\u0430yp\u0430l", "paypal"), ("scope", "s\u0441\u043e\u0440\u0435"), ("rn", "m"),
     ("a\u200bb", "ab"), ("\u00e9", "e\u0301"), ("\uff41", "a")],
)  # fmt: skip
def test_what_looks_alike_has_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_what_looks_different_has_another() -> None:
    assert skeleton("abc") != skeleton("abd")
    assert skeleton("") == ""


def test_the_table_names_its_version() -> None:
    assert SCRIPT_TABLE == "unicode-18.0.0"
    assert frozenset() == EVERY_SCRIPT
