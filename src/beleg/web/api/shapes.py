"""What the API answers where no stored type says it already."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from beleg.app.workbench.indexing import Standing
from beleg.app.workbench.overrides import AskedOverride, OverridableDecision
from beleg.app.workbench.releases import EnvironmentView, ReleaseView
from beleg.app.workbench.run_list import RunRow
from beleg.app.workbench.services import Workbench
from beleg.app.workbench.suites import Due, SuiteEntry, SuiteView
from beleg.app.workbench.workspace import RunEntry, Unreadable
from beleg.core.access import Role
from beleg.core.calibration import CalibrationRecord
from beleg.core.case import Case
from beleg.core.decision import Decision, Verdict
from beleg.core.findings import Finding
from beleg.core.manifest import Manifest
from beleg.core.override_note import OverrideNote
from beleg.core.run import RunSettings
from beleg.core.run_comparison import RunComparison
from beleg.core.run_index import CaseInRun, IndexedCase, IndexedScore, RunFacets, RunSummary, StageTrail
from beleg.core.trace import Trace
from beleg.core.workbench_state import NumberedAuditEvent


class Answer(BaseModel):
    """The base of what is answered."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class ApiProblem(Answer):
    """Why something was not done (RFC 9457)."""

    status: int
    """The HTTP status."""
    title: str
    """What the status means."""
    detail: str | None = None
    """What is wrong."""
    hint: str | None = None
    """What to do about it."""
    fields: dict[str, str] | None = None
    """What each field lacks, where fields are wrong."""


class Me(Answer):
    """Who is asking."""

    name: str
    """As reviews and the audit log name them."""
    tenant: str
    """Whose projects they see."""
    roles: tuple[Role, ...]
    """What they may do."""


class UnreadableFile(Answer):
    """A file of the project that cannot be read."""

    path: str
    """Its place in the project."""
    why: str
    """What is wrong with it."""

    @classmethod
    def all_of(cls, files: tuple[Unreadable, ...], bench: Workbench) -> tuple[UnreadableFile, ...]:
        """Those files, by their places in the project."""
        root = bench.workspace.root
        return tuple(
            cls(path=each.path.relative_to(root).as_posix(), why=each.why.replace(str(root), "")) for each in files
        )


class Releases(Answer):
    """Every decision on a time line per environment."""

    environments: tuple[EnvironmentView, ...]
    """By name; decisions that nobody signed come last, under no name."""
    unreadable: tuple[UnreadableFile, ...]
    """Files that should be a run or a decision and cannot be read."""


class SegmentFigure(Answer):
    """A metric over the cases of a segment, beside the baseline."""

    segment: str
    metric: str
    n: int
    value: float | None
    lower: float | None
    upper: float | None
    baseline: float | None
    difference: float | None
    """Candidate minus baseline, paired by case."""
    difference_lower: float | None
    difference_upper: float | None
    minimum_n: int
    is_protected: bool


class DecisionAnswer(Answer):
    """One decision with everything that it rests on."""

    release: ReleaseView
    decision: Decision
    """The decision as it is stored."""
    overrides: tuple[OverrideNote, ...]
    """Signed ones, whether over or not; whether their signatures count is for beleg verify to say."""
    files: tuple[str, ...]
    """Files of the decision that can be had."""
    is_measuring: bool
    """Whether segments and changed cases are still being measured: ask again."""
    missing: str | None
    """Why they cannot be measured."""
    segments: tuple[SegmentFigure, ...]
    changed: tuple[tuple[str, float], ...]
    """Case and candidate minus baseline of the main metric, ascending."""


class PackAnswer(Answer):
    """How far an audit pack is."""

    is_ready: bool
    """Whether it can be had; it is being made where not."""
    sha256: str | None
    """The digest of the file, once it is there."""


class Runs(Answer):
    """Every run, the newest first."""

    runs: tuple[RunRow, ...]
    unreadable: tuple[UnreadableFile, ...]


class RunAnswer(Answer):
    """One run."""

    run_id: str
    created_at: datetime
    suite_name: str
    suite_version: int
    suite_digest: str
    manifest: Manifest
    manifest_digest: str
    unresolved: tuple[str, ...]
    """Fields of the manifest that are not pinned."""
    settings: RunSettings
    cases: int
    standing: Standing
    summary: RunSummary | None
    """``null`` until the run is indexed."""
    facets: RunFacets | None
    """By what its cases can be told apart; ``null`` until the run is indexed."""

    @classmethod
    def of(cls, bench: Workbench, run: RunEntry, standing: Standing) -> RunAnswer:
        """A run with its figures, where they are there."""
        header = run.header
        return cls(
            run_id=run.run_id,
            created_at=header.created_at,
            suite_name=header.suite_name,
            suite_version=header.suite_version,
            suite_digest=header.suite_digest,
            manifest=header.manifest,
            manifest_digest=header.manifest_digest,
            unresolved=header.manifest.unresolved(),
            settings=header.settings,
            cases=len(header.case_ids),
            standing=standing,
            summary=bench.index.summary(run.run_id) if standing.is_ready else None,
            facets=bench.index.facets(run.run_id) if standing.is_ready else None,
        )


class Cases(Answer):
    """A part of the cases of a run."""

    total: int
    """How many cases fit."""
    offset: int
    next_offset: int | None
    """Where the next part begins; ``null`` at the end."""
    cases: tuple[IndexedCase, ...]


