from __future__ import annotations

from beleg.core.ties import number_of_groups, tied_groups


def test_items_hang_together_over_any_chain() -> None:
    assert tied_groups([["s1"], ["s1", "x"], ["x"], ["y"], []]).tolist() == [0, 0, 0, 1, 2]


def test_a_late_tie_joins_two_groups() -> None:
    assert tied_groups([["a"], ["b"], ["a", "b"]]).tolist() == [0, 0, 0]


def test_an_item_without_a_tie_stands_alone() -> None:
    assert number_of_groups([[], [], []]) == 3
    assert number_of_groups([]) == 0
