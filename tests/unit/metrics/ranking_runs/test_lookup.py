"""Names are found by their hash, and told apart by themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.metrics.ranking_runs import lookup
from beleg.metrics.ranking_runs.lookup import first_of_each, places_in
from beleg.metrics.ranking_runs.table import Names

NAMES = st.lists(st.text(max_size=12))


@given(NAMES, NAMES)
def test_names_are_found_as_a_dictionary_finds_them(known: list[str], asked: list[str]) -> None:
    known = list(dict.fromkeys(known))
    expected = [known.index(name) if name in known else -1 for name in asked]
    assert places_in(Names.of(known), Names.of(asked)).tolist() == expected


@given(NAMES)
def test_the_first_of_each_name(names: list[str]) -> None:
    rows, number = first_of_each(Names.of(names))
    different = list(dict.fromkeys(names))
    assert [names[row] for row in rows.tolist()] == different
    assert number.tolist() == [different.index(name) for name in names]


def test_names_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup.Names, "fingerprints", lambda names: np.zeros(len(names), dtype=np.uint64))
    assert places_in(Names.of(["a", "b"]), Names.of(["b", "a", "c"])).tolist() == [1, 0, -1]
    rows, number = first_of_each(Names.of(["b", "a", "b"]))
    assert (rows.tolist(), number.tolist()) == ([0, 1], [0, 1, 0])
