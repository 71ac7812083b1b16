"""Control of the error rate over several hypotheses."""

from __future__ import annotations

import numpy as np

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.inputs import FloatArray, Numbers, finite_vector


def holm(p_values: Numbers) -> FloatArray:
    """Holm's adjusted p-values: rejecting those at or below alpha keeps the chance of any false rejection below alpha.

    Formula: sort p ascending; adjusted p(i) = max over j <= i of (m - j + 1) p(j), at most 1. Holds under any
    dependence. Source: Holm 1979.
    Range: 0 to 1, never below the raw value. Undefined: never.

    Args:
        p_values: raw p-values.

    Returns:
        Adjusted p-values in the order given.

    Raises:
        DataError: if there is no value or one lies outside [0, 1].

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    raw = finite_vector("p_values", p_values)
    outside = np.flatnonzero((raw < 0.0) | (raw > 1.0))
    if len(outside):
        raise DataError(
            Problem(
                message=f"the p-value at position {outside[0]} lies outside [0, 1]",
                field="p_values",
                value=shown(float(raw[outside[0]])),
            )
        )
    order = np.argsort(raw, kind="stable")
    steps = np.arange(len(raw), 0, -1)
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(np.maximum.accumulate(raw[order] * steps), 1.0)
    return adjusted
