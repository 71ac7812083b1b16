"""In which order cases are judged, which of them each look holds, and the level at which a check is decided there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.policy import Policy, Segment
from beleg.core.sequential import SequentialPlan
from beleg.core.ties import tied_groups
from beleg.gating.plan import PlannedCheck
from beleg.stats.group_sequential import nominal_levels

LEAST_LEVEL = 1e-9
"""The level of a look at which next to nothing may be spent: nothing but a certainty is found by it."""

Positions = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Looks:
    """The order in which the cases of a suite are judged, and how far each look reaches."""

    plan: SequentialPlan
    order: Positions
    """The positions of the cases in the order of judging."""
    ends: tuple[int, ...]
    """How many cases of the order each look holds, rising; the last one holds all."""
    order_digest: str

    def __len__(self) -> int:
        return len(self.ends)

    def members(self, number: int) -> Positions:
        """The positions of the cases that look ``number`` (from 1) holds, in the order of the suite."""
        return np.sort(self.order[: self.ends[number - 1]])

    def is_last(self, number: int) -> bool:
        """Whether no look follows."""
        return number == len(self.ends)


def plan_looks(policy: Policy, plan: SequentialPlan, cases: Sequence[Case]) -> Looks:
    """Puts the cases into an order that nobody can choose, and cuts it into looks.

    The order follows from the policy's seed. Cases that share a source or a session stay together, since a look that
    held half of them would count their luck twice, and protected segments are spread evenly, so that each look holds
    about its share of every one.

    Args:
        policy: names the seed and the protected segments.
        plan: the shares of the cases at which is looked.
        cases: the cases in the order of the suite.
    """
    groups = tied_groups([case.ties() for case in cases])
    sizes = np.bincount(groups)
    strata = _strata(groups, len(sizes), cases, policy.protected_segments)
    ranked = _interleaved(strata, np.random.default_rng(policy.seed))
    place = np.empty_like(ranked)
    place[ranked] = np.arange(len(ranked))
    order = np.argsort(place[groups], kind="stable")
    reached = np.cumsum(sizes[ranked])
    wanted = [math.ceil(share * len(cases) - 1e-9) for share in plan.looks]
    ends = tuple(dict.fromkeys(int(reached[np.searchsorted(reached, count)]) for count in wanted))
    named = [cases[position].case_id for position in order.tolist()]
    return Looks(plan=plan, order=order, ends=ends, order_digest=digest_of(named))


def _strata(
    groups: Positions, n_groups: int, cases: Sequence[Case], segments: Sequence[Segment]
) -> list[tuple[bool, ...]]:
    """Which protected segments each group of cases has a case of."""
    held = np.zeros((n_groups, len(segments)), dtype=np.bool_)
    for position, case in enumerate(cases):
        labels = case.segment_labels()
        for number, segment in enumerate(segments):
            held[groups[position], number] |= all(labels.get(name) == value for name, value in segment.where.items())
    return [tuple(row) for row in held.tolist()]


def _interleaved(strata: Sequence[tuple[bool, ...]], rng: np.random.Generator) -> Positions:
    """Shuffles each stratum and merges them so that any beginning holds about the same share of each."""
    keys = np.empty(len(strata))
    for stratum in sorted(set(strata)):
        held = np.array([number for number, kind in enumerate(strata) if kind == stratum], dtype=np.intp)
        keys[rng.permutation(held)] = (np.arange(len(held)) + rng.random(len(held))) / len(held)
    return np.argsort(keys, kind="stable").astype(np.intp)


def level_at(check: PlannedCheck, looks: Looks, number: int, alpha: float) -> float:
    """The one-sided level at which a check is decided at a look, so that all looks together keep alpha.

    The information is counted in the check's own cases: a segment may come forward faster than the whole.
    """
    held = [_within(check.members, looks.members(look)) for look in range(1, len(looks) + 1)]
    counts = [len(members) for members in held]
    rising = sorted({count for count in counts if count})
    if not rising or not counts[number - 1]:
        return LEAST_LEVEL
    levels = nominal_levels([count / rising[-1] for count in rising], alpha, looks.plan.spending)
    return max(float(levels[rising.index(counts[number - 1])]), LEAST_LEVEL)


def at_look(check: PlannedCheck, looks: Looks, number: int) -> PlannedCheck:
    """The check over the cases of a look."""
    return replace(check, members=_within(check.members, looks.members(number)), is_interim=not looks.is_last(number))


def _within(members: Positions, looked: Positions) -> Positions:
    return np.intersect1d(members, looked, assume_unique=True)
