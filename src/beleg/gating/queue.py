"""Whose turn it is: the cases of open checks, each in the queue of the owner that the policy names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from beleg.core.decision import CheckResult, CheckState, Decision, Verdict
from beleg.core.governance import QueueItem
from beleg.core.policy import Policy
from beleg.metrics.catalogue import parse_metric


def queue_of(decision: Decision, policy: Policy) -> tuple[QueueItem, ...]:
    """What waits for a person, if the decision is REVIEW: every open check, and the boundary cases of each figure.

    PASS waits for nobody, and what BLOCK needs is another candidate. A check without a figure names no case: what it
    lacks is evidence, not somebody who looks at an answer.

    Args:
        decision: what was decided.
        policy: by which policy.
    """
    if decision.verdict is not Verdict.REVIEW:
        return ()
    dates = {_printed(check.metric): check.review_by for check in policy.checks if check.review_by is not None}
    return tuple(
        item
        for check in decision.checks
        if check.state is not CheckState.PASS
        for item in _items(check, policy, dates.get(check.metric or "", policy.review_by))
    )


def _printed(name: str) -> str:
    return str(parse_metric(name))


def _items(check: CheckResult, policy: Policy, review_by: date | None) -> list[QueueItem]:
    cases = check.worst_cases if check.state is CheckState.INCONCLUSIVE and not _only_lacks_cases(check) else ()
    return [
        QueueItem(
            owner=check.owner or policy.owner,
            check=check.check_id,
            state=check.state,
            case=case,
            why=check.reason,
            remedy=check.remedy,
            review_by=review_by,
        )
        for case in cases or (None,)
    ]


def _only_lacks_cases(check: CheckResult) -> bool:
    """Whether the figure meets its level and only more cases can prove it: no single answer needs a look."""
    if check.figure is None or check.pass_at is None or check.needed is None:
        return False
    estimate, level = check.figure.estimate, check.pass_at
    return estimate >= level if check.higher_is_better else estimate <= level


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for one owner."""

    cases: int
    """Different cases."""
    checks: int
    """Checks that are about no single case."""


def waiting(items: Sequence[QueueItem]) -> dict[str | None, Waiting]:
    """How many different cases, and how many checks without one, wait for each owner."""
    cases: dict[str | None, set[str]] = {}
    checks: dict[str | None, set[str]] = {}
    for item in items:
        cases.setdefault(item.owner, set()).update(() if item.case is None else (item.case,))
        checks.setdefault(item.owner, set()).update((item.check,) if item.case is None else ())
    return {owner: Waiting(len(found), len(checks[owner])) for owner, found in cases.items()}
