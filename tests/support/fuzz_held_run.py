"""Feeds hostile dictionaries to a build of the compiled part; run under a sanitizer, it ends at the first wrong access.

usage: python fuzz_held_run.py LIBRARY ROUNDS SEED
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.native import held_run

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.hostile_mappings import DOCUMENTS, disorderly, orderly


def main(library: str, rounds: int, seed: int) -> None:
    held_run.LIBRARY = Path(library)
    if held_run.held_library() is None:
        raise SystemExit("the library does not load")
    rng = random.Random(seed)
    taken = sum(is_taken(rng) for _ in range(rounds))
    sys.stdout.write(f"{taken} of {rounds} taken\n")


def is_taken(rng: random.Random) -> bool:
    make = rng.choice([orderly, disorderly])
    lists = [*make(rng).values()]
    names: list[Any] = rng.sample(DOCUMENTS, 9)
    sizes = np.array([len(held) for held in lists], dtype=np.int64)
    low = np.array([rng.randrange(9) for _ in lists], dtype=np.int64)
    high = np.array([rng.randrange(each, 10) for each in low], dtype=np.int64)
    fault = rng.randrange(20)
    if fault == 0:
        sizes = sizes + rng.randrange(-1, 2)
        sizes[sizes < 0] = 0
    elif fault == 1:
        high = high + 1
    elif fault == 2:
        names[rng.randrange(9)] = rng.choice([None, 7, b"d1"])
    return held_run.take_lists(lists, names, sizes, low, high) is not None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
