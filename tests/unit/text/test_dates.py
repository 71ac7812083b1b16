from __future__ import annotations

import pytest

from beleg.text.dates import dates_of


@pytest.mark.parametrize(
    "text",
    ["4. März 2024", "2024-03-04", "March 4, 2024", "04.03.2024", "4.3.24", "4th of March, 2024", "Mar. 4, 2024",
     "4 Mar 2024", "4. Maerz 2024"],
)  # fmt: skip
def test_one_date_in_all_its_forms(text: str) -> None:
    (found,) = dates_of(f"It begins {text}, they say.")
    assert str(found) == "2024-03-04"
    assert found.text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("im März 2024", ["2024-03"]),
        ("am 4. März", ["????-03-04"]),
        ("03/04/2024", ["2024-03-04"]),
        ("25/12/2024", ["2024-12-25"]),
        ("31/31/2024", []),
        ("you may 5 times", []),
        ("1.2.3", []),
        ("Version 12.3.2.1", []),
        ("in March", []),
        ("4.5.1969 und 4.5.68", ["1969-05-04", "2068-05-04"]),
    ],
)
def test_forms_with_open_parts(text: str, expected: list[str]) -> None:
    assert [str(found) for found in dates_of(text)] == expected


def test_a_date_with_strokes_may_be_read_both_ways() -> None:
    (found,) = dates_of("03/04/2024")
    assert found.readings() == ((2024, 3, 4), (2024, 4, 3))
