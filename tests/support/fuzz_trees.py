"""Feeds drawn trees, and numbers that are none, to a build of the compiled tree distance; run under a sanitizer.

usage: python fuzz_trees.py LIBRARY ROUNDS SEED
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from beleg.adapters.native import tree_saving

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.tables import drawn_tree


def main(library: str, rounds: int, seed: int) -> None:
    tree_saving.LIBRARY = Path(library)
    if tree_saving.trees_library() is None:
        raise SystemExit("the library does not load")
    rng = np.random.default_rng(seed)
    taken = sum(is_taken(rng) for _ in range(rounds))
    sys.stdout.write(f"{taken} of {rounds} taken\n")


def is_taken(rng: np.random.Generator) -> bool:
    sides = [drawn_tree(rng.integers(0, 60, rng.integers(0, 30)).tolist()) for _ in range(2)]
    saving = 1 + rng.random((len(sides[0]), len(sides[1])))
    fault = rng.integers(0, 6)
    if fault == 0:
        # Still numbers of the array, and no tree.
        sides[0] = np.array([rng.integers(0, place + 1) for place in range(len(sides[0]))])
    elif fault == 1:
        sides[1] = sides[1] + rng.integers(-2, 3)
    elif fault == 2:
        saving = saving[:-1]
    return tree_saving.most_saved(sides[0], sides[1], saving) is not None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
