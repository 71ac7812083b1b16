"""Near-duplicates: exact figures, every pair above the threshold, the same in any order."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.ingestion import near_duplicates as module
from beleg.metrics.ingestion.near_duplicates import Banding, Duplicates, merges, near_duplicates, sweep

ONE_WORD = Banding(bands=60, rows=1, shingle_words=1, threshold=0.4)


def corpus(seed: int, total: int = 300) -> list[str]:
    """Random texts, and copies of some with words replaced."""
    rng = np.random.default_rng(seed)
    words = [f"w{number}" for number in range(2_000)]
    texts = [list(rng.choice(words, 60)) for _ in range(total)]
    for text in texts[: total // 3]:
        copy = list(text)
        for place in rng.integers(0, 60, rng.integers(0, 5)):
            copy[place] = "neu"
        texts.append(copy)
    return [" ".join(text) for text in texts]


def by_the_book(texts: list[str], threshold: float) -> dict[tuple[int, int], float]:
    """Every pair, by sets of Python."""
    sets = []
    for text in texts:
        words = text.split()
        sets.append({tuple(words[at : at + 3]) for at in range(len(words) - 2)})
    scores = {pair: len(sets[pair[0]] & sets[pair[1]]) / len(sets[pair[0]] | sets[pair[1]])
              for pair in combinations(range(len(texts)), 2)}  # fmt: skip
    return {pair: score for pair, score in scores.items() if score >= threshold}


@pytest.mark.parametrize("seed", [1, 2])
def test_the_pairs_are_those_of_comparing_everything(seed: int) -> None:
    texts = corpus(seed)
    assert near_duplicates(texts, Banding()).pairs == by_the_book(texts, 0.8)


def test_the_similarity_is_exact() -> None:
    assert near_duplicates(["a b", "a b c d e"], ONE_WORD).pairs == {(0, 1): 0.4}
    assert near_duplicates(["a a a b", "b a"], ONE_WORD).pairs == {(0, 1): 1.0}


def test_any_order_gives_the_same_clusters() -> None:
    texts = corpus(3, 90)
    order = np.random.default_rng(4).permutation(len(texts)).tolist()
    clusters = near_duplicates(texts, Banding()).clusters()
    moved = near_duplicates([texts[at] for at in order], Banding()).clusters()
    assert sorted(sorted(order[at] for at in group) for group in moved) == sorted(clusters)


def test_a_chain_is_one_cluster() -> None:
    assert Duplicates({(0, 5): 0.9, (3, 4): 0.9, (1, 5): 0.8, (1, 2): 0.8}, 4, ()).clusters() == [[0, 1, 2, 5], [3, 4]]


def test_the_chance_is_what_is_found() -> None:
    rng = np.random.default_rng(7)
    banding, found = Banding(bands=3, rows=4, shingle_words=1, threshold=0.5), 0
    for trial in range(400):
        words = [f"v{number}" for number in rng.integers(0, 10**9, 150)]
        pair = [" ".join(words[:125]), " ".join(words[25:])]
        found += len(near_duplicates(pair, Banding(bands=3, rows=4, shingle_words=1, threshold=0.5, seed=trial)).pairs)
    expected = banding.chance(100 / 150)
    assert abs(found / 400 - expected) < 4 * (expected * (1 - expected) / 400) ** 0.5


def test_empty_short_and_hostile_documents() -> None:
    found = near_duplicates(["", " \n", "a", "A", "a b", "x\ud800", "שלום עולם", "שלום  עולם"], Banding())
    assert found.unread == (0, 1)
    assert found.pairs == {(2, 3): 1.0, (6, 7): 1.0}
    assert near_duplicates([], Banding()) == Duplicates({}, 0, ())
    assert near_duplicates([""], Banding()) == Duplicates({}, 0, (0,))


def test_false_and_missed_merges_are_told_apart_over_a_sweep() -> None:
    texts = ["a b c d e f g h i j", "a b c d e f g h i x", "a b c d e f q r s t"]
    settings = [Banding(bands=60, rows=1, threshold=each) for each in (0.2, 0.7, 0.95)]
    told = [(m.right, len(m.false_merges), len(m.missed_merges)) for _, _, m in sweep(texts, settings, [(1, 0)])]
    assert told == [(1, 2, 0), (1, 0, 0), (0, 0, 1)]
    assert merges([], []).right == 0


@pytest.mark.parametrize("wrong", [{"bands": 0}, {"rows": 2_000}, {"threshold": 0.0}, {"threshold": 1.5}])
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Banding(**wrong)  # type: ignore[arg-type]


def test_a_text_repeated_too_often_is_refused_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CANDIDATES", 100)
    assert len(near_duplicates(["a b c"] * 12, Banding()).pairs) == 66
    with pytest.raises(DataError, match="Take out equal documents"):
        near_duplicates(["a b c"] * 20, Banding())
