"""Looking at judged checks batch by batch, and stopping as soon as the decision is settled (P7).

The looks are a pure function of the stored rows and the policy: whoever decides again takes the same looks from the
first one on, so that judging more cases after a look was settled changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence, reduce_states
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.score import STATUS_CODE, ScoreStatus
from beleg.core.sequential import LookTaken, SequentialPlan, SequentialRecord
from beleg.gating.column import GroupColumn
from beleg.gating.looks import Looks, at_look, level_at, plan_looks
from beleg.gating.plan import PlannedCheck
from beleg.gating.sentences import both, pick
from beleg.gating.trust import Believed
from beleg.text.numbers import number

Runs = tuple[Evaluation, Evaluation | None]
Outcome = Literal["settled", "exhausted", "waiting", "pointless"]
CarryOut = Callable[[Sequence[tuple[PlannedCheck, Policy]]], list[CheckResult]]
"""Carries out checks, each by its own policy, and holds them to their families and to the trust in their judges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What the looks came to."""

    results: tuple[CheckResult, ...]
    """Of all checks of the policy, the judged ones as the last look shows them."""
    check: CheckResult
    """What the decision says of the looks."""
    record: SequentialRecord
    next_cases: tuple[str, ...] = ()
    """The cases to judge next, in order; none where nothing waits for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    looks: tuple[LookTaken, ...]
    results: tuple[CheckResult, ...]
    outcome: Outcome
    waiting: tuple[str, ...] = field(default=())


def is_judged_by_calls(check: PlannedCheck) -> bool:
    """Whether its scores cost calls of a judge; everything else is there for all cases at once."""
    return check.metric.spec.rests_on is not None


def decide_by_looks(
    policy: Policy,
    planned: Sequence[PlannedCheck],
    runs: Runs,
    believed: Mapping[str, Believed],
    carry_out: CarryOut,
    always: PlannedCheck | None = None,
) -> Settlement:
    """Takes look after look until the judged checks are settled, or the judged cases end.

    One failed check blocks, whatever follows. When all judged checks pass, judging more cannot change their verdict for
    the better. Checks that no judge is needed for are carried out over all cases, at the policy's whole level.

    Args:
        policy: what must hold, and at which shares of the cases is looked.
        planned: its checks.
        runs: candidate and baseline on the same cases.
        believed: whether the judge of each metric may be believed.
        carry_out: carries out checks.
        always: a check all of whose cases are judged before the first look, because none of them may stay unseen.
    """
    judged = [check for check in planned if is_judged_by_calls(check)]
    rest = carry_out([(check, policy) for check in planned if not is_judged_by_calls(check)])
    looks = plan_looks(policy, policy.sequential or SequentialPlan(), runs[0].cases)
    if any(result.state is CheckState.FAIL for result in rest):
        taken = _without_a_look(policy, judged, looks, carry_out, "settled")
    elif not _is_trusted(judged, believed) and not _waiting(judged, looks, 1, runs, always):
        taken = _without_a_look(policy, judged, looks, carry_out, "pointless")
    else:
        taken = _taken(policy, judged, looks, runs, carry_out, always)
    record = _record(looks, taken)
    return Settlement(
        results=(*rest, *taken.results),
        check=_told(record, len(taken.waiting)),
        record=record,
        next_cases=taken.waiting,
    )


def _is_trusted(judged: Sequence[PlannedCheck], believed: Mapping[str, Believed]) -> bool:
    names = {str(check.metric) for check in judged}
    return all(found.is_trusted for name, found in believed.items() if name in names)


def _taken(
    policy: Policy,
    judged: Sequence[PlannedCheck],
    looks: Looks,
    runs: Runs,
    carry_out: CarryOut,
    always: PlannedCheck | None,
) -> _Taken:
    done: list[LookTaken] = []
    results: tuple[CheckResult, ...] = ()
    for look in range(1, len(looks) + 1):
        waiting = _waiting(judged, looks, look, runs, always)
        if waiting:
            shown = results or _without_a_look(policy, judged, looks, carry_out, "waiting").results
            return _Taken(looks=tuple(done), results=shown, outcome="waiting", waiting=waiting)
        results = _at(policy, judged, looks, look, carry_out)
        done.append(_counted(look, looks.ends[look - 1], results))
        if _is_settled(results):
            return _Taken(looks=tuple(done), results=results, outcome="settled")
    return _Taken(looks=tuple(done), results=results, outcome="exhausted")


def _without_a_look(
    policy: Policy, judged: Sequence[PlannedCheck], looks: Looks, carry_out: CarryOut, outcome: Outcome
) -> _Taken:
    """The judged checks as far as there is anything to see; cases that are judged in part decide nothing."""
    seen = _at(policy, judged, looks, 1, carry_out)
    return _Taken(looks=(), results=tuple(_not_looked(result) for result in seen), outcome=outcome)


def _at(
    policy: Policy, judged: Sequence[PlannedCheck], looks: Looks, look: int, carry_out: CarryOut
) -> tuple[CheckResult, ...]:
    """Carries out the judged checks over the cases of a look, each at its level there."""
    at = [
        (
            at_look(check, looks, look),
            policy.model_copy(update={"confidence": 1.0 - level_at(check, looks, look, policy.alpha)}),
        )
        for check in judged
    ]
    results = carry_out(at)
    if looks.plan.zero_tolerance == "all" and not looks.is_last(look):
        results = [_not_all_seen(result) for result in results]
    return tuple(results)


