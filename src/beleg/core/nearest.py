"""Nearest neighbours: how vectors are compared, and the seam for indexes that search them approximately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.core.errors import UsageError
from beleg.core.inference import Vectors

Rows: TypeAlias = npt.NDArray[np.int64]
"""Row numbers of the corpus, from 0."""

ABSENT = -1
"""Stands in a list of rows where an index delivered fewer than were asked for."""


class Similarity(StrEnum):
    """How two vectors are compared; a higher score is nearer."""

    COSINE = "cosine"
    """Inner product over the product of both lengths."""
    INNER_PRODUCT = "ip"
    L2 = "l2"
    """Minus the squared Euclidean distance."""


@dataclass(frozen=True, slots=True, eq=False)
class Admitted:
    """The rows that a filter admits, under the number by which an index knows the filter."""

    number: int
    name: str
    rows: Rows
    """In ascending order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One setting of an index: a whole number within limits."""

    name: str
    default: int
    least: int = 1
    most: int = 1_000_000

    def require(self, value: int) -> None:
        """Refuses a value outside the limits.

        Raises:
            UsageError: naming the setting and its limits.
        """
        if not self.least <= value <= self.most:
            raise UsageError(f"{self.name} must lie between {self.least:,} and {self.most:,} (found {value:,})")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexKind:
    """What a kind of index is called, and what can be set when it is built and when it is searched."""

    name: str
    build: tuple[Parameter, ...] = ()
    search: tuple[Parameter, ...] = ()
    filters: bool = True
    """Whether a search can be confined to rows that a filter admits."""
    note: str = ""
    """What a reader of its figures must know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryReading:
    """What an index takes, and how that was found out."""

    bytes: int
    how: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BuildRequest:
    """Everything that an index is built from."""

    vectors: Vectors
    similarity: Similarity
    parameters: Mapping[str, int]
    filters: Sequence[Admitted] = ()
    """The filters that searches will use; an index that stores them beside the vectors needs them here."""
    seed: int = 0
    threads: int = 1


class VectorIndex(Protocol):
    """An index over vectors, built once and searched often."""

    def search(self, queries: Vectors, k: int, parameters: Mapping[str, int], admitted: Admitted | None = None) -> Rows:
        """The rows found for each query, nearest first.

        Args:
            queries: one row each.
            k: how many neighbours each query gets.
            parameters: settings of the search.
            admitted: the filter to keep to.

        Returns:
            Queries by ``k`` row numbers; `ABSENT` where fewer were found.
        """
        ...

    def memory(self) -> MemoryReading | None:
        """What the index takes; ``None`` where that cannot be told."""
        ...

    def close(self) -> None:
        """Releases memory, files and connections."""
        ...


class IndexBuilder(Protocol):
    """A kind of index that can be built."""

    @property
    def kind(self) -> IndexKind:
        """Its name and its settings."""
        ...

    def build(self, request: BuildRequest) -> VectorIndex:
        """Builds an index.

        Raises:
            MissingExtra: if the package behind it is not installed.
        """
        ...
