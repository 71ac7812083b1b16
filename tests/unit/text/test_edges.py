from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.text.edges import stands_whole


@pytest.mark.parametrize(
    ("text", "part", "stands"),
    [
        ("kostet 4,90 € heute", "4,90 €", True),
        ("kostet 14,90 €", "4,90 €", False),
        ("kostet 1.490 €", "490 €", False),
        ("5.5", "5", False),
        ("5.", "5", True),
        (".5", "5", True),
        ("under_score", "score", False),
        ("", "x", False),
        ("x", "", False),
    ],
)
def test_a_part_stands_whole_only_between_word_and_number_edges(text: str, part: str, stands: bool) -> None:
    assert stands_whole(text, part) is stands


@given(st.text("5a., ", max_size=20), st.text("5a., ", min_size=1, max_size=4))
def test_it_agrees_with_a_regular_expression(text: str, part: str) -> None:
    before = r"(?<!\w)" if part[0].isalnum() else ""
    before += r"(?<!\d[.,])" if part[0].isdecimal() else ""
    behind = r"(?!\w)" if part[-1].isalnum() else ""
    behind += r"(?![.,]\d)" if part[-1].isdecimal() else ""
    assert stands_whole(text, part) is (re.search(before + re.escape(part) + behind, text) is not None)
