"""The subset of JSONPath that a reply is read by. Expected results follow RFC 9535."""

from __future__ import annotations

import pytest

from beleg.adapters.candidates.json_path import JsonPath

DATA = {"a": {"b": [{"c": 1}, {"c": 2}, {}]}, "a key": [["x"], ["y", "z"]], "n": None, "größe": 3}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [DATA]),
        ("$.a.b[0].c", [1]),
        ("$.a.b[-2].c", [2]),
        ("$.a.b[*].c", [1, 2]),
        ("$['a key'][*][*]", ["x", "y", "z"]),
        ("$['a key'][1][0]", ["y"]),
        ("$.größe", [3]),
        ("$.n", [None]),
        ("$.n.x", []),
        ("$.a.b[3]", []),
        ("$.a[0]", []),
        ("$.a[*]", []),
        ("$.missing", []),
    ],
)
def test_a_path_selects(path: str, found: list[object]) -> None:
    assert JsonPath.parse(path).select(DATA) == found


@pytest.mark.parametrize("path", ["$.a.b[*].c", "$.missing", "$.a[*]", "$.a.b[3]"])
def test_a_whole_selection_refuses_steps_that_lead_nowhere(path: str) -> None:
    with pytest.raises(LookupError):
        JsonPath.parse(path).select_whole(DATA)


@pytest.mark.parametrize(
    "path", ["", "a", "$a", "$..a", "$.a[?(@.b)]", "$.*", "$.a[1:2]", "$.a[", "$.1", "$" + ".a" * 300]
)
def test_anything_else_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        JsonPath.parse(path)
