"""Small runs compared, for the tests of what is shown of them."""

from __future__ import annotations

import numpy as np

from beleg.metrics.ranking_runs.comparison import RunComparison, compare_runs
from beleg.metrics.ranking_runs.kernels import Counts, RunValues
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.paired_sample import ComparisonRules


def run_values(
    table: np.ndarray, measures: str, queries: tuple[str, ...] | None = None, *, missing: int = 0
) -> RunValues:
    """A run with given values, measures by queries."""
    table = np.atleast_2d(np.asarray(table, dtype=np.float64))
    n = table.shape[1]
    counts = Counts(queries=n, missing=missing, without_relevant=0, without_judgements=0, extra=0)
    names = queries or tuple(f"q{i:04d}" for i in range(n))
    return RunValues(parse_measures([measures]), names, table, counts)


def compared(
    *gains: float, n: int = 60, queries: tuple[str, ...] | None = None, measures: str = "AP", **rules: object
) -> RunComparison:
    """A baseline and one run for each gain over it."""
    rng = np.random.default_rng(3)
    rows = len(measures.split())
    base = rng.uniform(0.3, 0.6, (rows, n))
    noise = rng.normal(0.0, 0.06, (rows, n))
    runs = [run_values(base, measures, queries)]
    runs += [run_values(base + gain + (noise if gain else 0.0), measures, queries) for gain in gains]
    return compare_runs(runs, ComparisonRules(**rules), np.random.default_rng(1))  # type: ignore[arg-type]