def _is_settled(results: Sequence[CheckResult]) -> bool:
    return reduce_states([result.state for result in results]) in (CheckState.FAIL, CheckState.PASS)


def _counted(look: int, cases: int, results: Sequence[CheckResult]) -> LookTaken:
    states = [result.state for result in results]
    passed, failed = states.count(CheckState.PASS), states.count(CheckState.FAIL)
    return LookTaken(number=look, cases=cases, passed=passed, failed=failed, open=len(states) - passed - failed)


def _not_looked(result: CheckResult) -> CheckResult:
    """Cases that are judged only in part are no look: what they show decides nothing, neither way."""
    reason = Sentence(
        en=f"{result.reason.en}; no look was taken at it", de=f"{result.reason.de}; darauf fiel noch kein Blick"
    )
    unsure = result.state if result.state is CheckState.ERROR else CheckState.NOT_EVALUATED
    return result.model_copy(update={"state": unsure, "reason": reason})


def _not_all_seen(result: CheckResult) -> CheckResult:
    """Cases that nobody judged could hold the very event that must not happen."""
    if result.kind is not CheckKind.ZERO_TOLERANCE or result.state is not CheckState.PASS:
        return result
    reason = Sentence(
        en=f"{result.reason.en}; it passes when all cases are judged",
        de=f"{result.reason.de}; bestanden ist erst, wenn alle Fälle bewertet sind",
    )
    return result.model_copy(update={"state": CheckState.INCONCLUSIVE, "reason": reason})


def _waiting(
    judged: Sequence[PlannedCheck], looks: Looks, look: int, runs: Runs, always: PlannedCheck | None
) -> tuple[str, ...]:
    """The cases of a look that are not judged yet in either run, in the order of judging."""
    inside = looks.members(look)
    still: set[str] = set()
    for check in judged:
        members = np.intersect1d(check.members, inside, assume_unique=True)
        for run in runs if check.kind is CheckKind.NO_REGRESSION else runs[:1]:
            still |= _unjudged(run, str(check.metric), members)
    if always is not None:
        still |= _unjudged(runs[0], str(always.metric), always.members)
    ordered = (runs[0].cases[place].case_id for place in looks.order.tolist())
    return tuple(case_id for case_id in ordered if case_id in still)


def _unjudged(run: Evaluation | None, metric: str, members: npt.NDArray[np.intp]) -> set[str]:
    if run is None or metric not in run.scores:
        return set()
    column = GroupColumn.of(run, metric, members)
    unseen = column.scores.status == STATUS_CODE[ScoreStatus.MISSING]
    return set(column.ids(unseen & ~_unanswered(run, members)))


def _unanswered(run: Evaluation, members: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Cases that the candidate was never asked: no judge can give them a score."""
    if "failed" not in run.scores:
        return np.zeros(len(members), dtype=np.bool_)
    never_asked: npt.NDArray[np.bool_] = run.by_case("failed").take(members).status == STATUS_CODE[ScoreStatus.MISSING]
    return never_asked


def _record(looks: Looks, taken: _Taken) -> SequentialRecord:
    reached = taken.looks[-1].cases if taken.looks else 0
    return SequentialRecord(
        plan=looks.plan,
        order_digest=looks.order_digest,
        looks=taken.looks,
        planned_cases=looks.ends,
        outcome=taken.outcome,
        cases_saved=looks.ends[-1] - reached if taken.outcome in ("settled", "pointless") else 0,
    )


def _told(record: SequentialRecord, waiting: int) -> CheckResult:
    state = CheckState.PASS if record.outcome in ("settled", "exhausted") else CheckState.NOT_EVALUATED
    looks, planned = len(record.looks), len(record.planned_cases)

    def make(language: str) -> str:
        reached = number(record.looks[-1].cases if looks else 0, language, decimals=0)
        whole, still = (number(count, language, decimals=0) for count in (record.planned_cases[-1], waiting))
        return {
            "settled": pick(
                language,
                f"Settled at look {looks} of {planned}, with {reached} of {whole} cases judged",
                f"Entschieden beim {looks}. von {planned} Blicken, mit {reached} von {whole} bewerteten Fällen",
            ),
            "exhausted": pick(
                language,
                f"All {planned} looks were taken, over {whole} cases; judged checks stay open",
                f"Alle {planned} Blicke sind getan, über {whole} Fälle; bewertete Prüfungen bleiben offen",
            ),
            "waiting": pick(
                language,
                f"Look {looks + 1} of {planned} waits for {still} cases to be judged",
                f"Der {looks + 1}. von {planned} Blicken wartet auf {still} Fälle, die noch zu bewerten sind",
            ),
            "pointless": pick(
                language,
                "Judging more cases settles nothing: the judge is not believed",
                "Weitere Bewertungen entscheiden nichts: dem Judge wird nicht geglaubt",
            ),
        }[record.outcome]

    return CheckResult(check_id="sequential", kind=CheckKind.SEQUENTIAL, state=state, reason=both(make))
