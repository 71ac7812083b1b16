"""Whether two runs may be compared, dimension by dimension (R5): the same, different, or not known."""

from __future__ import annotations

from beleg.core.decision import CheckKind, CheckResult, CheckState, Dimension, Sentence
from beleg.core.evaluation import Evaluation
from beleg.core.manifest import Manifest

SAME, DIFFERENT, UNKNOWN = "SAME", "DIFFERENT", "UNKNOWN"
NOT_USED = "not used"

MUST_MATCH = frozenset({"suite", "cases", "repeats", "mode", "measured stage", "metric versions"})
"""Where these differ, a difference between the runs says nothing about the candidate."""


def compare_runs(candidate: Evaluation, baseline: Evaluation) -> tuple[Dimension, ...]:
    """Every dimension in which the runs may differ; what the manifests name is the treatment and may differ."""
    new, old = candidate.header, baseline.header
    same_cases = set(new.case_ids) <= set(old.case_ids)
    dimensions = [
        _dimension("suite", new.suite_digest, old.suite_digest),
        Dimension(
            name="cases",
            status=SAME if same_cases else DIFFERENT,
            candidate=str(len(new.case_ids)),
            baseline=str(len(old.case_ids)),
        ),
        _dimension("repeats", str(new.settings.repeats), str(old.settings.repeats)),
        _dimension("mode", _mode(new.settings.retrieve_only), _mode(old.settings.retrieve_only)),
        _dimension("measured stage", candidate.final_stage, baseline.final_stage),
        _dimension("timeout_s", str(new.settings.timeout_s), str(old.settings.timeout_s)),
        _dimension("retries", str(new.settings.retries), str(old.settings.retries)),
        _dimension("metric versions", _listed(candidate.metric_versions), _listed(baseline.metric_versions)),
        _dimension("beleg version", new.beleg_version, old.beleg_version),
    ]
    given = new.manifest.to_json_dict().keys() | old.manifest.to_json_dict().keys()
    mine, theirs = _told(new.manifest), _told(old.manifest)
    for name in sorted(given - {"name", "not_used"}):
        dimensions.append(_manifest_dimension(name, mine.get(name), theirs.get(name)))
    return tuple(dimensions)


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


def _manifest_dimension(name: str, mine: object, theirs: object) -> Dimension:
    shown = (_as_text(mine), _as_text(theirs))
    known = mine is not None and theirs is not None
    status = (SAME if mine == theirs else DIFFERENT) if known else UNKNOWN
    return Dimension(name=name, status=status, candidate=shown[0], baseline=shown[1])


def _told(manifest: Manifest) -> dict[str, object]:
    """The fields of a manifest; one that is declared as not used is known, and differs from any value."""
    return {**dict.fromkeys(manifest.not_used, NOT_USED), **manifest.to_json_dict()}


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)


def _mode(retrieve_only: bool) -> str:  # noqa: FBT001 - one setting as a word
    return "retrieve only" if retrieve_only else "retrieve and generate"


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
