"""Whether two runs may be compared, dimension by dimension (R5): the same, different, or not known."""

from __future__ import annotations

from beleg.core.calibration import JudgeStanding
from beleg.core.decision import CheckKind, CheckResult, CheckState, Dimension, Sentence
from beleg.core.dimensions import DIFFERENT, SAME, UNKNOWN, known_dimension, manifest_dimensions
from beleg.core.evaluation import Evaluation
from beleg.core.run import RunHeader
from beleg.metrics.spec import INPUT_DIMENSIONS

MUST_MATCH = frozenset(INPUT_DIMENSIONS)
"""Where these differ, a difference between the runs says nothing about the candidate."""


def compare_runs(
    candidate: Evaluation, baseline: Evaluation, *, policy_digest: str | None = None
) -> tuple[Dimension, ...]:
    """Every dimension in which the runs may differ, each ``SAME``, ``DIFFERENT`` or ``UNKNOWN``.

    Args:
        candidate: one run.
        baseline: the other.
        policy_digest: the policy under which both are looked at; ``None`` where there is none.
    """
    new, old = candidate.header, baseline.header
    dimensions = [
        _dimension("suite", new.suite_digest, old.suite_digest),
        _cases(new, old),
        _dimension("repeats", str(new.settings.repeats), str(old.settings.repeats)),
        _dimension("mode", _mode(new.settings.retrieve_only), _mode(old.settings.retrieve_only)),
        _dimension("measured stage", candidate.final_stage, baseline.final_stage),
        _dimension("timeout_s", str(new.settings.timeout_s), str(old.settings.timeout_s)),
        _dimension("retries", str(new.settings.retries), str(old.settings.retries)),
        _dimension("metric versions", _listed(candidate.metric_versions), _listed(baseline.metric_versions)),
        _dimension("beleg version", new.beleg_version, old.beleg_version),
        *_recorded("normalisation", candidate.normalisation, baseline.normalisation),
        *_recorded("inventory", new.inventory_digest, old.inventory_digest),
        *_recorded("lock", _lock(new), _lock(old)),
        *_models(candidate, baseline),
        *_judges(candidate, baseline),
        *_recorded("policy", policy_digest, policy_digest),
    ]
    return (*dimensions, *manifest_dimensions(new.manifest, old.manifest))


def is_same_run(candidate: Evaluation, baseline: Evaluation) -> bool:
    """Whether the baseline is the candidate's own run, or its copy: compared with itself nothing ever worsens."""
    new, old = candidate, baseline
    same_traces = new.traces_digest is not None and new.traces_digest == old.traces_digest
    return new.header.run_id == old.header.run_id or same_traces


def same_run_check() -> CheckResult:
    """ERROR: there is only one run."""
    return CheckResult(
        check_id="comparability",
        kind=CheckKind.COMPARABILITY,
        state=CheckState.ERROR,
        reason=Sentence(
            en="Candidate and baseline are the same run; compared with itself nothing ever worsens",
            de="Kandidat und Baseline sind derselbe Lauf; gegen sich selbst verschlechtert sich nie etwas",
        ),
    )


def comparability_check(dimensions: tuple[Dimension, ...]) -> CheckResult:
    """ERROR where the runs differ in something that must be the same."""
    broken = [dimension for dimension in dimensions if dimension.name in MUST_MATCH and dimension.status != SAME]
    treated = [dimension.name for dimension in dimensions if dimension.status == DIFFERENT and dimension not in broken]
    if broken:
        named = ", ".join(f"{item.name} ({item.candidate} / {item.baseline})" for item in broken)
        reason = Sentence(
            en=f"Candidate and baseline cannot be compared; they differ in: {named}",
            de=f"Kandidat und Baseline sind nicht vergleichbar; sie unterscheiden sich in: {named}",
        )
        state = CheckState.ERROR
    else:
        listed = ", ".join(treated)
        reason = Sentence(
            en=f"Both runs used the same inputs; what differs: {listed or 'nothing'}",
            de=f"Beide Läufe nutzten dieselben Eingaben; Unterschiede: {listed or 'keine'}",
        )
        state = CheckState.PASS
    return CheckResult(check_id="comparability", kind=CheckKind.COMPARABILITY, state=state, reason=reason)


