"""How far two versions of an embedding agree on the neighbours of the same probes."""

from __future__ import annotations

import numpy as np

from beleg.core.errors import DataError, Problem
from beleg.core.nearest import ABSENT, Rows
from beleg.metrics.neighbours.scoring import Doubles


def neighbour_stability(before: Rows, after: Rows) -> Doubles:
    """The share of each probe's neighbours that two versions have in common (I12).

    Formula, per probe: ``|before ∩ after| / k`` at the same k for both. Vectors of two models cannot be compared
    directly, since they share neither dimensions nor a basis; the neighbours that they give to a fixed set of probes
    can. Source: the overlap of nearest neighbours of Hellrich and Hahn 2016 and Wendlandt et al. 2018.
    Range: 0 to 1, 1 where both name the same neighbours in whatever order. Two rankings of N rows that know nothing of
    each other share ``k / N`` on average. It says that something changed, not that it is worse: re-rank the suite for
    that.
    Undefined: never; a version that names fewer than k neighbours shares fewer.

    Args:
        before: probes by k rows of the corpus, each at most once, `ABSENT` where there was none.
        after: the same probes, the same k, rows of the same corpus.

    Returns:
        One share for each probe.

    Raises:
        DataError: if the two do not have the same shape, or a list names a row twice.

    Example:
        >>> neighbour_stability(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[3, 2, 9], [4, 5, 6]])).round(3).tolist()
        [0.667, 1.0]
    """
    if before.ndim != 2 or before.shape != after.shape or not before.size:
        raise DataError(
            Problem(
                message="both versions need as many neighbours of the same probes",
                value=f"shapes {before.shape} and {after.shape}",
                remedy="Ask both for the same k over the same probes",
            )
        )
    for field, rows in (("before", before), ("after", after)):
        _require_distinct(field, rows)
    ordered = np.sort(np.concatenate([before, after], axis=1), axis=1)
    shared = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != ABSENT)
    shares: Doubles = shared.sum(axis=1) / before.shape[1]
    return shares


def _require_distinct(field: str, rows: Rows) -> None:
    ordered = np.sort(rows, axis=1)
    twice = np.argwhere((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != ABSENT))
    if len(twice):
        probe, place = twice[0].tolist()
        raise DataError(
            Problem(
                message=f"the neighbours of probe {probe} name a row twice",
                field=field,
                value=f"row {ordered[probe, place]}",
                remedy="Keep each row once, at its nearest place",
            )
        )
