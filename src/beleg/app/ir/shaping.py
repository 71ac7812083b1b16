"""What is done to a run before it is measured: ended at a budget of tokens, folded to parent documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from beleg.adapters.formats.runs.pairs import MAX_TOKENS, read_parents, read_tokens
from beleg.adapters.frames.spans import Spans
from beleg.app.ir.memory import Given
from beleg.app.ir.reading import Ranked
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.metrics.ranking_runs.budget import token_counts, within_budget
from beleg.metrics.ranking_runs.parents import (
    POLICIES,
    Policy,
    fold_to_parents,
    parents_by_mapping,
    parents_by_separator,
)
from beleg.metrics.ranking_runs.table import IntArray, Names, Table
from beleg.text.identifiers import as_text

Known = str | PathLike[str] | Mapping[object, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is done, the budget first; nothing by default.

    ``parents`` and ``tokens`` are files or mappings by passage.
    """

    fold: str | None = None
    """How passages give the score of their document: best, first, sum or refuse."""
    parents: Known | None = None
    parent_separator: str | None = None
    tokens: Known | None = None
    budget_tokens: int | None = None

    def __post_init__(self) -> None:
        if self.fold is not None and self.fold not in POLICIES:
            raise UsageError(f"there is no way {self.fold!r} to fold", hint=f"Known are {', '.join(POLICIES)}")
        ways = (self.parents is not None) + (self.parent_separator is not None)
        if self.fold is not None and ways != 1:
            found = "in two ways" if ways else "in no way"
            raise UsageError(
                f"the parents of passages are named {found}", hint="Give --parents FILE or --parent-separator '#'"
            )
        if self.fold is None and ways:
            raise UsageError("parents are named, and not how to fold", hint="Add --fold-parents best, first or sum")
        if (self.tokens is None) != (self.budget_tokens is None):
            raise UsageError("a budget needs both its size and the tokens of the passages",
                             hint="Give --budget-tokens 800 and --tokens FILE")  # fmt: skip

    def prepared(self) -> Shaping:
        """Reads the files, once for all runs.

        Raises:
            UsageError: if there is no such file.
            DataError: if a file is faulty.
        """
        return Shaping(
            policy=next((policy for policy in POLICIES if policy == self.fold), None),
            separator=self.parent_separator,
            parents=None if self.parents is None else _parents(self.parents),
            tokens=None if self.tokens is None else _tokens(self.tokens),
            budget=self.budget_tokens or 0,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Shaping:
    """A shape with what its files hold."""

    policy: Policy | None
    separator: str | None
    parents: tuple[Names, Names] | None
    tokens: tuple[Names, IntArray] | None
    budget: int

    def of(self, run: Given) -> Given:
        """The run in that shape; as it is, where nothing is to be done.

        Raises:
            DataError: naming passages without parent or number of tokens, and repeats that may not be.
        """
        if self.policy is None and self.tokens is None:
            return run
        table = run.table()
        if self.tokens is not None:
            table = within_budget(table, token_counts(table.documents, *self.tokens), self.budget)
        if self.policy is not None:
            table = fold_to_parents(table, self._parents_of(table), self.policy)
        return Given(run.name, Ranked(run.name, run.tag, table, run.dropped))

    def _parents_of(self, table: Table) -> Names:
        if self.parents is not None:
            return parents_by_mapping(table.documents, *self.parents)
        return parents_by_separator(table.documents, self.separator or "")


def _parents(source: Known) -> tuple[Names, Names]:
    if isinstance(source, Mapping):
        pairs = _texts(source)
        return Names.of(pairs), Names.of(as_text(parent, "parent") for parent in pairs.values())
    passages, documents = read_parents(Path(source))
    return _names(passages), _names(documents)


def _tokens(source: Known) -> tuple[Names, IntArray]:
    if isinstance(source, Mapping):
        pairs = _texts(source)
        for name, number in pairs.items():
            is_whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
            if not is_whole or not 0 <= number <= MAX_TOKENS:  # type: ignore[operator]
                message = f"passage {shown(name)} has no whole number of tokens"
                raise DataError(Problem(field="tokens", message=message, value=shown(number), remedy="Count them"))
        return Names.of(pairs), np.array(list(pairs.values()), dtype=np.int64)
    passages, numbers = read_tokens(Path(source))
    return _names(passages), numbers


def _texts(source: Mapping[object, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in source.items():
        text = as_text(name, "passage")
        if text in found:
            raise DataError(Problem(field="passage", message="the passage stands twice", value=shown(text)))
        found[text] = value
    return found


def _names(spans: Spans) -> Names:
    return Names(spans.buffer, spans.start, spans.length)