def _dimension(name: str, mine: str, theirs: str) -> Dimension:
    return Dimension(name=name, status=SAME if mine == theirs else DIFFERENT, candidate=mine, baseline=theirs)


def _recorded(name: str, mine: str | None, theirs: str | None) -> list[Dimension]:
    """A dimension of what may not have been recorded; none where neither run recorded it."""
    return [] if mine is None and theirs is None else [known_dimension(name, mine, theirs)]


def _cases(new: RunHeader, old: RunHeader) -> Dimension:
    """The rows: a part of the suite stands beside the whole of it, and how many cases both hold is told."""
    mine, theirs = set(new.case_ids), set(old.case_ids)
    detail = None
    if mine != theirs:
        both, only_mine, only_theirs = len(mine & theirs), len(mine - theirs), len(theirs - mine)
        detail = Sentence(
            en=f"{both} cases in both runs, {only_mine} only in the candidate's, {only_theirs} only in the baseline's",
            de=f"{both} Fälle in beiden Läufen, {only_mine} nur beim Kandidaten, {only_theirs} nur bei der Baseline",
        )
    return Dimension(
        name="cases",
        status=SAME if mine <= theirs else DIFFERENT,
        candidate=str(len(new.case_ids)),
        baseline=str(len(old.case_ids)),
        detail=detail,
    )


def _lock(header: RunHeader) -> str | None:
    if header.packages is None:
        return None
    return ", ".join(
        (f"python {header.python_version}", *(f"{name} {v}" for name, v in sorted(header.packages.items())))
    )


def _models(candidate: Evaluation, baseline: Evaluation) -> list[Dimension]:
    """The models that really answered: known only where every answer names its own."""
    mine, theirs = candidate.models_answered, baseline.models_answered
    if not mine and not theirs:
        return []
    is_whole = not (candidate.answers_without_model or baseline.answers_without_model)
    differ = bool(mine and theirs) and mine != theirs
    status = DIFFERENT if differ else SAME if mine == theirs and is_whole else UNKNOWN
    return [
        Dimension(
            name="model answered",
            status=status,
            candidate=_answered(mine, candidate.answers_without_model),
            baseline=_answered(theirs, baseline.answers_without_model),
        )
    ]


def _answered(models: tuple[str, ...], untold: int) -> str | None:
    if not models:
        return None
    return ", ".join(models) + (f" (+ {untold} × ?)" if untold else "")


def _judges(candidate: Evaluation, baseline: Evaluation) -> list[Dimension]:
    """One dimension for each judged measure: who judged, by which prompts and which version of the measure."""
    mine, theirs = _by_measure(candidate), _by_measure(baseline)
    found = []
    for measure in sorted(mine.keys() | theirs.keys()):
        new, old = mine.get(measure), theirs.get(measure)
        found.append(
            Dimension(
                name=f"judge of {measure}",
                status=judged_alike(new, old),
                candidate=None if new is None else _standing(new),
                baseline=None if old is None else _standing(old),
            )
        )
    return found


def _by_measure(evaluation: Evaluation) -> dict[str, JudgeStanding]:
    return {standing.measure: standing for standing in evaluation.judges.values() if _has_judged(standing)}


def _has_judged(standing: JudgeStanding) -> bool:
    return bool(standing.judges or standing.embedders)


def judged_alike(mine: JudgeStanding | None, theirs: JudgeStanding | None) -> str:
    """Whether one judge with the same prompts stands behind both runs; not known where either was not judged."""
    if mine is None or theirs is None or not (_has_judged(mine) and _has_judged(theirs)):
        return UNKNOWN
    if mine.unknown or theirs.unknown:
        return UNKNOWN
    return SAME if mine.same_as(theirs) and mine.thresholds == theirs.thresholds else DIFFERENT


def _standing(standing: JudgeStanding) -> str:
    judges = [f"{judge.model} {judge.digest}" for judge in standing.judges]
    prompts = [f"{task.task} ({task.language}) {task.prompt_digest}" for task in standing.tasks]
    return "; ".join((*judges, *standing.embedders, *prompts, f"version {', '.join(standing.versions)}"))


def _mode(retrieve_only: bool) -> str:  # noqa: FBT001 - one setting as a word
    return "retrieve only" if retrieve_only else "retrieve and generate"


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
