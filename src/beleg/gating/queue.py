"""Whose turn it is: the cases of open checks, each in the queue of the owner that the policy names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from beleg.core.decision import CheckResult, CheckState, Decision, Verdict
from beleg.core.governance import QueueItem
from beleg.core.policy import Policy
from beleg.metrics.catalogue import parse_metric


def queue_of(decision: Decision, policy: Policy) -> tuple[QueueItem, ...]:
    """What waits for a person, if the decision is REVIEW: every open check with each of its cases.

    PASS waits for nobody, and what BLOCK needs is another candidate.

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
        for case in check.worst_cases or (None,)
    ]


def waiting(items: Sequence[QueueItem]) -> dict[str | None, int]:
    """How many different cases wait for each owner; a check without a single case counts as one."""
    seen: dict[str | None, set[str]] = {}
    for item in items:
        seen.setdefault(item.owner, set()).add(item.case if item.case is not None else f"\n{item.check}")
    return {owner: len(cases) for owner, cases in seen.items()}
