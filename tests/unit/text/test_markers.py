from __future__ import annotations

import pytest

from beleg.text.markers import without_markers


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
