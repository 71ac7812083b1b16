"""How alike two run files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.app.ir.reading import read_run, require_one_stdin
from beleg.core.errors import UsageError
from beleg.metrics.ranking_runs.rank_overlap import TIES, Overlap, OverlapOfRuns, Ties, overlap_of_runs


@dataclass(frozen=True, slots=True, eq=False)
class OverlapReport:
    """The overlap of two run files."""

    p: float
    ties: Ties
    found: OverlapOfRuns

    def summary(self) -> dict[str, float]:
        """The means over the queries that both files have."""
        return _row(self.found.mean())

    def per_query(self) -> dict[str, dict[str, float]]:
        """The figures of every query that both files have."""
        return {name: _row(each) for name, each in zip(self.found.queries, self.found.overlaps, strict=True)}

    def counts(self) -> dict[str, int]:
        """Common queries, and those that only one file has."""
        return {
            "queries": len(self.found.queries),
            "only_first": self.found.only_first,
            "only_second": self.found.only_second,
        }

    def to_json(self, *, per_query: bool) -> dict[str, Any]:
        """One object: ``measures``, ``per_query`` where wanted, ``counts``, and the parameters."""
        found: dict[str, Any] = {"measures": self.summary()}
        if per_query:
            found["per_query"] = self.per_query()
        return {**found, "counts": self.counts(), "p": self.p, "ties": self.ties}


def overlap_of_files(
    first: Path, second: Path, *, p: float = 0.9, ties: str = "a", depth: int | None = None, lenient: bool = False
) -> OverlapReport:
    """Compares the rankings of two run files, see `overlap_of_runs`; ``-`` reads one of them from standard input.

    Raises:
        UsageError: if a file is not there, or a parameter cannot be.
        DataError: if a file is faulty, or the files have no query in common.
    """
    meaning: Ties | None = next((each for each in TIES if each == ties), None)
    if meaning is None:
        raise UsageError(f"ties are {ties!r}", hint=f"Give one of {', '.join(TIES)}")
    require_one_stdin(first, second)
    one, two = (read_run(path, lenient=lenient) for path in (first, second))
    return OverlapReport(p, meaning, overlap_of_runs(one.table, two.table, p=p, ties=meaning, depth=depth))


def _row(overlap: Overlap) -> dict[str, float]:
    return {
        "RBO_ext": overlap.extrapolated,
        "RBO_min": overlap.least,
        "RBO_max": overlap.most,
        "RBO_res": overlap.residual,
    }
