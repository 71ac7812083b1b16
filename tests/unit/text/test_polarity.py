from __future__ import annotations

import pytest

from beleg.text.polarity import PolarityCheck


def reasons(claim: str, evidence: str) -> list[str]:
    return [reason.partition(":")[0] for reason in PolarityCheck(evidence).reasons(claim)]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The warranty does not cover water damage.", "The warranty covers water damage.", ["negation"]),
        ("The warranty covers water damage.", "The warranty does not cover water damage.", ["negation"]),
        ("Die Garantie deckt keine Wasserschäden ab.", "Die Garantie deckt Wasserschäden ab.", ["negation"]),
        ("Die Garantie deckt Wasserschäden ab.", "Die Garantie deckt Wasserschäden nicht ab.", ["negation"]),
        ("Only members may return goods.", "Members may return goods.", ["restriction"]),
        ("Nur Mitglieder dürfen Ware zurückgeben.", "Mitglieder dürfen Ware zurückgeben.", ["restriction"]),
        ("All members may return goods.", "All members except guests may return goods.", ["exception"]),
        ("The warranty does not cover damage.", "The warranty does not cover damage.", []),
        ("The warranty covers water damage.", "Call us today, not tomorrow, about water.", []),
        ("It is not uncommon to see rain in spring.", "It is common to see rain in spring.", []),
        ("The plan does not lack water damage cover.", "The plan lacks water damage cover.", []),
        ("Not water.", "Water.", []),
        ("Members may return goods.", "Only members may return goods.", []),
    ],
)
def test_polarity_is_compared_where_it_is_plain(claim: str, evidence: str, expected: list[str]) -> None:
    assert reasons(claim, evidence) == expected


def test_two_sentences_that_differ_leave_it_open() -> None:
    evidence = "The basic warranty does not cover water damage. The full warranty covers water damage."
    assert reasons("The warranty covers water damage.", evidence) == []
