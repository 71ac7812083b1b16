"""The compiled tree distance declines where there is no library, and the portable way answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from beleg.adapters.native import tree_saving
from beleg.adapters.native.tree_saving import most_saved, trees_library
from beleg.metrics.ingestion.tree_distance import tree_distance

LEFT, SAVING = np.array([0, 0]), np.array([[2.0, 1.0], [1.0, 2.0]])


@pytest.fixture
def _opened_anew() -> Iterator[None]:
    trees_library.cache_clear()
    yield
    trees_library.cache_clear()


@pytest.mark.usefixtures("_opened_anew")
def test_without_a_library_the_portable_way_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tree_saving, "LIBRARY", tmp_path / "nothing.bin")
    assert most_saved(LEFT, LEFT, SAVING) is None
    assert tree_distance(LEFT, LEFT, SAVING, quicker=most_saved) == 0


@pytest.mark.usefixtures("_opened_anew")
def test_the_switch_leaves_it_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELEG_NATIVE", "0")
    assert most_saved(LEFT, LEFT, SAVING) is None


@pytest.mark.parametrize(
    ("left", "saving"),
    [
        ([0, 0], [[2.0, 1.0]]),
        ([0, 2], [[2.0, 1.0], [1.0, 2.0]]),
        ([0, -1], [[2.0, 1.0], [1.0, 2.0]]),
        ([], np.zeros((0, 2))),
        ([0, 1], [[2.0, 1.0], [1.0, 2.0]]),
        ([0, 0, 1], [[2.0, 1.0]] * 3),
    ],
)
def test_what_is_no_tree_is_declined(left: list[int], saving: list[list[float]]) -> None:
    assert most_saved(np.array(left, dtype=np.int64), LEFT, np.array(saving)) is None


def test_where_there_is_a_library_it_is_asked_first() -> None:
    assert tree_distance(LEFT, LEFT, SAVING, quicker=lambda *_: 1.5) == 2.5
