"""Did yes-or-no verdicts on the same items change in one direction?"""

from __future__ import annotations

from dataclasses import dataclass

from beleg.core.errors import DataError, Problem, shown
from beleg.stats.distributions import binomial_cdf
from beleg.stats.intervals import Interval, clopper_pearson


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedChanges:
    """What two rounds of verdicts on the same items say.

    Attributes:
        n: number of items.
        gained: items that were no first and yes then.
        lost: items that were yes first and no then.
        changed: share of all items whose verdict changed, with its exact interval.
        gained_share: share of the changes that were gains, with its exact interval; None where nothing changed.
        p_value: exact two-sided p-value of "gains and losses are equally likely" (McNemar); 1 where nothing changed.
    """

    n: int
    gained: int
    lost: int
    changed: Interval
    gained_share: Interval | None
    p_value: float


def paired_changes(gained: int, lost: int, n: int, confidence: float = 0.95) -> PairedChanges:
    """McNemar's exact test with exact intervals.

    Formula: given the number of changes m = gained + lost, gained is binomial(m, 1/2) where both directions are equally
    likely; p = min(1, 2 P(X <= min(gained, lost))). Intervals by Clopper and Pearson. Source: McNemar 1947; the exact
    form in Agresti 2013, section 11.1.

    Args:
        gained: items that were no first and yes then.
        lost: items that were yes first and no then.
        n: all items.
        confidence: two-sided confidence of each interval.

    Raises:
        DataError: unless the counts are not negative and at most n together, with n > 0.
        UsageError: unless the confidence lies between 0 and 1.

    Example:
        >>> found = paired_changes(1, 9, 100)
        >>> round(found.p_value, 4), found.changed.estimate
        (0.0215, 0.1)
    """
    if gained < 0 or lost < 0 or gained + lost > n or n < 1:
        raise DataError(
            Problem(
                message="gains and losses are counts of items, at most all of them",
                value=shown((gained, lost, n)),
                remedy="Count each item once",
            )
        )
    changes = gained + lost
    return PairedChanges(
        n=n,
        gained=gained,
        lost=lost,
        changed=clopper_pearson(changes, n, confidence),
        gained_share=clopper_pearson(gained, changes, confidence) if changes else None,
        p_value=min(1.0, 2.0 * binomial_cdf(min(gained, lost), changes, 0.5)) if changes else 1.0,
    )