class CaseAnswer(Answer):
    """One case of a run."""

    run_id: str
    case: Case
    status: str
    lost_at: str | None
    """The stage at which required evidence was lost first."""
    scores: tuple[IndexedScore, ...]
    notes: dict[str, str]
    """More about the score of a metric, such as the error behind a missing one."""
    by_repeat: tuple[tuple[IndexedScore, ...], ...]
    """The scores of every repeat; empty where the case was asked once."""
    trails: tuple[StageTrail, ...]
    """How required evidence fared, stage by stage."""
    traces: tuple[Trace, ...]
    """What every attempt did: stages, passages, prompt, answer, citations, times, cost."""
    attempts_more: int
    """Attempts that are left out."""
    findings: tuple[Finding, ...]
    """What judges found."""
    previous: str | None
    following: str | None
    history: tuple[CaseInRun, ...]
    """The case in every indexed run, the newest first, with the scores that were asked for."""


class SuiteRow(Answer):
    """One suite in the list."""

    place: str
    """By which it is asked for."""
    name: str
    version: int
    kind: str
    digest: str
    cases: int
    is_released: bool

    @classmethod
    def of(cls, entry: SuiteEntry) -> SuiteRow:
        """A suite as the list has it."""
        suite = entry.suite
        return cls(
            place=entry.key,
            name=suite.header.name,
            version=suite.header.version,
            kind=suite.header.kind.value,
            digest=suite.digest,
            cases=len(suite.cases),
            is_released=entry.is_released,
        )


class Suites(Answer):
    """Every suite of the project."""

    suites: tuple[SuiteRow, ...]
    unreadable: tuple[UnreadableFile, ...]


class SuiteAnswer(Answer):
    """One suite: what it covers, what is due, what is wrong."""

    suite: SuiteRow
    dimensions: tuple[str, ...]
    """By which its cases can be told apart."""
    coverage: dict[str, Any] | None
    """The grid of the dimensions that were asked for; ``null`` where the suite has none."""
    findings: tuple[dict[str, Any], ...]
    errors: int
    due: tuple[Due, ...]
    due_in_all: int
    without_owner: int

    @classmethod
    def of(cls, view: SuiteView, coverage: dict[str, Any] | None, findings: tuple[dict[str, Any], ...]) -> SuiteAnswer:
        """A suite as its page shows it."""
        return cls(
            suite=SuiteRow.of(view.entry),
            dimensions=view.dimensions,
            coverage=coverage,
            findings=findings,
            errors=view.errors,
            due=view.due,
            due_in_all=view.due_in_all,
            without_owner=view.without_owner,
        )


class ComparisonAnswer(Answer):
    """Two runs beside each other."""

    comparison: RunComparison | None
    """``null`` where the runs are too large to wait for: beleg compare --claims stores it beside the new run."""
    is_stored: bool


class StoredCalibration(Answer):
    """A calibration record with its place."""

    path: str
    record: CalibrationRecord


class Judges(Answer):
    """How far each judge is to be believed."""

    calibrations: tuple[StoredCalibration, ...]
    unreadable: tuple[UnreadableFile, ...]


class AskedWithCommand(Answer):
    """A request for an override, and how its owner signs it."""

    asked: AskedOverride
    command: str


class OverridableAnswer(Answer):
    """A signed decision that is no PASS: what was asked and signed about it."""

    key: str
    candidate: str
    verdict: Verdict
    environment: str
    failed_checks: tuple[str, ...]
    not_waivable: tuple[str, ...]
    owners: tuple[str, ...] | None
    """Who may answer for an override; ``null`` where the policy is not kept beside the decision."""
    max_override_hours: int | None
    signed: tuple[OverrideNote, ...]
    asked: tuple[AskedWithCommand, ...]

    @classmethod
    def of(cls, found: OverridableDecision) -> OverridableAnswer:
        """A decision as the page of overrides has it."""
        entry, terms = found.entry, found.terms
        return cls(
            key=entry.key,
            candidate=entry.decision.candidate.name,
            verdict=entry.decision.verdict,
            environment="" if entry.signed is None else entry.signed.environment,
            failed_checks=found.failed,
            not_waivable=found.not_waivable,
            owners=None if terms is None else tuple(terms.owners or ()),
            max_override_hours=None if terms is None else terms.max_override_hours,
            signed=found.notes,
            asked=tuple(AskedWithCommand(asked=each.asked, command=each.command) for each in found.asked),
        )


class Overrides(Answer):
    """Everything that can be or was overridden."""

    decisions: tuple[OverridableAnswer, ...]


class OverrideAsked(Answer):
    """What somebody asks an owner to sign."""

    owner: Annotated[str, Field(min_length=1, max_length=500)]
    reason: Annotated[str, Field(min_length=1, max_length=20_000)]
    ticket: Annotated[str, Field(min_length=1, max_length=500)]
    compensating_control: Annotated[str, Field(min_length=1, max_length=20_000)]
    hours: Annotated[int, Field(ge=1, le=100_000)]


class AuditLog(Answer):
    """Lines of the audit log, the newest first."""

    lines: tuple[NumberedAuditEvent, ...]
    before: int | None
    """Ask for the lines before this number; ``null`` at the end."""
