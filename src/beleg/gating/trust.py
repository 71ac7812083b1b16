"""Whether the judge behind a metric may be believed: one judge, the same in both runs, calibrated against people (P4).

Nothing here can make a judged metric pass without a calibration: no setting of a policy says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from beleg.core.calibration import CalibrationFigures, CalibrationRecord, JudgedMetric, JudgeStanding
from beleg.core.case import Case
from beleg.core.decision import CheckKind, CheckResult, CheckState, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.policy import JudgeTrust, Policy
from beleg.core.score import ScoreStatus
from beleg.gating import trust_words as words
from beleg.gating.plan import JudgeNoise, PlannedCheck
from beleg.judges.prompting import prompt_language
from beleg.metrics.spec import MetricSpec


@dataclass(frozen=True, slots=True)
class Records:
    """What is known of judges when a decision is made."""

    calibrations: tuple[CalibrationRecord, ...]
    decided_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """What became of the question whether the judge of one metric may be believed."""

    told: JudgedMetric
    check: CheckResult
    noise: JudgeNoise | None = None
    not_in: Mapping[str, CheckResult] = field(default_factory=dict)
    """Protected segments in which the calibration says too little, though it is enough over all."""

    @property
    def is_trusted(self) -> bool:
        """Whether the checks of the metric stand, but for those of the segments in ``not_in``."""
        return self.check.state is CheckState.PASS

    def checks(self) -> tuple[CheckResult, ...]:
        """What the decision says of the judge."""
        return (self.check, *self.not_in.values())


def is_judged(spec: MetricSpec) -> bool:
    """Whether a metric says no more than somebody who must be calibrated: a judge, or a proxy for one."""
    return spec.rests_on is not None or bool(getattr(spec, "proxy", False))


def believe(
    policy: Policy, planned: Sequence[PlannedCheck], runs: tuple[Evaluation, Evaluation | None], records: Records
) -> dict[str, Believed]:
    """Asks of every judged metric of a policy whether its judge may be believed.

    Args:
        policy: what must hold.
        planned: its checks.
        runs: candidate and baseline.
        records: the calibrations that there are.

    Returns:
        One answer per judged metric, by its printed name.
    """
    judged: dict[str, list[PlannedCheck]] = {}
    for check in planned:
        if is_judged(check.metric.spec):
            judged.setdefault(str(check.metric), []).append(check)
    compared = {str(check.metric) for check in planned if check.kind is CheckKind.NO_REGRESSION}
    candidate, baseline = runs
    return {
        name: _believed(checks, policy, (candidate, baseline if name in compared else None), records)
        for name, checks in judged.items()
    }


def with_noise(check: PlannedCheck, believed: Mapping[str, Believed]) -> PlannedCheck:
    """The check with the noise of its judge, where that was measured."""
    found = believed.get(str(check.metric))
    return check if found is None or found.noise is None else replace(check, noise=found.noise)


def held_to_trust(result: CheckResult, believed: Mapping[str, Believed]) -> CheckResult:
    """A check whose judge may not be believed decides nothing, neither for the candidate nor against it."""
    found = believed.get(result.metric or "")
    if found is None or result.state is CheckState.ERROR:
        return result
    calibrated = found.not_in.get(result.segment or "", found.check) if result.protected else found.check
    if calibrated.state is CheckState.PASS:
        return result
    state = CheckState.ERROR if calibrated.state is CheckState.ERROR else CheckState.NOT_EVALUATED
    changes = {"state": state, "reason": words.not_believed(result.reason), "remedy": calibrated.remedy}
    return result.model_copy(update=changes)


def _believed(
    checks: Sequence[PlannedCheck], policy: Policy, runs: tuple[Evaluation, Evaluation | None], records: Records
) -> Believed:
    candidate, baseline = runs
    check, trust = checks[0], policy.trust
    name = str(check.metric)
    standing = candidate.judges.get(name)
    told = JudgedMetric(
        metric=name,
        measure=check.metric.spec.rests_on or name,
        judges=() if standing is None else standing.judges,
        judge_digest=standing.judges[0].digest if standing is not None and len(standing.judges) == 1 else None,
        human_labels=_labels(name, candidate),
    )
    if standing is None or not standing.is_one:
        asked = words.ASK_ONE_JUDGE if standing is None or not standing.versions else None
        return _answer(check, told, trust.uncalibrated, words.no_one_judge(standing), asked)
    if baseline is not None and _differs(name, standing, baseline):
        return _answer(check, told, "refuse", words.different_judges(standing, baseline.judges.get(name)))
    record, why_not = _record_for(standing, trust, records)
    if record is None:
        missing = trust.minimum_labels - _most_labels(standing, records)
        return _answer(check, told, trust.uncalibrated, why_not, words.calibrate_with(missing))
    foreign = _languages_without_labels(record, standing, _cases_of(checks, candidate))
    if foreign:
        return _answer(check, told, trust.uncalibrated, words.languages_without_labels(foreign))
    told = told.model_copy(
        update={
            "calibration": record.digest,
            "labels": record.overall.n,
            "false_pass": record.overall.false_pass,
            "kappa": record.overall.kappa,
            "noise": record.noise,
            "calibrated_at": record.created_at,
        }
    )
    return Believed(
        told=told,
        check=_result(check, CheckState.PASS, words.calibrated(check, told)),
        noise=_noise(record, candidate.header.settings.repeats),
        not_in=_segments_not_met(record, trust, checks),
    )


def _answer(
    check: PlannedCheck, told: JudgedMetric, how: str, why: Sentence, remedy: Sentence | None = None
) -> Believed:
    result = _result(check, _unmet(how), words.told_of(check, why))
    return Believed(told=told, check=result.model_copy(update={"remedy": remedy or words.calibrate_with(0)}))


def _most_labels(standing: JudgeStanding, records: Records) -> int:
    """Labels behind the largest record of this very judge and measure."""
    judge = standing.judges[0] if standing.judges else None
    own = (record for record in records.calibrations if (record.measure, record.judge) == (standing.measure, judge))
    return max((record.overall.n for record in own), default=0)


def _unmet(how: str) -> CheckState:
    return CheckState.ERROR if how == "refuse" else CheckState.NOT_EVALUATED


def _segments_not_met(
    record: CalibrationRecord, trust: JudgeTrust, checks: Sequence[PlannedCheck]
) -> dict[str, CheckResult]:
    """The protected segments in which the record does not show by itself what it shows over all items.

    A judge may be right in one language and wrong in another, so each label that bounds the segment is asked for by
    itself: a record keeps no figures of their combinations.
    """
    held = {figures.segment: figures for figures in record.segments}
    found: dict[str, CheckResult] = {}
    for check in checks:
        for part in check.protects:
            figures = held.get(part)
            why = words.NO_LABELS if figures is None or not figures.n else _weak_figures(figures, trust)
            if why is not None and check.segment is not None:
                told = words.told_of(check, words.in_part(part, why))
                result = _result(check, _unmet(trust.uncalibrated), told)
                found.setdefault(
                    check.segment,
                    result.model_copy(
                        update={
                            "check_id": f"{result.check_id}/{check.segment}",
                            "segment": check.segment,
                            "protected": True,
                        }
                    ),
                )
    return found


def _cases_of(checks: Sequence[PlannedCheck], candidate: Evaluation) -> list[Case]:
    """The cases that any check of a metric is about."""
    places = np.unique(np.concatenate([check.members for check in checks]))
    return [candidate.cases[place] for place in places.tolist()]


def _languages_without_labels(
    record: CalibrationRecord, standing: JudgeStanding, cases: Sequence[Case]
) -> tuple[str, ...]:
    """The languages that the judge was asked about in English and in which no item was labelled.

    The record names the prompts that it covers, which tells German from the rest; every other language is asked about
    in the English prompt, so that its labels must show that the language was covered.
    """
    if not any(task.language == "en" for task in standing.tasks):
        return ()
    asked_in_english = {
        _language(label)
        for case in cases
        if prompt_language(case.language) == "en" and (label := case.segment_labels().get("language")) is not None
    }
    pairs = [(figures.segment or "").partition("=") for figures in record.segments if figures.n]
    labelled = {_language(label) for dimension, _, label in pairs if dimension == "language"}
    return tuple(sorted(asked_in_english - labelled - {"en"}))


def _language(tag: str) -> str:
    return tag.lower().replace("_", "-").partition("-")[0]


def _result(check: PlannedCheck, state: CheckState, reason: Sentence) -> CheckResult:
    return CheckResult(
        check_id=f"{check.metric}/calibration",
        kind=CheckKind.CALIBRATION,
        state=state,
        reason=reason,
        metric=str(check.metric),
        owner=check.owner,
    )


def _labels(name: str, candidate: Evaluation) -> int:
    people = candidate.human.get(name)
    return 0 if people is None else people.counts().get(ScoreStatus.SCORED, 0)


def _differs(name: str, standing: JudgeStanding, baseline: Evaluation) -> bool:
    """Whether the baseline has figures that somebody else gave; where it has none there is nothing to compare."""
    other, column = baseline.judges.get(name), baseline.scores.get(name)
    if column is None or not len(column.values):
        return False
    return other is None or not standing.same_as(other)


def _record_for(
    standing: JudgeStanding, trust: JudgeTrust, records: Records
) -> tuple[CalibrationRecord | None, Sentence]:
    """The record that vouches for a judge, or the reason why none does.

    Of the records of this very judge and its prompts the newest decides, so that nobody can fall back on an older one
    that came out better. Where there is none, the reason is that of the record which comes nearest.
    """
    of_measure = [record for record in records.calibrations if record.measure == standing.measure]
    pinned = [record for record in of_measure if not trust.digests or record.digest in trust.digests]
    nearest: tuple[int, Sentence] = (-1, words.never_calibrated(standing))
    for record in sorted(pinned, key=lambda record: record.created_at, reverse=True):
        step, why = _mismatch(record, standing)
        if why is None:
            weak = _too_weak(record, trust, records.decided_at)
            return (record, nearest[1]) if weak is None else (None, weak)
        if step > nearest[0]:
            nearest = (step, why)
    return None, nearest[1]


def _mismatch(record: CalibrationRecord, standing: JudgeStanding) -> tuple[int, Sentence | None]:
    """How near a record comes to a judge, and in what it is about another one; nothing where it is about this one."""
    judge = standing.judges[0] if standing.judges else None
    embedder = standing.embedders[0] if standing.embedders else None
    if record.judge is None and judge is not None:
        return 0, words.bound_to_no_judge(standing)
    if (record.judge, record.embedder) != (judge, embedder):
        return 1, words.changed_judge(record, standing)
    if standing.thresholds and standing.thresholds[0] != record.threshold.threshold:
        return 2, words.changed_threshold(record, standing)
    if record.measure_version != standing.versions[0]:
        return 2, words.changed_measure(record, standing)
    unknown = [task for task in standing.tasks if task not in record.tasks]
    if unknown:
        return 3, words.changed_tasks(record, unknown)
    return 4, None


def _too_weak(record: CalibrationRecord, trust: JudgeTrust, decided_at: datetime) -> Sentence | None:
    """What a record of the right judge lacks by the policy."""
    age = (decided_at - record.created_at).days
    if age < 0:
        return words.FROM_THE_FUTURE
    if trust.max_age_days is not None and age > trust.max_age_days:
        return words.too_old(age, trust.max_age_days)
    weak = _weak_figures(record.overall, trust)
    if weak is None and trust.noise == "require" and record.noise is None:
        return words.NOISE_UNKNOWN
    return weak


def _weak_figures(figures: CalibrationFigures, trust: JudgeTrust) -> Sentence | None:
    """What figures lack by the policy, over all items or over one segment of them."""
    if figures.n < trust.minimum_labels:
        return words.few_labels(figures.n, trust.minimum_labels)
    worst = figures.false_pass.upper if figures.false_pass is not None else 1.0
    if trust.max_false_pass is not None and worst > trust.max_false_pass:
        return words.passes_too_much(figures, trust.max_false_pass)
    agreed = figures.kappa.lower
    # Chance is no calibration, however low a policy sets its bar.
    if (trust.minimum_kappa or 0.0) <= 0.0 and (agreed is None or agreed <= 0.0):
        return words.no_better_than_chance(figures)
    if trust.minimum_kappa is not None and (agreed is None or agreed < trust.minimum_kappa):
        return words.agrees_too_little(figures, trust.minimum_kappa)
    return None


def _noise(record: CalibrationRecord, repeats: int) -> JudgeNoise | None:
    if record.noise is None:
        return None
    return JudgeNoise(
        per_case=record.noise.within_variance / max(repeats, 1), shared=record.noise.shared_variance or 0.0
    )
