"""Checks that hold one another: passing only together, and blocking where the policy leaves nothing to a person."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.decision import CheckResult, CheckState, Sentence
from beleg.core.policy import Policy
from beleg.gating.plan import PlannedCheck
from beleg.gating.sentences import both, pick
from beleg.metrics.catalogue import parse_metric


def hold_together(planned: Sequence[PlannedCheck], results: Sequence[CheckResult]) -> list[CheckResult]:
    """Keeps a check from PASS while a metric that it passes together with has not passed everywhere.

    Args:
        planned: the checks of the policy.
        results: what became of them.
    """
    bound = {check.check_id: check.together_with for check in planned if check.together_with}
    if not bound:
        return list(results)
    passed: dict[str, bool] = {}
    for result in results:
        if result.metric is not None:
            passed[result.metric] = passed.get(result.metric, True) and result.state is CheckState.PASS
    return [_bound(result, [name for name in bound.get(result.check_id, ()) if not passed.get(_printed(name))])
            for result in results]  # fmt: skip


def _printed(name: str) -> str:
    return str(parse_metric(name))


def _bound(result: CheckResult, open_ones: Sequence[str]) -> CheckResult:
    if result.state is not CheckState.PASS or not open_ones:
        return result

    def make(language: str) -> str:
        names = ", ".join(parse_metric(name).title(language) for name in open_ones)
        return result.reason.in_language(language) + pick(
            language,
            f"; it passes only together with {names}, which did not pass",
            f"; es besteht nur zusammen mit {names}, und das ist nicht erfüllt",
        )

    return result.model_copy(update={"state": CheckState.INCONCLUSIVE, "reason": both(make)})


CLOSED = Sentence(
    en="; the policy leaves this to nobody and blocks",
    de="; die Policy überlässt das niemandem und sperrt",
)


def closed(check: CheckResult, policy: Policy) -> CheckResult:
    """A check that would ask for a person, as FAIL where the policy blocks then.

    Example:
        >>> from beleg.core.decision import CheckKind
        >>> closed(CheckResult(check_id="baseline", kind=CheckKind.COMPARABILITY, state=CheckState.ERROR,
        ...        reason=Sentence(en="no baseline", de="keine Baseline")), Policy(policy="p")).state.value
        'ERROR'
    """
    open_one = check.state not in (CheckState.PASS, CheckState.FAIL)
    if not open_one or check.kind not in (policy.block_when_open or ()):
        return check
    reason = Sentence(en=check.reason.en + CLOSED.en, de=check.reason.de + CLOSED.de)
    return check.model_copy(update={"state": CheckState.FAIL, "reason": reason})
