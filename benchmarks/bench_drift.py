"""Embedding drift by maximum mean discrepancy, beside scikit-learn's kernel with its labels exchanged one by one.

usage: python benchmarks/bench_drift.py [--smoke]

Two windows of 5,000 vectors with 384 dimensions, 1,000 exchanges of labels. The peer is the usual way with libraries:
the whole kernel by scikit-learn once, then its sums for each exchange; it does ten of them, and its time is scaled.
Imports are not counted.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel

from beleg.stats.classifier_two_sample import classifier_test
from beleg.stats.kernel_two_sample import mmd_test
from measuring import Row, is_smoke, show, spend

BUDGET_S = 5.0
BUDGET_MB = 600.0
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is compared, and how many exchanges the peer does."""

    rows: int
    dimensions: int
    permutations: int
    peer_permutations: int


FULL = Sizes(5_000, 384, 1_000, 10)
SMOKE = Sizes(120, 16, 50, 10)


def by_the_library(reference: Matrix, current: Matrix, permutations: int) -> tuple[float, int]:
    """The unbiased estimate, and how many exchanges reach it."""
    rng = np.random.default_rng(2)
    pooled = np.concatenate([reference, current])
    sigma = np.median(euclidean_distances(pooled)[np.triu_indices(len(pooled), 1)])
    kernel = rbf_kernel(pooled, gamma=1.0 / (2.0 * sigma**2))
    real = _estimate(kernel, np.arange(len(pooled)), len(reference))
    reached = [_estimate(kernel, rng.permutation(len(pooled)), len(reference)) >= real for _ in range(permutations)]
    return real, sum(reached)


def _estimate(kernel: Matrix, order: npt.NDArray[np.int64], m: int) -> float:
    first, second = order[:m], order[m:]
    n = len(second)
    within = (kernel[np.ix_(first, first)].sum() - m) / (m * (m - 1))
    other = (kernel[np.ix_(second, second)].sum() - n) / (n * (n - 1))
    return float(within + other - 2.0 * kernel[np.ix_(first, second)].mean())


def main() -> None:
    """Checks that both sides find the same discrepancy, then shows what each took."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    rng = np.random.default_rng(1)
    shape = (sizes.rows, sizes.dimensions)
    reference, current = rng.normal(size=shape), rng.normal(loc=0.02, size=shape)
    ours, spent = spend(
        lambda: mmd_test(reference, current, permutations=sizes.permutations, rng=np.random.default_rng(2))
    )
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    _, classified = spend(lambda: classifier_test(reference, current, permutations=200, rng=np.random.default_rng(2)))
    _, kernel_s = spend(lambda: by_the_library(reference, current, 0))
    (theirs, _), theirs_s = spend(lambda: by_the_library(reference, current, sizes.peer_permutations))
    if abs(theirs - ours.squared_mmd) > 1e-6:
        raise SystemExit(f"the discrepancies differ: {ours.squared_mmd} and {theirs}; the ratio would mean nothing")
    each = (theirs_s.cpu_s - kernel_s.cpu_s) / sizes.peer_permutations
    peer_s = kernel_s.cpu_s + each * sizes.permutations
    alike = f"both find {theirs:.3e}; the peer's time is scaled from {sizes.peer_permutations} exchanges"
    what = f"MMD, 2 × {sizes.rows:,} × {sizes.dimensions}, {sizes.permutations:,} exchanges"
    rows = [
        Row(
            what=f"{what}, CPU time", measured=spent.cpu_s, unit="s", budget=BUDGET_S, peer="scikit-learn's kernel",
            peer_measured=peer_s, note=alike,
        ),
        Row(what=f"{what}, peak memory", measured=peak_mb, unit="MB", budget=BUDGET_MB, note="the whole process"),
        Row(what="classifier test, 200 exchanges, CPU time", measured=classified.cpu_s, unit="s"),
    ]  # fmt: skip
    show("drift", what, rows, packages=("numpy", "scikit-learn"), smoke=smoke)


if __name__ == "__main__":
    main()
