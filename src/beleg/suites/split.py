"""Splitting a suite so that no source document and no session stands on both sides (G3)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from beleg.core.case import Case
from beleg.core.digest import digest_of
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.suite import Suite, SuiteHeader, SuiteKind
from beleg.suites.dimensions import labels_of
from beleg.suites.validate import require_unique_ids

DEFAULT_DIMENSIONS = ("language", "document_class", "risk_tier", "expected_behaviour")

_Label = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartShare:
    """How near a part came to the share that was asked for."""

    part: str
    asked: float
    achieved: float
    cases: int
    components: int
    """How many groups of dependent cases the part holds."""
    labels: dict[str, int]
    """How many cases it has of each label, such as ``language=de``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The case ids of every part, in the order of the suite, with the shares asked for and achieved."""

    parts: dict[str, tuple[str, ...]]
    shares: tuple[PartShare, ...]


@dataclass(frozen=True, slots=True)
class _Component:
    cases: tuple[Case, ...]
    labels: Counter[_Label]
    guided: bool
    order: str


def components(cases: Sequence[Case], *, by_document: bool = False) -> tuple[tuple[Case, ...], ...]:
    """The groups of cases that hang together through a shared source group or session group, over any chain.

    Args:
        cases: The cases, in any order.
        by_document: Also ties cases together that expect evidence from the same document.

    Returns:
        The groups, each in the order of the cases, ordered by their first case.

    Example:
        >>> one = Case(case_id="1", user_input="?", source_group="A")
        >>> two = Case(case_id="2", user_input="?", source_group="A", session_group="S")
        >>> three = Case(case_id="3", user_input="?", session_group="S")
        >>> [[case.case_id for case in group] for group in components([one, two, three])]
        [['1', '2', '3']]
    """
    parent = list(range(len(cases)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    first_with: dict[_Label, int] = {}
    for index, case in enumerate(cases):
        for tie in _ties(case, by_document=by_document):
            left, right = sorted((root(first_with.setdefault(tie, index)), root(index)))
            parent[right] = left
    grouped: defaultdict[int, list[Case]] = defaultdict(list)
    for index, case in enumerate(cases):
        grouped[root(index)].append(case)
    return tuple(tuple(group) for group in grouped.values())


def split(
    suite: Suite,
    shares: Mapping[str, float],
    *,
    seed: int,
    dimensions: Sequence[str] = DEFAULT_DIMENSIONS,
    by_document: bool = False,
) -> Split:
    """Distributes the cases of a suite over parts, whole groups of dependent cases at a time.

    Larger groups are placed first, each where it brings the number of cases and the number of cases per label nearest
    to the shares (least squares); groups of one size are taken in an order that depends on the seed, the suite's
    name and the case ids only. A group that holds a case that guided tuning goes to the part ``development``.

    Args:
        suite: The suite to be split.
        shares: The share of every part, adding up to 1. A part named as a suite kind becomes a suite of that kind.
        seed: Chooses among equally good splits.
        dimensions: The dimensions whose labels are spread evenly; a case without a label is left out of that one.
        by_document: Also keeps cases together that expect evidence from the same document.

    Raises:
        UsageError: if the shares are not shares, a part would turn the cases of one kind into another, or cases
            that guided tuning have no part ``development`` to go to.
        DataError: if the suite has no cases or two cases have one id.
    """
    require_unique_ids(suite)
    if not suite.cases:
        raise DataError(
            Problem(message=f"suite {shown(suite.header.name)} has no cases", remedy="Split a filled suite")
        )
    _require_shares(shares)
    _require_one_kind(suite.header.kind, shares)
    groups = _ordered_components(suite, dimensions, seed=seed, by_document=by_document)
    development = SuiteKind.DEVELOPMENT.value
    if development not in shares and any(group.guided for group in groups):
        raise UsageError(
            "some cases guided tuning, and the split has no part 'development' for them",
            hint="Add the part 'development' with its share",
        )
    board = _Board(shares, groups, n_dimensions=len(dimensions))
    for group in groups:
        if group.guided:
            board.place(group, development)
    for group in groups:
        if not group.guided:
            board.place(group, board.best_part(group))
    return board.result(suite)


def part_suites(suite: Suite, result: Split) -> dict[str, Suite]:
    """The parts as suites of their own, at version 1; a part named as a suite kind has that kind."""
    by_id = suite.case_by_id()
    kinds = {kind.value: kind for kind in SuiteKind}
    return {
        part: Suite(
            header=SuiteHeader.model_validate(
                {
                    **suite.header.model_dump(),
                    "name": f"{suite.header.name}-{part}",
                    "kind": kinds.get(part, suite.header.kind),
                    "version": 1,
                }
            ),
            cases=tuple(by_id[case_id] for case_id in case_ids),
        )
        for part, case_ids in result.parts.items()
    }


def _ties(case: Case, *, by_document: bool) -> list[_Label]:
    ties = []
    if case.source_group is not None:
        ties.append(("source", case.source_group))
    if case.session_group is not None:
        ties.append(("session", case.session_group))
    if by_document:
        ties.extend(("document", name.document_id) for name in case.expected_passages if name.document_id is not None)
    return ties


def _require_shares(shares: Mapping[str, float]) -> None:
    for part, share in shares.items():
        if not part or not math.isfinite(share) or not 0 < share <= 1:
            raise UsageError(f"part {shown(part)} has share {shown(share)}", hint="Shares lie between 0 and 1")
    if not math.isclose(sum(shares.values()), 1.0, abs_tol=1e-9):
        raise UsageError(f"the shares add up to {sum(shares.values()):g}", hint="Make them add up to 1")


def _require_one_kind(kind: SuiteKind, shares: Mapping[str, float]) -> None:
    # Development cases may become anything until they have guided tuning; all others may only go back to development.
    if kind is SuiteKind.DEVELOPMENT:
        return
    allowed = {kind.value, SuiteKind.DEVELOPMENT.value}
    for part in shares:
        if part in {other.value for other in SuiteKind} - allowed:
            raise UsageError(
                f"a {kind.value} suite cannot give cases to a part of kind {shown(part)}; kinds are never mixed",
                hint=f"Use parts named {kind.value}, development, or by a name that is no kind",
            )


def _ordered_components(suite: Suite, dimensions: Sequence[str], *, seed: int, by_document: bool) -> list[_Component]:
    found = []
    # By case id, so that not even the rounding of a sum depends on the order of the rows.
    by_id = sorted(suite.cases, key=lambda case: case.case_id)
    for cases in components(by_id, by_document=by_document):
        labels = Counter((name, label) for case in cases for name in dimensions for label in labels_of(case, name))
        found.append(
            _Component(
                cases=cases,
                labels=labels,
                guided=any(case.guided_tuning for case in cases),
                order=digest_of(["split", seed, suite.header.name, cases[0].case_id]),
            )
        )
    return sorted(found, key=lambda component: (-len(component.cases), component.order))


class _Board:
    """The parts while they fill up."""

    def __init__(self, shares: Mapping[str, float], groups: Sequence[_Component], *, n_dimensions: int) -> None:
        self._shares = dict(shares)
        self._total = sum(len(group.cases) for group in groups)
        self._label_total: Counter[_Label] = Counter()
        for group in groups:
            self._label_total.update(group.labels)
        # The size of a part weighs as much as all its labels together.
        self._size_weight = max(1, n_dimensions)
        self._placed: dict[str, list[_Component]] = {part: [] for part in shares}
        self._size: Counter[str] = Counter()
        self._labels: dict[str, Counter[_Label]] = {part: Counter() for part in shares}

    def place(self, group: _Component, part: str) -> None:
        self._placed[part].append(group)
        self._size[part] += len(group.cases)
        self._labels[part].update(group.labels)

    def best_part(self, group: _Component) -> str:
        return min(self._shares, key=lambda part: (self._cost(group, part), part))

    def _cost(self, group: _Component, part: str) -> float:
        """By how much the sum of squared deviations grows, halved and less what is the same for every part."""
        share = self._shares[part]
        size = len(group.cases)
        cost = self._size_weight * size * (self._size[part] - share * self._total)
        for label, count in group.labels.items():
            cost += count * (self._labels[part][label] - share * self._label_total[label])
        return cost

    def result(self, suite: Suite) -> Split:
        members = {
            part: {case.case_id for group in groups for case in group.cases} for part, groups in self._placed.items()
        }
        return Split(
            parts={
                part: tuple(case.case_id for case in suite.cases if case.case_id in ids)
                for part, ids in members.items()
            },
            shares=tuple(
                PartShare(
                    part=part,
                    asked=share,
                    achieved=len(members[part]) / self._total,
                    cases=len(members[part]),
                    components=len(self._placed[part]),
                    labels={f"{name}={label}": n for (name, label), n in sorted(self._labels[part].items())},
                )
                for part, share in self._shares.items()
            ),
        )
