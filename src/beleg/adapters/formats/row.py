"""One row of a file, and the faults that were found in its neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from beleg.adapters.formats.limits import MAX_PROBLEMS
from beleg.core.errors import DataError, Problem, shown


@dataclass(frozen=True, slots=True)
class Row:
    """One row and its place."""

    file: str
    line: int
    """The line on which the row begins; for Parquet, the row's number."""
    data: dict[str, Any]
    text_cells: bool = False
    """Whether every leaf is the text of a CSV cell, to be understood by the type of its field."""


@dataclass(slots=True)
class Faults:
    """Collects the faults of one input, so that they are reported together."""

    problems: list[Problem] = field(default_factory=list)

    def add(self, error: DataError) -> None:
        """Keeps the problems of an error.

        Raises:
            DataError: with all problems so far, once there are `MAX_PROBLEMS` of them.
        """
        self.problems.extend(error.problems)
        if len(self.problems) >= MAX_PROBLEMS:
            self.raise_if_any()

    def raise_if_any(self) -> None:
        """Raises what was collected, in the order of lines.

        Raises:
            DataError: if there is any problem.
        """
        if self.problems:
            raise DataError(sorted(self.problems[:MAX_PROBLEMS], key=lambda problem: problem.line or 0))


def as_row(value: object, file: str, line: int) -> Row:
    """A value as a row.

    Raises:
        DataError: if the value is no mapping.
    """
    if not isinstance(value, dict):
        raise DataError(
            Problem(
                file=file,
                line=line,
                message="a row must be a mapping of fields",
                value=shown(value),
                remedy='Write the row as {"field": value, …}',
            )
        )
    return Row(file, line, value)
