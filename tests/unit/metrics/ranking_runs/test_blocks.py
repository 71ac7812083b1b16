"""How many scores stand above and beside some of them, against counting one by one."""

from __future__ import annotations

import numpy as np
import pytest

from beleg.metrics.ranking_runs.blocks import MOST_COUNTED, Block


@pytest.mark.parametrize("most", [1, MOST_COUNTED, 3 * MOST_COUNTED])
def test_counts_are_those_of_looking_at_every_score(most: int) -> None:
    rng = np.random.default_rng(most)
    lists = [rng.integers(0, 9, rng.integers(1, 40)).astype(np.float64) for _ in range(60)]
    asked = [rng.choice(each, int(rng.integers(0, most + 1))) for each in lists]
    block = Block(np.concatenate(lists), np.concatenate(([0], np.cumsum([len(each) for each in lists]))))
    of = np.repeat(np.arange(len(lists)), [len(each) for each in asked])
    score = np.concatenate(asked)
    above, equal = block.counts(of, score)
    assert above.tolist() == [int((lists[place] > value).sum()) for place, value in zip(of, score, strict=True)]
    assert equal.tolist() == [int((lists[place] == value).sum()) for place, value in zip(of, score, strict=True)]


def test_nothing_asked_is_nothing_found() -> None:
    above, equal = Block(np.array([1.0]), np.array([0, 1])).counts(np.empty(0, dtype=np.int64), np.empty(0))
    assert len(above) == len(equal) == 0
