"""Runs as Python may hold them: mostly in order, or with anything that a stranger may put into a dictionary."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import numpy as np

DOCUMENTS = [
    "", "a", "b", "d1", "d10", "d2", "é", "\ue000", "\U0001f600", "\ud800", "nul\0byte", "7", "007", "-3",
    "ein-viel-laengerer-name-1", "ein-viel-laengerer-name-2", "x" * 300,
]  # fmt: skip
QUERIES = ["", "q1", "q2", "q3", "q4", "é", "\udfff", "8"]
SCORES = [0.0, -0.0, 1.0, -1.0, 0.5, 0.5000000000000001, 1e300, 5e-324, float("inf"), float("-inf"), 0, 1, -1,
          2**53 + 1, 2**63, -(2**64), 10**300]  # fmt: skip


class Text(str):
    """Text of another class, as numpy has it too."""

    __slots__ = ()


class Emptying(str):
    """An id that empties its list once it is compared."""

    def __new__(cls, text: str, held: dict[Any, Any]) -> Emptying:
        made = super().__new__(cls, text)
        made.held = held  # type: ignore[attr-defined]
        return made

    def __eq__(self, other: object) -> bool:
        self.held.clear()  # type: ignore[attr-defined]
        return str(self) == other

    __hash__ = str.__hash__


class Lying(dict[Any, Any]):
    """A dictionary that says it holds more than it does."""

    def __len__(self) -> int:
        return super().__len__() + 1_000


class Growing(float):
    """A score that changes its list once it is turned into a number."""

    def __new__(cls, held: dict[Any, Any]) -> Growing:
        made = super().__new__(cls, 0.5)
        made.held = held  # type: ignore[attr-defined]
        return made

    def __float__(self) -> float:
        self.held["new"] = 1.0  # type: ignore[attr-defined]
        return 0.5


ODD_SCORES = [float("nan"), True, False, None, "0.9", b"1", 10**400, -(10**400), 1j, [], np.float32(0.5),
              np.float64(0.25), np.int64(7), np.bool_(True), Decimal("0.5"), object()]  # fmt: skip
ODD_IDS: list[Any] = [7, -3, 7.0, None, True, b"d1", (1, 2), np.int64(7), np.str_("d1"), Text("d2"), Text("other")]
FORMS: list[Callable[[dict[Any, Any]], Any]] = [OrderedDict, MappingProxyType, Lying, lambda held: list(held)]


def orderly(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Dictionaries of text to plain numbers."""
    queries = rng.sample(QUERIES, rng.randrange(len(QUERIES) + 1))
    return {query: _list(rng) for query in queries}


def disorderly(rng: random.Random) -> dict[Any, Any]:
    """The same with a few changes, most of which nobody can rank."""
    run: dict[Any, Any] = orderly(rng)
    run.setdefault("q1", {"d1": 1.0})
    for _ in range(rng.randrange(1, 4)):
        query = rng.choice([*run])
        held = run[query]
        kind = rng.randrange(6)
        if kind == 0 and type(held) is dict:
            held[rng.choice(["d1", "d2", "new"])] = rng.choice([*ODD_SCORES, Growing(held)])
        elif kind == 1 and type(held) is dict:
            held[rng.choice(ODD_IDS)] = rng.choice(SCORES)
        elif kind == 2 and type(held) is dict:
            held[Emptying(rng.choice(DOCUMENTS), held)] = 1.0
        elif kind == 3 and isinstance(held, dict):
            run[query] = rng.choice(FORMS[:3])(held)
        elif kind == 4:
            run[rng.choice([8, 9, Text("q2"), np.int64(8)])] = _list(rng)
        elif type(held) is dict and held:
            # An id of another kind that is gone leaves its dictionary changed for good.
            held[5] = 1.0
            del held[5], held[next(iter(held))]
    return run


def _list(rng: random.Random) -> dict[str, Any]:
    names = rng.sample(DOCUMENTS, rng.randrange(len(DOCUMENTS) + 1))
    return {_fresh(name): rng.choice(SCORES) for name in names}


def _fresh(name: str) -> str:
    """The same text as another object, so that being equal is not being the same."""
    return "".join([*name])
