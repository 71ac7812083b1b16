"""The compiled way to take a run that Python holds: what it takes, and what it leaves to the portable one."""

from __future__ import annotations

import sys
import sysconfig
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from beleg.adapters.native import held_run as module
from beleg.adapters.native.held_run import held_library, take_lists
from beleg.adapters.native.library import SWITCH
from support.hostile_mappings import Emptying, Text

NAMES = ["a", "b", "é"]


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    held_library.cache_clear()
    yield
    held_library.cache_clear()


@pytest.fixture
def _needs_the_library() -> None:
    if held_library() is None:
        pytest.skip("the compiled part was not built or does not suit this interpreter")


def taken(*lists: Any, sizes: list[int] | None = None, names: Any = NAMES, high: int = len(NAMES)) -> Any:
    counts = np.array([len(held) for held in lists] if sizes is None else sizes)
    low = np.zeros(len(lists), dtype=np.int64)
    return take_lists(list(lists), names, counts, low, low + high)


@pytest.mark.usefixtures("_needs_the_library")
def test_it_gives_all_scores_and_what_was_looked_for() -> None:
    value, row, of, score = taken({"x": 3, "b": 0.5}, {}, {"é": -1.0, "a": 2**53 + 1})
    assert value.tolist() == [3.0, 0.5, -1.0, float(2**53 + 1)]
    assert (row.tolist(), of.tolist(), score.tolist()) == ([1, 0, 2], [0, 2, 2], [0.5, float(2**53 + 1), -1.0])


@pytest.mark.usefixtures("_needs_the_library")
@pytest.mark.parametrize(
    "held",
    [
        {7: 1.0}, {7.0: 1.0}, {b"a": 1.0}, {None: 1.0}, {Text("a"): 1.0}, {np.str_("a"): 1.0}, {"a": True},
        {"a": None}, {"a": "0.5"}, {"a": float("nan")}, {"a": np.float64(0.5)}, {"a": 10**400}, {"a": -(10**400)},
        OrderedDict(a=1.0), [("a", 1.0)], "a",
    ],
)  # fmt: skip
def test_it_declines_what_is_more_than_text_and_plain_numbers(held: Any) -> None:
    assert taken({"a": 1.0}, held) is None
    assert sys.exc_info() == (None, None, None)


@pytest.mark.usefixtures("_needs_the_library")
def test_it_runs_no_code_of_an_id() -> None:
    held: dict[Any, Any] = {"b": 1.0}
    held[Emptying("a", held)] = 1.0
    assert taken(held) is None
    assert len(held) == 2


@pytest.mark.usefixtures("_needs_the_library")
def test_it_declines_sizes_and_names_that_do_not_fit() -> None:
    assert taken({"a": 1.0, "b": 2.0}, sizes=[1]) is None
    assert taken({"a": 1.0}, sizes=[2]) is None
    assert taken({"a": 1.0}, high=len(NAMES) + 1) is None
    assert taken({"a": 1.0}, names=("a", "b", "é")) is None
    assert taken({"a": 1.0}, names=["a", "b", 3]) is None


@pytest.mark.usefixtures("_needs_the_library")
def test_it_leaves_the_counts_of_objects_as_they_were() -> None:
    held = {f"d{number}": number / 7 for number in range(100)}
    names = [*held]
    counted = [names[5], held["d5"], held]
    before = [sys.getrefcount(each) for each in counted]
    for _ in range(50):
        assert taken(held, names=names, high=100) is not None
        assert taken(held, {1: 1.0}, names=names, high=100) is None
    assert [sys.getrefcount(each) for each in counted] == before


def test_it_is_left_aside_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "0")
    assert held_library() is None
    assert taken({"a": 1.0}) is None


def test_it_is_left_aside_where_threads_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", {"Py_GIL_DISABLED": 1}.get)
    assert held_library() is None


def test_it_is_left_aside_in_another_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.implementation, "name", "pypy")
    assert held_library() is None


@pytest.mark.usefixtures("_needs_the_library")
def test_it_is_left_aside_where_objects_are_laid_out_in_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    held_library.cache_clear()
    other = module._interpreter()
    other = module._Python(other.functions, other.classes, 0)
    monkeypatch.setattr(module, "_interpreter", lambda: other)
    assert held_library() is None


@pytest.mark.usefixtures("_needs_the_library")
def test_one_that_was_built_for_another_version_is_left_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    held_library.cache_clear()
    monkeypatch.setattr(module, "ABI_VERSION", module.ABI_VERSION + 1)
    assert held_library() is None
