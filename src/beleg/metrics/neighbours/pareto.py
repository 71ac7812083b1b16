"""Which settings of an index are worth having, and which of them to take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from beleg.core.errors import DataError, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What one setting gives and what it costs.

    Attributes:
        recall: the mean recall.
        recall_lower: the bound above which the true mean lies; None where there is none.
        latency: what counts as the cost of a query.
        memory: what the index takes; None where that is unknown, which counts as the most.
    """

    recall: float
    recall_lower: float | None
    latency: float
    memory: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The setting to take, by position; None where none reaches the floor."""

    taken: int | None
    nearest: int
    """The setting whose bound comes nearest to the floor from below, or the taken one."""


def pareto_front(offers: Sequence[Offer]) -> list[int]:
    """The settings that no other beats: none has at least the recall at no more latency, and one of both better.

    Settings that are equal in both stay together.

    Args:
        offers: the settings.

    Returns:
        Their positions, by ascending latency.

    Raises:
        DataError: if there is no setting or a figure is not finite.

    Example:
        >>> pareto_front([Offer(recall=r, recall_lower=None, latency=t) for r, t in [(0.9, 2), (0.8, 3), (0.7, 1)]])
        [2, 0]
    """
    _require_figures(offers)
    order = sorted(range(len(offers)), key=lambda at: (offers[at].latency, -offers[at].recall, at))
    front: list[int] = []
    for at in order:
        best = offers[front[-1]] if front else None
        if best is None or offers[at].recall > best.recall or _same(offers[at], best):
            front.append(at)
    return front


def choose(offers: Sequence[Offer], floor: float) -> Choice:
    """The cheapest setting whose lower bound of the recall lies above the floor.

    Cheapest: least latency, then least memory, then highest recall, then first named.

    Args:
        offers: the settings.
        floor: what the true mean recall must exceed.

    Returns:
        The setting to take, or None and the one whose bound is highest.

    Raises:
        DataError: if there is no setting or a figure is not finite.

    Example:
        >>> cheap = Offer(recall=0.97, recall_lower=0.94, latency=1)
        >>> dear = Offer(recall=1, recall_lower=0.99, latency=2)
        >>> choose([cheap, dear], 0.95)
        Choice(taken=1, nearest=1)
    """
    _require_figures(offers)
    able = [at for at, each in enumerate(offers) if each.recall_lower is not None and each.recall_lower > floor]
    if able:
        taken = min(able, key=lambda at: (*_cost(offers[at]), at))
        return Choice(taken, taken)
    return Choice(None, max(range(len(offers)), key=lambda at: (_bound(offers[at]), offers[at].recall, -at)))


def _cost(offer: Offer) -> tuple[float, float, float]:
    return offer.latency, math.inf if offer.memory is None else offer.memory, -offer.recall


def _bound(offer: Offer) -> float:
    return -math.inf if offer.recall_lower is None else offer.recall_lower


def _same(one: Offer, other: Offer) -> bool:
    return one.recall == other.recall and one.latency == other.latency


def _require_figures(offers: Sequence[Offer]) -> None:
    if not offers:
        raise DataError(Problem(message="there is no setting to choose from", remedy="Measure at least one"))
    for at, each in enumerate(offers):
        if not (math.isfinite(each.recall) and math.isfinite(each.latency)):
            raise DataError(Problem(message=f"setting {at} has a figure that is not finite", value=repr(each)))
