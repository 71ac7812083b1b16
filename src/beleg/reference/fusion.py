"""Reciprocal rank fusion of the lanes: a few short lists of ids.

Run files are fused by `beleg.metrics.ranking_runs.fusion`, which this package may not import; a law holds both to the
same scores and order, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from beleg.core.ranking import ranked, require_unique

RRF_K = 60


def reciprocal_rank_fusion(rankings: Sequence[Sequence[str]], *, k: int = RRF_K) -> list[tuple[str, float]]:
    """Fuses ranked lists of ids.

    Formula: ``score(d) = sum over the lists that hold d of 1 / (k + rank(d))``, ranks from 1.
    Source: Cormack, Clarke and Buettcher, 2009, k = 60.
    Range: above 0, higher is better; ties by id descending, as everywhere in Beleg.

    Args:
        rankings: each list in its order, best first.
        k: the rank constant.

    Returns:
        Ids with scores, best first.

    Raises:
        DataError: if a list holds an id twice.

    Example:
        >>> reciprocal_rank_fusion([["a", "b"], ["b", "c"]])[0][0]
        'b'
    """
    shares: dict[str, list[float]] = {}
    for ranking in rankings:
        require_unique(ranking)
        for rank, name in enumerate(ranking, start=1):
            shares.setdefault(name, []).append(1 / (k + rank))
    # An exact sum, so that the order of the lists cannot break a tie.
    return ranked({name: math.fsum(parts) for name, parts in shares.items()})
