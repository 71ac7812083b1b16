from __future__ import annotations

import pytest

from beleg.text.markers import markers_in, without_markers


@pytest.mark.parametrize(
    ("text", "markers", "expected"),
    [
        ("Gilt 14 Tage [1][2].", ["1", "[2]"], "Gilt 14 Tage."),
        ("Kostet 5 Euro [5].", ["5"], "Kostet 5 Euro."),
        ("Paris [lg-shipping-de]", ["lg-shipping-de"], "Paris"),
        ("Siehe [12] und [1].", ["[1]"], "Siehe [12] und."),
        ("Nichts zitiert , hier .", [], "Nichts zitiert , hier ."),
        ("Leer [] bleibt", [" "], "Leer [] bleibt"),
    ],
)
def test_only_the_markers_named_are_removed(text: str, markers: list[str], expected: str) -> None:
    assert without_markers(text, markers) == expected


def test_markers_are_found_and_removed_in_one_pass_longest_first() -> None:
    text = "Frei [1][12] ab 5 Euro (a) [x]."
    assert markers_in(text, {"[1]", "[12]", "(a)", "[2]"}) == {"[1]", "[12]", "(a)"}
    assert without_markers(text, ["1", "12", "(a)"]) == "Frei ab 5 Euro [x]."
    assert without_markers("a [1 [2]] b", ["[1 [2]]", "2"]) == "a b"
    assert markers_in(text, ()) == set()


def test_thousands_of_markers_cost_one_pass() -> None:
    # One search of the whole answer per marker would take minutes.
    answer = " ".join(f"x [{number}]" for number in range(20_000))
    assert without_markers(answer, map(str, range(20_000))) == " ".join(["x"] * 20_000)
