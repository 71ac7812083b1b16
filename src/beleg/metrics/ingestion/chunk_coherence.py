"""Whether chunks hang together: sentences of one chunk are alike, and those across a boundary are less so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem
from beleg.core.score import Score, ScoreStatus

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

NO_PAIR_WITHIN = "no chunk has two sentences"
NO_PAIR_ACROSS = "no document has two chunks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherence:
    """Cosines of sentences, as sums over pairs, so that documents can be added up.

    Attributes:
        within: the sum over pairs of one chunk.
        within_pairs: how many there are.
        across: the sum over pairs of two neighbouring chunks.
        across_pairs: how many there are.
    """

    within: float
    within_pairs: int
    across: float
    across_pairs: int

    def __add__(self, other: Coherence) -> Coherence:
        return Coherence(
            within=self.within + other.within,
            within_pairs=self.within_pairs + other.within_pairs,
            across=self.across + other.across,
            across_pairs=self.across_pairs + other.across_pairs,
        )

    def mean_within(self) -> Score:
        """The mean cosine of two sentences of one chunk; not applicable where no chunk has two."""
        return _mean(self.within, self.within_pairs, NO_PAIR_WITHIN)

    def mean_across(self) -> Score:
        """The mean cosine of two sentences of neighbouring chunks; not applicable where there is one chunk only."""
        return _mean(self.across, self.across_pairs, NO_PAIR_ACROSS)

    def coherence(self) -> Score:
        """The mean within minus the mean across, from -2 to 2; not applicable where either is."""
        within, across = self.mean_within(), self.mean_across()
        if within.value is None:
            return within
        return across if across.value is None else Score.of(within.value - across.value)


def _mean(total: float, pairs: int, reason: str) -> Score:
    return Score.of(total / pairs) if pairs else Score.without(ScoreStatus.NOT_APPLICABLE, reason)


def coherence(embeddings: npt.ArrayLike, chunk: Sequence[int] | Integers) -> Coherence:
    """Compares the sentences of one document within chunks and across their boundaries.

    Formula: the mean of cos(a, b) over pairs of one chunk, minus that over pairs of which one stands in a chunk and the
    other in the next. All pairs count alike, so that long chunks weigh more.

    Args:
        embeddings: a vector for each sentence, in the order of the document.
        chunk: the chunk of each sentence; chunks follow one another, and are neighbours if their sentences are.

    Returns:
        Sums and counts; those of several documents can be added.

    Raises:
        DataError: if there is not one vector for each sentence, or one is not finite or has no length, or the sentences
            of a chunk do not stand together.

    Example:
        >>> told = coherence([[1, 0], [1, 0], [0, 1]], [0, 0, 1])
        >>> told.coherence().value
        1.0
    """
    vectors, number = np.asarray(embeddings, dtype=np.float64), np.asarray(chunk, dtype=np.int64)
    if vectors.ndim != 2 or number.shape != (len(vectors),):
        raise DataError(
            Problem(message=f"a vector is needed for each of {number.size} sentences", value=f"shape {vectors.shape}")
        )
    lengths = np.sqrt(np.square(vectors).sum(axis=1))
    for row in np.flatnonzero(~np.isfinite(lengths) | (lengths == 0))[:1]:
        raise DataError(Problem(message=f"the vector of sentence {row} has no direction", value=str(lengths[row])))
    starts = np.flatnonzero(np.append([True], number[1:] != number[:-1])[: len(number)])
    if len(starts) != len(np.unique(number)):
        raise DataError(Problem(message="the sentences of a chunk do not stand together", field="chunk"))
    if not len(starts):
        return Coherence(within=0.0, within_pairs=0, across=0.0, across_pairs=0)
    sums = np.add.reduceat(vectors / lengths[:, None], starts, axis=0)
    sizes = np.diff(np.append(starts, len(number)))
    # Of the square of a sum, every sentence with itself gives 1 and every pair its cosine twice.
    return Coherence(
        within=float((np.square(sums).sum() - len(number)) / 2),
        within_pairs=int((sizes * (sizes - 1) // 2).sum()),
        across=float((sums[:-1] * sums[1:]).sum()),
        across_pairs=int((sizes[:-1] * sizes[1:]).sum()),
    )
