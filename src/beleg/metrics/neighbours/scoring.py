"""Checks of vectors, and scores of pairs in double precision that do not depend on what is computed beside them."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, shown
from beleg.core.inference import Vectors
from beleg.core.nearest import Rows, Similarity

Numbers: TypeAlias = npt.NDArray[np.floating] | npt.NDArray[np.integer]
Doubles: TypeAlias = npt.NDArray[np.float64]

CELLS_AT_ONCE = 1 << 19
"""How many components are held in double precision at a time."""

_TINY_SQUARE = 1e-20
_LARGEST_SQUARE = 1e36
"""Beyond it the product of two vectors comes near the end of single precision."""


def require_matrix(name: str, vectors: Numbers) -> None:
    """Refuses what is no table of numbers with one row each vector.

    Raises:
        DataError: naming the shape or the type.
    """
    if vectors.ndim != 2 or not vectors.size:
        raise DataError(
            Problem(
                file=name,
                message="a table with one vector a row is needed",
                value=f"shape {vectors.shape}",
                remedy="Store the vectors as rows of one two-dimensional array",
            )
        )
    if vectors.dtype.kind not in "fiu":
        raise DataError(
            Problem(file=name, message="vectors must be numbers", value=shown(str(vectors.dtype)),
                    remedy="Store them as float32 or float16")
        )  # fmt: skip


def require_same_width(name: str, vectors: Numbers, other_name: str, other: Numbers) -> None:
    """Refuses two tables whose vectors differ in the number of components.

    Raises:
        DataError: naming both.
    """
    if vectors.shape[1] != other.shape[1]:
        raise DataError(
            Problem(
                file=name,
                message=f"the vectors have {vectors.shape[1]} components, those of {other_name} {other.shape[1]}",
                remedy="Embed both with the same model",
            )
        )


def single(vectors: Numbers) -> Vectors:
    """The vectors in single precision, as every index stores them; a wider type is rounded."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(vectors, dtype=np.float32)


def squared_lengths(name: str, vectors: Vectors, similarity: Similarity, numbers: Rows | None = None) -> Doubles:
    """The squared length of each vector, near enough for bounds, after the check that every vector can be compared.

    Args:
        name: what the vectors are called in messages.
        vectors: one row each, single precision.
        similarity: under cosine, a vector without length is refused.
        numbers: the row numbers for messages; by default 0, 1, ….

    Returns:
        One value a row.

    Raises:
        DataError: for a row that holds NaN or infinity, is too long for single precision, or has no direction.

    Example:
        >>> squared_lengths("v", np.float32([[3, 4]]), Similarity.COSINE).tolist()
        [25.0]
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        squares: Doubles = np.einsum("ij,ij->i", vectors, vectors).astype(np.float64)
    usable = squares <= _LARGEST_SQUARE  # NaN is not
    if not usable.all():
        row = int(np.flatnonzero(~usable)[0])
        raise _unusable(name, vectors[row], row if numbers is None else int(numbers[row]))
    if similarity is not Similarity.COSINE:
        return squares
    tiny = np.flatnonzero(squares < _TINY_SQUARE)
    squares[tiny] = np.square(vectors[tiny], dtype=np.float64).sum(axis=1)
    without = tiny[squares[tiny] == 0.0]
    if len(without):
        row = int(without[0]) if numbers is None else int(numbers[without[0]])
        raise DataError(
            Problem(
                file=name,
                message=f"row {row} is all zeros and has no direction, so it has no cosine",
                remedy="Remove it (an empty text?), or compare by ip or l2",
            )
        )
    return squares


def pair_scores(queries: Vectors, which: Rows, vectors: Vectors, similarity: Similarity) -> Doubles:
    """The score of each pair of a query and a vector, in double precision.

    Every pair is summed on its own and in one order, so that equal pairs have equal scores wherever they stand.

    Args:
        queries: one row each.
        which: for every vector the row of its query.
        vectors: one row each.
        similarity: what is computed.

    Returns:
        One score for every vector; a higher score is nearer.

    Example:
        >>> pair_scores(np.float32([[3, 4]]), np.array([0]), np.float32([[4, 3]]), Similarity.COSINE).tolist()
        [0.96]
    """
    scores = np.empty(len(vectors))
    step = max(1, CELLS_AT_ONCE // vectors.shape[1])
    for start in range(0, len(vectors), step):
        part = slice(start, start + step)
        beside, vector = queries[which[part]].astype(np.float64), vectors[part].astype(np.float64)
        if similarity is Similarity.L2:
            scores[part] = -np.square(beside - vector).sum(axis=1)
            continue
        scores[part] = (beside * vector).sum(axis=1)
        if similarity is Similarity.COSINE:
            scores[part] /= np.sqrt(np.square(beside).sum(axis=1)) * np.sqrt(np.square(vector).sum(axis=1))
    return scores


def _unusable(name: str, vector: Vectors, row: int) -> DataError:
    bad = np.flatnonzero(~np.isfinite(vector))
    if len(bad):
        return DataError(
            Problem(
                file=name,
                message=f"row {row} holds a component that is not finite, at position {int(bad[0])}",
                value=shown(float(vector[bad[0]])),
                remedy="Embed the text again",
            )
        )
    return DataError(
        Problem(
            file=name,
            message=f"row {row} is too long a vector for single precision",
            value=shown(float(np.abs(vector).max())),
            remedy="Scale the vectors",
        )
    )
