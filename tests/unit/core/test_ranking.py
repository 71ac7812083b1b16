from __future__ import annotations

import pytest

from beleg.core.errors import DataError
from beleg.core.ranking import fold_to_parents, ranked, require_unique


def test_ties_are_broken_by_id_descending_as_in_trec_eval() -> None:
    assert [name for name, _ in ranked({"d1": 1.0, "d2": 1.0, "d3": 1.0})] == ["d3", "d2", "d1"]
    assert [name for name, _ in ranked({"10": 1.0, "9": 1.0})] == ["9", "10"]


def test_scores_that_differ_in_the_ninth_digit_are_no_tie() -> None:
    assert [name for name, _ in ranked({"d1": 0.800000001, "d2": 0.8})] == ["d1", "d2"]


def test_the_order_does_not_depend_on_the_order_given() -> None:
    pairs = [("a", 1.0), ("b", 2.0), ("c", 1.0)]
    assert ranked(pairs) == ranked(list(reversed(pairs)))


def test_an_id_that_stands_twice_is_refused_by_name() -> None:
    with pytest.raises(DataError, match="'b'"):
        require_unique(["a", "b", "b"])
    with pytest.raises(DataError):
        ranked([("a", 1.0), ("a", 0.5)])


def test_passages_fold_to_parents_at_their_best_rank() -> None:
    assert fold_to_parents(["d2", "d1", "d2"]) == ["d2", "d1"]
