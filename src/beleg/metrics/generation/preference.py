"""Figures over pairwise preferences that were asked for in both orders (J5)."""

from __future__ import annotations

from enum import StrEnum

from beleg.core.model import StoredModel
from beleg.core.score import Score, ScoreColumn
from beleg.metrics.batch import Batch
from beleg.metrics.findings import finding_column

PREFERENCE_MEASURE = "reference_preference"


class Preferred(StrEnum):
    """Which of two answers a judge prefers."""

    OWN = "own"
    """The answer that is evaluated."""
    OTHER = "other"
    """The answer that it is compared with."""
    TIE = "tie"


class BothOrders(StoredModel):
    """The verdicts on one pair of answers, each order asked once."""

    own_first: Preferred
    """The verdict with the evaluated answer shown first."""
    own_second: Preferred
    """The verdict with the evaluated answer shown second."""
    reason_own_first: str | None = None
    """The judge's reason with the evaluated answer shown first."""
    reason_own_second: str | None = None
    """The judge's reason with the evaluated answer shown second."""

    @property
    def is_consistent(self) -> bool:
        """Whether both orders gave one verdict."""
        return self.own_first is self.own_second

    @property
    def preferred(self) -> Preferred:
        """The verdict that holds in both orders; a tie where the orders disagree."""
        return self.own_first if self.is_consistent else Preferred.TIE


def preference(found: BothOrders) -> Score:
    """Whether the answer is preferred to the one it was compared with, whichever of them is shown first.

    Formula: 1 where it is preferred in both orders, 0 where the other one is, 0.5 for a tie in both orders and where
    the verdict depends on the order. Source: Zheng et al. 2023, the conservative rule against position bias: a win
    counts only in both orders. Range: 0 to 1, higher is better; the mean is the win rate with ties as halves.
    Undefined: never, once both verdicts are there.

    Example:
        >>> preference(BothOrders(own_first=Preferred.OWN, own_second=Preferred.OWN)).value
        1.0
        >>> preference(BothOrders(own_first=Preferred.OWN, own_second=Preferred.OTHER)).value
        0.5
    """
    return Score.of({Preferred.OWN: 1.0, Preferred.OTHER: 0.0, Preferred.TIE: 0.5}[found.preferred])


def position_dependence(found: BothOrders) -> Score:
    """1 where the verdict changes when the two answers change places, else 0.

    The mean is the share of pairs on which the judge's verdict is decided by the order: a property of the judge as much
    as of the answers. Range: 0 or 1, lower is better. Undefined: never, once both verdicts are there.

    Example:
        >>> position_dependence(BothOrders(own_first=Preferred.OWN, own_second=Preferred.TIE)).value
        1.0
    """
    return Score.of(not found.is_consistent)


def reference_preference_column(batch: Batch) -> ScoreColumn:
    """`preference` of every answer over the case's reference answer; missing where no judge was asked."""
    return finding_column(batch, PREFERENCE_MEASURE, BothOrders, lambda _row, found: preference(found))


def position_dependence_column(batch: Batch) -> ScoreColumn:
    """`position_dependence` of every row's preference; missing where no judge was asked."""
    return finding_column(batch, PREFERENCE_MEASURE, BothOrders, lambda _row, found: position_dependence(found))
