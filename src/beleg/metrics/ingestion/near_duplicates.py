"""Near-duplicate documents: candidates by MinHash and banding, each verified by its exact Jaccard similarity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError
from beleg.text.normalise import nfc

Numbers = npt.NDArray[np.uint64]
Pair = tuple[int, int]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_AT_ONCE = 1 << 14
MOST_CANDIDATES = 20_000_000
"""How many candidates one band may give; more do not fit into memory, and come of one text repeated too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Banding:
    """How candidates are sought: documents that agree in all rows of a band are compared exactly.

    Attributes:
        bands: how many bands; more of them find more.
        rows: how many minima a band has; more of them compare less.
        shingle_words: how many words in a row make a shingle.
        threshold: the Jaccard similarity from which two documents are near-duplicates.
        seed: from which the hash functions are drawn.
    """

    bands: int = 25
    rows: int = 5
    shingle_words: int = 3
    threshold: float = 0.8
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("bands", "rows", "shingle_words"):
            if not 1 <= getattr(self, name) <= 1_024:
                raise UsageError(
                    str(Problem(message="a number from 1 to 1024", field=name, value=str(getattr(self, name))))
                )
        if not 0 < self.threshold <= 1:
            raise UsageError(str(Problem(message="above 0, at most 1", field="threshold", value=str(self.threshold))))

    def chance(self, similarity: float) -> float:
        """The chance that two documents of a Jaccard similarity are compared at all.

        Formula: 1 - (1 - s^rows)^bands. Source: Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 3.4.
        It is no step at the threshold: what lies above it is missed with the rest of this chance.

        Example:
            >>> round(Banding().chance(0.8), 4), round(Banding(bands=9, rows=13).chance(0.8), 2)
            (1.0, 0.4)
        """
        return float(1 - (1 - similarity**self.rows) ** self.bands)


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The near-duplicates of a corpus.

    Attributes:
        pairs: positions of two documents, the lower one first, in ascending order, with their Jaccard similarity.
        compared: how many pairs were compared exactly.
        unread: positions of documents without words, which are never near-duplicates.
    """

    pairs: dict[Pair, float]
    compared: int
    unread: tuple[int, ...]

    def clusters(self) -> list[list[int]]:
        """Documents that hang together by pairs, the largest cluster first.

        The first and the last of a chain may have little in common: a cluster says that each document is a
        near-duplicate of some other one in it, and not of all.

        Example:
            >>> Duplicates({(0, 1): 0.9, (1, 2): 0.85}, 2, ()).clusters()
            [[0, 1, 2]]
        """
        leader: dict[int, int] = {}
        for pair in self.pairs:
            first, second = (_leader(leader, each) for each in pair)
            leader[max(first, second)] = min(first, second)
        grouped: dict[int, list[int]] = {}
        for document in sorted({each for pair in self.pairs for each in pair}):
            grouped.setdefault(_leader(leader, document), []).append(document)
        return sorted(grouped.values(), key=lambda group: (-len(group), group))


@dataclass(frozen=True, slots=True, kw_only=True)
class Merges:
    """Found pairs beside labelled ones; false merges spoil answers, missed ones waste the index.

    Attributes:
        right: pairs that are labelled and found.
        false_merges: pairs that are found and not labelled.
        missed_merges: pairs that are labelled and not found.
    """

    right: int
    false_merges: tuple[Pair, ...]
    missed_merges: tuple[Pair, ...]


def near_duplicates(documents: Sequence[str], banding: Banding) -> Duplicates:
    """Finds pairs of documents whose sets of shingles have a Jaccard similarity of at least the threshold.

    Formula: J = common shingles / all shingles of both. Source: Broder, 1997 (MinHash); Indyk and Motwani, 1998
    (banding). Words are what whitespace separates, in NFC and without case; a document with fewer words than a shingle
    is one shingle. Every pair told is verified, so none is false by the definition; `Banding.chance` says what is
    missed. Shingles are compared as 64-bit numbers. Every pair of a group of equal documents is told, so that the cost
    grows with the square of how often one document is repeated.

    Args:
        documents: the texts.
        banding: how candidates are sought, and the threshold.

    Returns:
        The pairs; any order of the documents gives the same ones.

    Raises:
        DataError: if one text is repeated so often that its pairs would not fit into memory.

    Example:
        >>> texts = ["Mars has two moons, Phobos", "mars has two  moons, phobos", "Venus has none"]
        >>> near_duplicates(texts, Banding()).pairs
        {(0, 1): 1.0}
    """
    shingles, edges = _shingles(documents, banding.shingle_words)
    filled = np.flatnonzero(np.diff(edges))
    candidates = _candidates(shingles, edges, filled, banding)
    sets: dict[int, Numbers] = {}
    pairs: dict[Pair, float] = {}
    for first, second in candidates:
        one, other = (_set_of(sets, shingles, edges, each) for each in (first, second))
        if min(len(one), len(other)) < banding.threshold * max(len(one), len(other)):
            continue
        common = len(np.intersect1d(one, other, assume_unique=True))
        similarity = common / (len(one) + len(other) - common)
        if similarity >= banding.threshold:
            pairs[first, second] = similarity
    unread = tuple(np.flatnonzero(np.diff(edges) == 0).tolist())
    return Duplicates(pairs, len(candidates), unread)


def merges(found: Iterable[Pair], labelled: Iterable[Pair]) -> Merges:
    """Holds found pairs against labelled ones, false merges and missed merges apart.

    Example:
        >>> merges([(0, 1), (2, 3)], [(1, 0), (4, 5)])
        Merges(right=1, false_merges=((2, 3),), missed_merges=((4, 5),))
    """
    told, right = ({(min(pair), max(pair)) for pair in pairs} for pairs in (found, labelled))
    return Merges(
        right=len(told & right),
        false_merges=tuple(sorted(told - right)),
        missed_merges=tuple(sorted(right - told)),
    )


def sweep(
    documents: Sequence[str], bandings: Iterable[Banding], labelled: Iterable[Pair]
) -> Iterator[tuple[Banding, Duplicates, Merges]]:
    """Tries several settings on one labelled corpus.

    Example:
        >>> settings = [Banding(threshold=0.5), Banding(threshold=0.99)]
        >>> texts = ["a b c d e f g h", "a b c d e f g x"]
        >>> [merged.right for _, _, merged in sweep(texts, settings, [(0, 1)])]
        [1, 0]
    """
    right = tuple(labelled)
    for banding in bandings:
        found = near_duplicates(documents, banding)
        yield banding, found, merges(found.pairs, right)


def _leader(leader: dict[int, int], document: int) -> int:
    while (above := leader.get(document, document)) != document:
        leader[document] = document = leader.get(above, above)
    return document


def _shingles(documents: Sequence[str], width: int) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """The shingles of all documents one after the other, as numbers, and where each document begins."""
    vocabulary: dict[str, int] = {}
    numbers, counts = [], []
    for document in documents:
        words = nfc(document.casefold()).split()
        numbers.append(np.array([vocabulary.setdefault(word, len(vocabulary)) for word in words], dtype=np.uint64))
        counts.append(len(words))
    words_of = np.concatenate([np.zeros(0, dtype=np.uint64), *numbers])
    lengths = np.array(counts, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    kept = np.where(lengths >= width, lengths - width + 1, np.minimum(lengths, 1))
    edges = np.concatenate([[0], np.cumsum(kept)])
    at = np.arange(edges[-1]) + np.repeat(starts[:-1] - edges[:-1], kept)
    ends = np.repeat(starts[1:], kept)
    shingles = np.zeros(len(at), dtype=np.uint64)
    for offset in range(width):
        inside = at + offset < ends
        word = np.where(inside, words_of[np.minimum(at + offset, len(words_of) - 1)] + np.uint64(1), np.uint64(0))
        shingles = _mixed(shingles + word)
    return shingles, edges


def _mixed(numbers: Numbers) -> Numbers:
    mixed = numbers * _STEP + _STEP
    for factor, shift in zip(_MIX, (30, 27), strict=True):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * factor
    result: Numbers = mixed ^ (mixed >> np.uint64(31))
    return result


def _candidates(
    shingles: Numbers, edges: npt.NDArray[np.int64], filled: npt.NDArray[np.intp], banding: Banding
) -> list[Pair]:
    """The pairs that agree in a band, each once, in ascending order."""
    total = len(edges) - 1
    low = (shingles >> np.uint64(32)).astype(np.uint32)
    factors = _mixed(np.arange(2 * banding.bands * banding.rows, dtype=np.uint64) + np.uint64(banding.seed << 20))
    found: list[npt.NDArray[np.int64]] = []
    for band in range(banding.bands):
        keys = np.zeros(len(filled), dtype=np.uint64)
        for row in range(banding.rows):
            at = 2 * (band * banding.rows + row)
            factor, shift = np.uint32(int(factors[at]) & 0xFFFFFFFF | 1), np.uint32(int(factors[at + 1]) & 0xFFFFFFFF)
            keys = _mixed(keys ^ _minima(low, edges, filled, factor, shift).astype(np.uint64))
        found.append(_agreeing(keys, filled, total))
    coded = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *found]))
    return list(zip((coded // total).tolist(), (coded % total).tolist(), strict=True)) if len(coded) else []


def _minima(
    low: npt.NDArray[np.uint32],
    edges: npt.NDArray[np.int64],
    filled: npt.NDArray[np.intp],
    factor: np.uint32,
    shift: np.uint32,
) -> npt.NDArray[np.uint32]:
    minima = np.empty(len(filled), dtype=np.uint32)
    for first in range(0, len(filled), _AT_ONCE):
        part = filled[first : first + _AT_ONCE]
        begin = edges[part[0]]
        hashed = low[begin : edges[part[-1] + 1]] * factor + shift
        hashed ^= hashed >> np.uint32(15)
        minima[first : first + _AT_ONCE] = np.minimum.reduceat(hashed, edges[part] - begin)
    return minima


def _agreeing(keys: Numbers, filled: npt.NDArray[np.intp], total: int) -> npt.NDArray[np.int64]:
    """Pairs of documents with one key, as one number each."""
    order = np.argsort(keys, kind="stable")
    ordered, documents = keys[order], filled[order].astype(np.int64)
    found = [np.zeros(0, dtype=np.int64)]
    step = 1
    while step < len(ordered):
        same = np.flatnonzero(ordered[step:] == ordered[:-step])
        if not len(same):
            break
        found.append(documents[same] * total + documents[same + step])
        if sum(map(len, found)) > MOST_CANDIDATES:
            raise DataError(
                Problem(
                    message=f"more than {MOST_CANDIDATES} pairs of documents agree in one band",
                    remedy="Take out equal documents first, or take more rows to a band",
                )
            )
        step += 1
    return np.concatenate(found)


def _set_of(sets: dict[int, Numbers], shingles: Numbers, edges: npt.NDArray[np.int64], document: int) -> Numbers:
    if document not in sets:
        sets[document] = np.unique(shingles[edges[document] : edges[document + 1]])
    return sets[document]
