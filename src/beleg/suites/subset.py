"""The fast subset of about 50 cases that every pull request runs (G6)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from beleg.core.case import Case, Principal, RiskTier
from beleg.core.digest import digest_of
from beleg.core.errors import UsageError, shown
from beleg.core.suite import Suite
from beleg.suites.dimensions import labels_of, require_dimensions
from beleg.suites.validate import require_unique_ids

DEFAULT_SIZE = 50
DEFAULT_DIMENSIONS = ("language", "risk_tier", "expected_behaviour")
_GROUP_ALLOWANCE = 10
"""One tenth of the size may come on top to complete session groups."""

_Key = tuple[str, ...]


class AllocationReason(StrEnum):
    """Why a stratum got the number of cases that it got."""

    WHOLE = "the whole suite fits"
    PROPORTIONAL = "proportional, by largest remainder"
    RAISED = "raised to one, so that the stratum is represented"
    LOWERED = "lowered, to make room for strata raised to one"
    NO_ROOM = "no room: there are more strata than cases allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumAllocation:
    """One stratum with its share of the subset and the reason for it."""

    labels: dict[str, str]
    """By dimension; a dimension in which the cases have no label is left out."""
    critical: str
    """``high_risk``, ``permission``, both joined by ``+``, or empty; critical strata are always represented."""
    n: int
    quota: float
    """The exactly proportional number of cases."""
    allocated: int
    reason: AllocationReason
    completed: int
    """Cases on top of the allocation, to keep session groups whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """The chosen cases, in the order of the suite, and how they were allocated."""

    case_ids: tuple[str, ...]
    strata: tuple[StratumAllocation, ...]
    divided_groups: tuple[str, ...]
    """Session groups of which only a part was chosen."""


def fast_subset(
    suite: Suite, *, seed: int, size: int = DEFAULT_SIZE, dimensions: Sequence[str] | None = None
) -> Subset:
    """Chooses a stratified subset by a hash of seed, suite name and case id (or session group).

    Strata are the combinations of labels, with high-risk and permission cases apart. Each gets its proportional
    number of cases by largest remainder, at least one where room allows; critical strata get one even beyond the size.
    Within a stratum the cases with the smallest hashes are taken, members of a session group under one hash.
    So a case stays chosen whatever happens to its text, to the version or to the order of the rows, and other cases
    move it only by changing how many cases its stratum gets. Session groups that are chosen in part are then completed
    as long as the subset grows by at most a tenth.

    Args:
        suite: The suite to choose from.
        seed: Chooses another subset; keep it fixed to compare pull requests.
        size: About how many cases.
        dimensions: The dimensions that make the strata; language, risk tier and expected behaviour by default.

    Raises:
        UsageError: if the size is below 1 or no case has a label in a dimension that was named.
        DataError: if two cases have one id.
    """
    require_unique_ids(suite)
    if size < 1:
        raise UsageError(f"size {shown(size)} is below 1", hint="Ask for at least one case")
    if dimensions is None:
        dimensions = DEFAULT_DIMENSIONS
    else:
        require_dimensions(suite.cases, dimensions)
    strata: defaultdict[_Key, list[Case]] = defaultdict(list)
    for case in suite.cases:
        strata[_stratum(case, dimensions)].append(case)
    sizes = {key: len(strata[key]) for key in sorted(strata)}
    allocated = sizes if len(suite.cases) <= size else _allocate(sizes, size)
    hashes = {case.case_id: _unit_hash(case, suite.header.name, seed) for case in suite.cases}
    chosen: set[str] = set()
    for key, count in allocated.items():
        ordered = sorted(strata[key], key=lambda case: (hashes[case.case_id], case.case_id))
        chosen.update(case.case_id for case in ordered[:count])
    completing, divided = _completed(suite, chosen, hashes, room=max(0, size + size // _GROUP_ALLOWANCE - len(chosen)))
    extra = Counter(_stratum(case, dimensions) for case in suite.cases if case.case_id in completing)
    return Subset(
        case_ids=tuple(case.case_id for case in suite.cases if case.case_id in chosen | completing),
        strata=tuple(
            StratumAllocation(
                labels={name: label for name, label in zip(dimensions, key[:-1], strict=True) if label},
                critical=key[-1],
                n=n,
                quota=min(size, len(suite.cases)) * n / len(suite.cases),
                allocated=allocated[key],
                reason=_reason(n, allocated[key], size, len(suite.cases)),
                completed=extra[key],
            )
            for key, n in sizes.items()
        ),
        divided_groups=divided,
    )


def _criticality(case: Case) -> str:
    """What makes a case one that must never go untested: high risk, or a rule about who may see what."""
    permission = Principal(locale=case.principal.locale) != case.principal or bool(case.forbidden_sources)
    marks = [("high_risk", case.risk_tier is RiskTier.HIGH), ("permission", permission)]
    return "+".join(name for name, holds in marks if holds)


def _stratum(case: Case, dimensions: Sequence[str]) -> _Key:
    return (*("+".join(labels_of(case, name)) for name in dimensions), _criticality(case))


def _unit_hash(case: Case, suite_name: str, seed: int) -> str:
    unit = ["session", case.session_group] if case.session_group is not None else ["case", case.case_id]
    return digest_of(["subset", seed, suite_name, *unit])


def _allocate(sizes: dict[_Key, int], size: int) -> dict[_Key, int]:
    total = sum(sizes.values())
    allocated = {key: size * n // total for key, n in sizes.items()}

    def surplus(key: _Key) -> int:
        """Allocation less quota in units of 1 / total, so that ties are exact."""
        return allocated[key] * total - size * sizes[key]

    # Critical strata come first, then large ones; the rest goes without when there are more strata than cases.
    by_claim = sorted(sizes, key=lambda key: (key[-1] == "", -sizes[key], key))
    n_critical = sum(key[-1] != "" for key in sizes)
    represented = by_claim[: max(size, n_critical)]
    for key in sizes:
        allocated[key] = max(1, allocated[key]) if key in represented else 0
    missing = max(size, n_critical) - sum(allocated.values())
    for key in sorted(represented, key=lambda key: (surplus(key), key))[: max(0, missing)]:
        allocated[key] += 1
    for _ in range(-missing):
        allocated[max((key for key in represented if allocated[key] > 1), key=lambda key: (surplus(key), key))] -= 1
    return allocated


def _completed(
    suite: Suite, chosen: set[str], hashes: dict[str, str], *, room: int
) -> tuple[set[str], tuple[str, ...]]:
    """The cases that complete session groups within the room, and the groups that stay divided."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for case in suite.cases:
        if case.session_group is not None:
            groups[case.session_group].append(case.case_id)
    completing: set[str] = set()
    divided = []
    for group, members in sorted(groups.items(), key=lambda item: hashes[item[1][0]]):
        missing = {case_id for case_id in members if case_id not in chosen}
        if not missing or len(missing) == len(members):
            continue
        if len(completing) + len(missing) <= room:
            completing |= missing
        else:
            divided.append(group)
    return completing, tuple(sorted(divided))


def _reason(n: int, allocated: int, size: int, total: int) -> AllocationReason:
    if total <= size:
        return AllocationReason.WHOLE
    if allocated == 0:
        return AllocationReason.NO_ROOM
    if size * n < total:
        return AllocationReason.RAISED
    return AllocationReason.LOWERED if allocated < size * n // total else AllocationReason.PROPORTIONAL
