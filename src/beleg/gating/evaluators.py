"""How often evaluators failed: that is no fault of the candidate, and no reason to pass it either."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from beleg.core.decision import CheckKind, CheckResult, CheckState, Counts, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.policy import Policy
from beleg.core.score import FAILED_STATUSES, STATUS_CODE, ScoreStatus
from beleg.gating.plan import PlannedCheck
from beleg.gating.sentences import both, pick
from beleg.gating.trust import is_judged
from beleg.metrics.catalogue import Metric
from beleg.text.numbers import number, percent

FAILED_ATTEMPT = "failed"
"""The metric that tells which rows the candidate itself left without an answer; they say nothing of an evaluator."""
EVALUATOR_FAULTS = (ScoreStatus.JUDGE_ERROR, ScoreStatus.INVALID, ScoreStatus.TIMEOUT)
MAX_CASES = 10


def evaluator_checks(policy: Policy, planned: Sequence[PlannedCheck], run: Evaluation) -> list[CheckResult]:
    """One check per judged metric of the policy; none where the policy sets no ceiling.

    The share is a count over this very run and not a sample of anything, so it has no interval.
    """
    rule = policy.evaluator_failures
    if rule is None:
        return []
    judged = {str(check.metric): check.metric for check in planned if is_judged(check.metric.spec)}
    owner = rule.owner or policy.owner
    return [_check(metric, run, rule.ceiling, owner) for metric in judged.values()]


def _check(metric: Metric, run: Evaluation, ceiling: float, owner: str | None) -> CheckResult:
    column = run.scores[str(metric)]
    answered = run.scores[FAILED_ATTEMPT].filled(1.0) < 1.0
    due = answered & (column.scored | column.failed)
    faults = {
        status: int(np.count_nonzero(due & np.equal(column.status, STATUS_CODE[status])))
        for status in sorted(FAILED_STATUSES, key=STATUS_CODE.__getitem__)
    }
    faulty = np.isin(column.status, [STATUS_CODE[status] for status in EVALUATOR_FAULTS]) & due
    n_due, n_faulty, n_scored = (int(np.count_nonzero(mask)) for mask in (due, faulty, column.scored & due))
    # A judge that was never asked has failed nowhere, and shown nothing: its rows are missing, not faulty, and where
    # only some cases were judged they must not make its faults look rare.
    asked = n_scored + n_faulty
    state = CheckState.NOT_EVALUATED if not asked else CheckState.PASS
    if n_faulty > ceiling * asked:
        state = CheckState.ERROR
    rows = run.row_case[np.flatnonzero(faulty)]
    return CheckResult(
        check_id=f"{metric}/evaluator",
        kind=CheckKind.EVALUATOR,
        state=state,
        reason=_told(metric, n_faulty, asked, ceiling),
        metric=str(metric),
        higher_is_better=False,
        pass_at=ceiling,
        counts=Counts(
            expected=n_due, scored=n_scored, reasons={status: count for status, count in faults.items() if count}
        ),
        worst_cases=tuple(dict.fromkeys(run.case_ids[rows].tolist()))[:MAX_CASES] if state is CheckState.ERROR else (),
        owner=owner,
        remedy=_remedy(state, n_faulty),
    )


def _told(metric: Metric, faulty: int, asked: int, ceiling: float) -> Sentence:
    def make(language: str) -> str:
        head = f"{pick(language, 'Evaluator of', 'Auswertung von')} {metric.title(language)}: "
        if not asked:
            return head + pick(language, "no evaluator was asked", "keine Auswertung wurde gefragt")
        n_faulty, n_asked = (number(count, language, decimals=0) for count in (faulty, asked))
        share, most = percent(faulty / asked, language, decimals=1), percent(ceiling, language, decimals=1)
        return head + pick(
            language,
            f"{n_faulty} of {n_asked} rows failed, timed out or were unusable ({share}; at most {most})",
            f"{n_faulty} von {n_asked} Zeilen fehlerhaft, zu spät oder unbrauchbar ({share}; höchstens {most})",
        )

    return both(make)


def _remedy(state: CheckState, faulty: int) -> Sentence | None:
    if state is CheckState.ERROR:
        return Sentence(
            en=f"have the {faulty} rows judged again (beleg judge run); what was judged costs nothing",
            de=f"die {faulty} Zeilen erneut beurteilen lassen (beleg judge run); bereits Beurteiltes kostet nichts",
        )
    if state is CheckState.NOT_EVALUATED:
        return Sentence(en="ask a judge: beleg judge run", de="ein Gutachtermodell fragen: beleg judge run")
    return None
