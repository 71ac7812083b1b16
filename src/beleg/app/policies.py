"""Looking at policies without deciding anything: lint, explain, compare, prove, register."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from beleg.app.places import placed
from beleg.app.policy_files import load_policy
from beleg.app.release_facts import record_incident, register_policy
from beleg.app.scoring import score_run
from beleg.app.suites import load_suite
from beleg.core.case import Case
from beleg.core.errors import ConfigError, UsageError
from beleg.core.evaluation import Evaluation
from beleg.core.governance import Incident, IncidentKind, PolicyRegistration
from beleg.gating.decide import metrics_of
from beleg.gating.lint import Level, PolicyFinding, as_error, lint_policy
from beleg.gating.policy_diff import Change, Direction, policy_changes
from beleg.gating.policy_words import ExplainedRule, explain_policy
from beleg.gating.prove import Proof, prove
from beleg.metrics.catalogue import parse_metric
from beleg.run.folder import RunFolder

EXIT_CLEAN, EXIT_DOUBTS, EXIT_ERRORS = 0, 10, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class LintRequest:
    """What a policy is looked at with."""

    policy: Path
    suite: str | None = None
    run: Path | None = None
    against: Path | None = None
    today: date | None = None
    """The day on which review dates are looked at; ``None``: today."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LintReport:
    """Everything that was found."""

    policy: Path
    findings: tuple[PolicyFinding, ...]

    @property
    def errors(self) -> tuple[PolicyFinding, ...]:
        """What keeps the policy from being carried out, or from ever passing."""
        return tuple(finding for finding in self.findings if finding.level is Level.ERROR)

    @property
    def exit_code(self) -> int:
        """0 clean, 10 doubts, 30 errors."""
        if self.errors:
            return EXIT_ERRORS
        return EXIT_DOUBTS if self.findings else EXIT_CLEAN

    def lines(self, language: str) -> list[str]:
        """The answer first, then every finding."""
        errors, german = len(self.errors), language == "de"
        doubts = len(self.findings) - errors
        if not self.findings:
            return [f"{self.policy}: nichts zu beanstanden" if german else f"{self.policy}: nothing to object to"]
        counted = f"{errors} Fehler, {doubts} Zweifel" if german else f"{_n(errors, 'error')}, {_n(doubts, 'doubt')}"
        words = {Level.ERROR: "Fehler" if german else "error", Level.DOUBT: "Zweifel" if german else "doubt"}
        return [
            f"{self.policy}: {counted}",
            *(f"  {words[found.level]}  {_place(found)}: {found.message.in_language(language)}"
              for found in self.findings),
        ]  # fmt: skip

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "policy": str(self.policy),
            "exit_code": self.exit_code,
            "findings": [
                {
                    "level": found.level.value,
                    "field": found.field,
                    "line": found.problem.line if found.problem else None,
                    "message": found.message.to_json_dict(),
                }
                for found in self.findings
            ],
        }


def _n(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _place(found: PolicyFinding) -> str:
    return f"line {found.problem.line}, {found.field}" if found.problem and found.problem.line else found.field


def lint(request: LintRequest) -> LintReport:
    """Everything that is wrong or doubtful in a policy.

    Raises:
        UsageError: if a file, suite or run is not there.
        DataError: if the suite, the run or the older policy cannot be read.
    """
    try:
        policy = load_policy(request.policy)
        against = None if request.against is None else load_policy(request.against)
        run = None if request.run is None else _scored(request.run, metrics_of(policy))
    except ConfigError as error:
        return LintReport(policy=request.policy, findings=tuple(map(as_error, error.problems)))
    cases = _cases(request)
    findings = lint_policy(
        policy,
        today=request.today or datetime.now(UTC).date(),
        cases=cases,
        run=run,
        against=against,
    )
    return LintReport(policy=request.policy, findings=tuple(_with_line(found, request.policy) for found in findings))


def _scored(run: Path, metrics: Sequence[str]) -> Evaluation:
    return score_run(run, [str(parse_metric(name)) for name in metrics]).evaluation


def _cases(request: LintRequest) -> tuple[Case, ...] | None:
    if request.run is not None:
        folder = RunFolder(request.run)
        by_id = folder.suite().case_by_id()
        return tuple(by_id[name] for name in folder.header().case_ids)
    return None if request.suite is None else load_suite(request.suite).cases


def _with_line(found: PolicyFinding, path: Path) -> PolicyFinding:
    if found.problem is None:
        return found
    return as_error(placed((found.problem,), path)[0])


def explain(policy: Path) -> tuple[ExplainedRule, ...]:
    """Every rule of a policy in one sentence."""
    return explain_policy(load_policy(policy))


def diff(old: Path, new: Path) -> tuple[Change, ...]:
    """What became looser and what stricter."""
    return policy_changes(load_policy(old), load_policy(new))


def diff_answer(changes: Sequence[Change], language: str) -> str:
    """How many changes go which way."""
    n = {way: sum(change.direction is way for change in changes) for way in Direction}
    if not changes:
        return "Keine Schwelle hat sich geändert" if language == "de" else "No bar has changed"
    if language == "de":
        return f"{n[Direction.LOOSER]} lockerer, {n[Direction.STRICTER]} strenger, {n[Direction.OTHER]} sonst geändert"
    return f"{n[Direction.LOOSER]} looser, {n[Direction.STRICTER]} stricter, {n[Direction.OTHER]} changed otherwise"


def prove_policy(policy: Path, suite: str | None) -> tuple[Proof, ...]:
    """How each check ends on a collapse, without evidence, and on a perfect run.

    Raises:
        ConfigError: if the policy cannot be carried out.
    """
    loaded = load_policy(policy)
    try:
        return prove(loaded, None if suite is None else load_suite(suite).cases)
    except ConfigError as error:
        raise ConfigError(placed(error.problems, policy), hint=error.hint) from error


def register(policy: Path, file: Path) -> tuple[PolicyRegistration, bool]:
    """Registers the present state of a policy; the registration that counts, and whether it is new."""
    return register_policy(load_policy(policy), file, at=datetime.now(UTC))


def add_incident(ledger: Path, kind: str, note: str, *, weight: float, reference: str | None) -> int:
    """Appends an incident; how many the file holds now.

    Raises:
        UsageError: for a kind that is not known, no note, or a weight that is not above 0.
    """
    if kind not in list(IncidentKind) or not note.strip() or not 0 < weight < float("inf"):
        kinds = ", ".join(IncidentKind)
        raise UsageError(
            "an incident has a kind, a note and a weight above 0", hint=f"Kinds are {kinds}; say what happened"
        )
    entry = Incident(
        at=datetime.now(UTC), kind=IncidentKind(kind), note=note, weight=weight, reference=reference or None
    )
    return record_incident(entry, ledger)
