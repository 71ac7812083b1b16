"""Checks that every statistic makes of its input before it computes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError, shown

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.intp]
Numbers: TypeAlias = Sequence[float] | npt.NDArray[np.floating] | npt.NDArray[np.integer] | npt.NDArray[np.bool_]
Labels: TypeAlias = Sequence[Hashable] | npt.NDArray[np.generic]

AT_LEAST_ONE = "Give at least one case"
FINITE_ONLY = "Keep a missing score as its reason, outside the numbers"


def finite_vector(field: str, values: Numbers) -> FloatArray:
    """A non-empty one-dimensional array of finite numbers.

    Args:
        field: the name under which a fault is reported.
        values: the numbers.

    Returns:
        The numbers as float64.

    Raises:
        DataError: if there is no value, the shape is not one-dimensional or a value is not finite.

    Example:
        >>> finite_vector("scores", [1, 0.5])
        array([1. , 0.5])
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise DataError(Problem(message="a flat list of numbers is needed", field=field, value=f"shape {array.shape}"))
    if not len(array):
        raise DataError(Problem(message="there is no value", field=field, remedy=AT_LEAST_ONE))
    require_finite(field, array)
    return array


def require_finite(field: str, array: FloatArray) -> None:
    """Refuses an array that holds NaN or an infinity.

    Raises:
        DataError: naming the position of the first such value.
    """
    if np.isfinite(array).all():
        return
    where = np.argwhere(~np.isfinite(array))[0]
    place = ", ".join(str(int(index)) for index in where)
    value = shown(float(array[tuple(where)]))
    raise DataError(
        Problem(message=f"the value at position {place} is not finite", field=field, value=value, remedy=FINITE_ONLY)
    )


def require_length(field: str, length: int, expected: int) -> None:
    """Refuses a list that is not as long as the one it belongs to.

    Raises:
        DataError: naming both lengths.
    """
    if length != expected:
        raise DataError(
            Problem(
                message=f"{expected} entries are needed, one per case",
                field=field,
                value=str(length),
                remedy="Pair the rows by case id first",
            )
        )


def require_between(field: str, value: float, lower: float, upper: float) -> None:
    """Refuses a setting that does not lie strictly between two limits.

    Raises:
        UsageError: naming the setting and its limits.
    """
    if not lower < value < upper:
        raise UsageError(f"{field} must lie strictly between {lower:g} and {upper:g} (found {shown(value)})")


def cluster_codes(clusters: Labels, n: int) -> IntArray:
    """Numbers the clusters from 0 in the order in which they first occur.

    Args:
        clusters: one hashable label per case.
        n: the number of cases.

    Returns:
        One cluster number per case.

    Raises:
        DataError: if there is not exactly one label per case.

    Example:
        >>> cluster_codes(["doc-b", "doc-a", "doc-b"], 3)
        array([0, 1, 0])
    """
    require_length("clusters", len(clusters), n)
    if isinstance(clusters, np.ndarray) and clusters.dtype.kind in "iu":
        _, first, inverse = np.unique(clusters, return_index=True, return_inverse=True)
        order_of_occurrence = np.empty(len(first), dtype=np.intp)
        order_of_occurrence[np.argsort(first)] = np.arange(len(first))
        return order_of_occurrence[inverse]
    labels = clusters.tolist() if isinstance(clusters, np.ndarray) else clusters
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), dtype=np.intp, count=n)


def binary_scaled(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Columns over the power of two just above their largest size, which no square under- or overflows.

    Scaling by a power of two keeps every digit, so that ratios come out as without it.

    Args:
        values: one column, or rows by columns.

    Returns:
        The scaled values and the exponent of each column; ``np.ldexp(scaled, exponent)`` gives the values back.

    Example:
        >>> scaled, exponent = binary_scaled(np.array([3e200, -1e200]))
        >>> float(scaled[0]) < 1.0, bool(np.ldexp(scaled, exponent)[0] == 3e200)
        (True, True)
    """
    exponent = np.asarray(np.frexp(np.abs(values).max(axis=0))[1])
    return np.ldexp(values, -exponent), exponent
