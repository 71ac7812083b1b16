"""What every index needs done before it is built or searched."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from beleg.core.errors import UsageError
from beleg.core.inference import Vectors
from beleg.core.nearest import IndexKind, Parameter, Similarity

ROWS_AT_ONCE = 8_192


def directions(vectors: Vectors) -> Vectors:
    """The vectors at length 1, so that their inner product is the cosine.

    Example:
        >>> directions(np.float32([[3, 4]])).round(2).tolist()
        [[0.6000000238418579, 0.800000011920929]]
    """
    unit = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        part = vectors[start : start + ROWS_AT_ONCE].astype(np.float64)
        unit[start : start + ROWS_AT_ONCE] = part / np.sqrt(np.square(part).sum(axis=1, keepdims=True))
    return unit


def prepared(vectors: Vectors, similarity: Similarity) -> Vectors:
    """The vectors as an index without a cosine of its own needs them."""
    return directions(vectors) if similarity is Similarity.COSINE else np.ascontiguousarray(vectors, dtype=np.float32)


def settings(kind: IndexKind, known: tuple[Parameter, ...], given: Mapping[str, int]) -> dict[str, int]:
    """Every setting with its value, the default where none is given.

    Raises:
        UsageError: if a setting is unknown to this kind of index or outside its limits.
    """
    names = [parameter.name for parameter in known]
    for name in given:
        if name not in names:
            raise UsageError(f"{kind.name} has no setting {name!r}", hint=f"It has: {', '.join(names) or 'none'}")
    chosen = {parameter.name: given.get(parameter.name, parameter.default) for parameter in known}
    for parameter in known:
        parameter.require(chosen[parameter.name])
    return chosen
