"""What takes the scores of both runs of a decision, and how its page is drawn."""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from beleg.app.decision_files import POLICY_FILE
from beleg.app.reporting import segment_rows
from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.app.workbench.addresses import case_path, run_path
from beleg.app.workbench.decisions import Measured
from beleg.app.workbench.workspace import DecisionEntry, RunEntry, Workspace
from beleg.core.decision import Decision
from beleg.core.policy import Policy
from beleg.gating.decide import metrics_of
from beleg.report.decision_body import BodyInput, changed_cases, decision_body
from beleg.report.links import Links
from beleg.report.view import ReportInput
from beleg.run.folder import read_model


def drawn(decision: Decision, found: Measured, language: str) -> Markup:
    """A decision as the report draws it, with links into its run."""
    body = BodyInput(decision=decision, changed=found.changed, segment_table=found.segment_table)
    links = _links(decision.candidate.run_id)
    return Markup(decision_body(body, links, language=language))  # noqa: S704 - its templates escape all


def measure(entry: DecisionEntry, workspace: Workspace) -> Measured:
    """Scores the runs of a decision, by segment and case by case.

    Raises:
        Error: if a run or the policy cannot be read or scored.
    """
    decision, path = entry.decision, entry.folder / POLICY_FILE
    policy = read_model(Policy, path) if path.exists() else None
    candidate = workspace.run(decision.candidate.run_id)
    baseline = None if decision.baseline is None else workspace.run(decision.baseline.run_id)
    scored = _scored(candidate, policy)
    other = None if baseline is None else _scored(baseline, policy)
    evaluation = None if other is None else other.evaluation
    report = ReportInput(decision=decision, candidate=scored.evaluation, baseline=evaluation)
    if policy is None or policy.digest != decision.policy_digest:
        return Measured(changed=changed_cases(report), missing=f"{POLICY_FILE}: not the policy that decided")
    rows = segment_rows(decision, policy, scored.evaluation, evaluation)
    return Measured(segment_table=tuple(rows), changed=changed_cases(report))


def _scored(run: RunEntry, policy: Policy | None) -> ScoredRun:
    names = () if policy is None else tuple(str(metric) for metric in metrics_of(policy))
    return score_run(run.path, (*default_metrics(run.path), *names))


def _links(run_id: str) -> Links:
    def listed(**wanted: str) -> str:
        return f"{run_path(run_id)}?{urlencode(wanted)}#cases"

    return Links(
        case=lambda case_id: case_path(run_id, case_id),
        lost=lambda stage: listed(lost=stage),
        segment=lambda segment: listed(segment=segment),
        worse=None,
    )
