"""Which figures may be told together without telling of few cases: a rule over all of them at once (G4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]


def fewest_told(populations: Sequence[Mask]) -> int | None:
    """The fewest cases of which figures over these populations can tell anything, however they are combined.

    The populations cut the cases into parts such that each part lies wholly inside or outside of every population. A
    sum over any population is the sum over its parts, so that whatever is computed from such sums, differences among
    them, is a figure over whole parts. A case outside of every population is told of by none.

    Args:
        populations: for each figure, which cases it rests on.

    Returns:
        The size of the smallest part, or ``None`` where no case is told of.

    Example:
        >>> every, most = np.ones(40, bool), np.arange(40) < 39
        >>> fewest_told([every]), fewest_told([every, most])
        (40, 1)
    """
    if not populations:
        return None
    table = np.stack(list(populations))
    told = table[:, table.any(axis=0)]
    if not told.size:
        return None
    _, counts = np.unique(told, axis=1, return_counts=True)
    return int(counts.min())


def may_be_told(populations: Sequence[Mask], minimum: int) -> bool:
    """Whether nothing that follows from figures over these populations rests on fewer cases than the minimum.

    Example:
        >>> may_be_told([np.ones(40, bool), np.arange(40) < 9], 30)
        False
    """
    fewest = fewest_told(populations)
    return fewest is None or fewest >= minimum
