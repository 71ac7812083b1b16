"""Latent semantic analysis over character n-grams: a dense lane that needs no model, only the corpus."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.inference import Vectors
from beleg.reference.analysis import plain_words

HASH_BITS = 17
GRAM_LENGTHS = (3, 4, 5)
OVERSAMPLING = 20
POWER_ITERATIONS = 1
RARE_GRAMS_FROM = 50
"""From this many passages on, n-grams of a single passage are dropped; they cannot relate two passages."""

SparseRow = tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]


class GramHasher:
    """Character n-grams of 3 to 5 letters within word boundaries, hashed into a fixed space.

    Example:
        >>> columns, counts = GramHasher().row("ab ab")
        >>> len(columns), [int(count) for count in counts]
        (3, [2, 2, 2])
    """

    def __init__(self) -> None:
        self._known: dict[str, npt.NDArray[np.int32]] = {}

    def row(self, text: str) -> SparseRow:
        """The distinct n-grams of a text and how often each occurs."""
        found = [self._grams(word) for word in plain_words(text)]
        if not found:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float32)
        columns, counts = np.unique(np.concatenate(found), return_counts=True)
        return columns, counts.astype(np.float32)

    def _grams(self, word: str) -> npt.NDArray[np.int32]:
        known = self._known.get(word)
        if known is None:
            padded = f" {word} "
            grams = {padded[at : at + length] for length in GRAM_LENGTHS for at in range(len(padded) - length + 1)}
            hashes = sorted({zlib.crc32(gram.encode()) & ((1 << HASH_BITS) - 1) for gram in grams})
            known = self._known[word] = np.array(hashes, dtype=np.int32)
        return known


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LsaModel:
    """A fitted space: which hashed n-gram is which column, its idf, and the projection onto the components."""

    column_of: npt.NDArray[np.int32]
    idf: npt.NDArray[np.float32]
    projection: npt.NDArray[np.float32]
    hasher: GramHasher

    def embed(self, text: str) -> Vectors:
        """The unit vector of a text; all zeros where no n-gram of it is known."""
        columns, weights = _weighted(self.hasher.row(text), self.column_of, self.idf)
        return _unit(weights @ self.projection[columns])


def fit_lsa(texts: Sequence[str], *, dimensions: int, rng: np.random.Generator) -> tuple[LsaModel, Vectors]:
    """Fits the space on passages and returns their vectors.

    Formula: rows ``(1 + ln tf) * idf`` of unit length, ``idf = ln((1 + N) / (1 + df)) + 1``; then the truncated
    singular value decomposition ``A ~ U S V'`` by a randomised range finder with one power iteration; a text is
    ``a V``, of unit length. Source: Deerwester et al., 1990; Halko, Martinsson and Tropp, 2011, algorithms 4.4 and 5.1.

    Args:
        texts: the passages.
        dimensions: how many components to keep; fewer where the passages do not span as many.
        rng: draws the test matrix of the range finder; the same seed gives the same space.

    Returns:
        The model and one row per passage.

    Example:
        >>> model, vectors = fit_lsa(["red tent", "blue boat"], dimensions=2, rng=np.random.default_rng(1))
        >>> [int(row) for row in np.argsort(-(vectors @ model.embed("a tent")))]
        [0, 1]
    """
    hasher = GramHasher()
    counted = [hasher.row(text) for text in texts]
    column_of, idf = _vocabulary(counted)
    rows = [_weighted(row, column_of, idf) for row in counted]
    del counted
    projection = _components(rows, len(idf), dimensions, rng)
    vectors = _times(rows, projection)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
    return LsaModel(column_of=column_of, idf=idf, projection=projection, hasher=hasher), vectors


def _vocabulary(counted: Sequence[SparseRow]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    frequency = np.zeros(1 << HASH_BITS, dtype=np.int64)
    for columns, _ in counted:
        frequency[columns] += 1
    kept = frequency >= (2 if len(counted) >= RARE_GRAMS_FROM else 1)
    column_of = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    idf = np.log((1 + len(counted)) / (1 + frequency[kept])) + 1
    return column_of, idf.astype(np.float32)


def _weighted(row: SparseRow, column_of: npt.NDArray[np.int32], idf: npt.NDArray[np.float32]) -> SparseRow:
    columns = column_of[row[0]]
    known = columns >= 0
    columns = columns[known]
    weights = (1 + np.log(row[1][known])) * idf[columns]
    return columns, _unit(weights)


def _unit(vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else vector


def _components(
    rows: Sequence[SparseRow], width: int, dimensions: int, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """The leading right singular vectors, as columns."""
    sample = min(dimensions + OVERSAMPLING, len(rows), width)
    basis = _orthonormal(_times(rows, rng.standard_normal((width, sample), dtype=np.float32)))
    for _ in range(POWER_ITERATIONS):
        basis = _orthonormal(_times(rows, _transposed_times(rows, basis, width)))
    small = _transposed_times(rows, basis, width)
    squares, directions = np.linalg.eigh(small.T @ small)
    order = np.argsort(-squares)[:dimensions]
    order = order[squares[order] > squares.max(initial=0) * 1e-6]
    return np.asarray((small @ directions[:, order]) / np.sqrt(squares[order]), dtype=np.float32)


def _orthonormal(matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.linalg.qr(matrix).Q


def _times(rows: Sequence[SparseRow], matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    product = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    for position, (columns, weights) in enumerate(rows):
        product[position] = weights @ matrix[columns]
    return product


def _transposed_times(
    rows: Sequence[SparseRow], matrix: npt.NDArray[np.float32], width: int
) -> npt.NDArray[np.float32]:
    product = np.zeros((width, matrix.shape[1]), dtype=np.float32)
    for position, (columns, weights) in enumerate(rows):
        # The columns of one row are distinct, so that this adds every entry once.
        product[columns] += weights[:, None] * matrix[position]
    return product
