"""Bootstrap intervals and sign flip tests of many columns at once, beside scipy.

usage: python benchmarks/bench_resampling.py [--smoke]

Fifty columns of paired differences, 6,980 queries, 10,000 resamples. Each side is a process of its own with one thread,
start and imports not counted in the processor time, but in the peak of memory. Scipy works column by column in batches
of 256 resamples, where it is fastest; it does a few of the columns, and its time is scaled to fifty.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from measuring import Row, is_smoke, show

ROUNDS = 3
BUDGET_S = 1.0
BUDGET_MB = 400.0
SETUP = """
import json, resource, sys, time
import numpy as np
table = np.load(sys.argv[1])
columns, resamples = int(sys.argv[2]), int(sys.argv[3])
table = table[:, :columns]
"""
OURS = """
from beleg.stats.bootstrap import bootstrap_means
from beleg.stats.randomisation import sign_flip
def intervals():
    found = bootstrap_means(table, resamples=resamples, rng=np.random.default_rng(1)).bca()
    return [(each.lower, each.upper) for each in found]
def flips():
    return sign_flip(table, patterns=resamples, rng=np.random.default_rng(2)).p_values.tolist()
"""
THEIRS = """
from scipy.stats import bootstrap, permutation_test
def intervals():
    found = []
    for column in table.T:
        rng = np.random.default_rng(3)
        made = bootstrap((column,), np.mean, n_resamples=resamples, batch=256, method="BCa", rng=rng)
        found.append(tuple(made.confidence_interval))
    return found
def mean(sample, axis):
    return sample.mean(axis=axis)
def flips():
    return [
        permutation_test((column,), mean, permutation_type="samples", vectorized=True, n_resamples=resamples, batch=256,
                         rng=np.random.default_rng(4)).pvalue
        for column in table.T
    ]
"""
MEASURED = """
work = {"intervals": intervals, "flips": flips}[sys.argv[4]]
began = time.process_time()
found = work()
spent = time.process_time() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpu_s": spent, "peak_mb": peak, "found": found}))
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is resampled, and how many of the columns scipy does."""

    queries: int
    columns: int
    resamples: int
    peer_columns: int
    rounds: int


FULL = Sizes(6_980, 50, 10_000, 3, ROUNDS)
SMOKE = Sizes(300, 50, 400, 2, 1)


@dataclass(frozen=True, slots=True)
class Done:
    """What one side found, and what it took."""

    cpu_s: float
    peak_mb: float
    found: np.ndarray


def write(folder: Path, sizes: Sizes) -> Path:
    """Differences as runs have them: most queries do not differ, the others by up to 1."""
    rng = np.random.default_rng(9)
    shape = (sizes.queries, sizes.columns)
    differences = np.where(rng.random(shape) < 0.4, rng.normal(0.01, 0.25, shape).clip(-1, 1), 0.0)
    path = folder / "differences.npy"
    np.save(path, differences)
    return path


def side(program: str, data: Path, columns: int, sizes: Sizes, what: str) -> Done:
    """The least of several rounds, each in a fresh interpreter with one thread."""
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    words = [sys.executable, "-c", SETUP + program + MEASURED, data, str(columns), str(sizes.resamples), what]
    rounds = []
    for _ in range(sizes.rounds):
        said = subprocess.run(words, env=os.environ | one_thread, capture_output=True, text=True, check=True).stdout
        rounds.append(json.loads(said))
    return Done(
        min(each["cpu_s"] for each in rounds),
        min(each["peak_mb"] for each in rounds),
        np.array(rounds[0]["found"]),
    )


def require_alike(ours: Done, theirs: Done, sizes: Sizes, what: str) -> float:
    """The largest gap between the figures of both sides, which must be no more than two Monte-Carlo runs may differ."""
    found = ours.found[: len(theirs.found)]
    if what == "intervals":
        allowed = 12.0 * np.ptp(theirs.found, axis=1).mean() / np.sqrt(sizes.resamples)
    else:
        allowed = 5.0 * np.sqrt(2.0 * 0.25 / sizes.resamples)
    gap = float(np.abs(found - theirs.found).max())
    if gap > allowed:
        raise SystemExit(f"the {what} differ by {gap:.3g}, more than chance allows; the ratio would mean nothing")
    return gap


def main() -> None:
    """Checks that both sides say the same, then shows what each took."""
    smoke = is_smoke(__doc__)
    sizes = SMOKE if smoke else FULL
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data = write(Path(folder), sizes)
        scale = sizes.columns / sizes.peer_columns
        for what, name in (("intervals", "paired intervals"), ("flips", "sign flip tests")):
            ours = side(OURS, data, sizes.columns, sizes, what)
            theirs = side(THEIRS, data, sizes.peer_columns, sizes, what)
            gap = require_alike(ours, theirs, sizes, what)
            named = f"{sizes.columns} {name}"
            alike = f"the figures of {sizes.peer_columns} columns differ by at most {gap:.2g}"
            note = f"{alike}; scipy's time is scaled by {scale:.3g}"
            memory_note = f"whole process; scipy holds {sizes.peer_columns} columns, ours all"
            peer = "scipy, batch 256"
            rows += [
                Row(
                    what=f"{named}, CPU time", measured=ours.cpu_s, unit="s", budget=BUDGET_S, peer=peer,
                    peer_measured=theirs.cpu_s * scale, note=note,
                ),
                Row(
                    what=f"{named}, peak memory", measured=ours.peak_mb, unit="MB", budget=BUDGET_MB, peer=peer,
                    peer_measured=theirs.peak_mb, note=memory_note,
                ),
            ]  # fmt: skip
    setting = f"{sizes.columns} columns, {sizes.queries:,} queries, {sizes.resamples:,} resamples, one thread"
    show("resampling", setting, rows, packages=("numpy", "scipy"), smoke=smoke)


if __name__ == "__main__":
    main()
