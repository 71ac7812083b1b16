"""What the commands of the command line do, without the printing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beleg.app.candidates import load_candidate_file, open_candidate_file
from beleg.app.running import OnProgress, RunOutcome, RunRequest, run_candidate
from beleg.app.suites import SCHEMES, load_suite
from beleg.core.run import RunSettings
from beleg.core.suite import Suite
from beleg.suites.ledger import COUNTED_KINDS, BudgetStatus, UsageEntry, read_ledger, record_use, usage
from beleg.suites.subset import fast_subset

RUNS_FOLDER = Path("runs")
LEDGER_NAME = "usage.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCommand:
    """A run as the command line asks for it."""

    candidate: Path
    suite: str
    out: Path | None
    resume: bool
    subset: int | None
    seed: int
    cases: tuple[str, ...]
    repeats: int
    concurrency: int
    timeout_s: float
    retries: int
    retrieve_only: bool
    usage: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run did, with everything that a person should be told."""

    outcome: RunOutcome
    seconds: float
    warnings: tuple[str, ...]

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        header, progress = self.outcome.header, self.outcome.progress
        return {
            "run_id": header.run_id,
            "folder": str(self.outcome.folder.path),
            "suite": {"name": header.suite_name, "version": header.suite_version, "digest": header.suite_digest},
            "manifest_digest": header.manifest_digest,
            "unresolved": list(header.manifest.unresolved()),
            "expected": header.expected_rows,
            "already_done": self.outcome.already_done,
            "added": progress.done,
            "failed": progress.failed,
            "cost_usd": progress.cost_usd if progress.cost_known else None,
            "cost_unknown": progress.done - progress.cost_known,
            "seconds": round(self.seconds, 3),
            "warnings": list(self.warnings),
        }


def run_from_files(command: RunCommand, on_progress: OnProgress | None = None) -> RunResult:
    """Loads candidate and suite, runs, and records the use of a release or holdout suite."""
    suite = load_suite(command.suite)
    described = load_candidate_file(command.candidate)
    out = command.out or RUNS_FOLDER / f"{described.manifest.name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    request = RunRequest(
        open_candidate=lambda: open_candidate_file(command.candidate, concurrency=command.concurrency),
        suite=suite,
        settings=RunSettings(
            concurrency=command.concurrency,
            timeout_s=command.timeout_s,
            retries=command.retries,
            repeats=command.repeats,
            retrieve_only=command.retrieve_only,
        ),
        case_ids=_chosen(command, suite),
        resume=command.resume,
    )
    started = time.monotonic()
    outcome = run_candidate(request, out, on_progress)
    seconds = time.monotonic() - started
    warnings = []
    if outcome.dropped_bytes:
        warnings.append(f"a cut last line of {outcome.dropped_bytes} bytes was dropped; its case was run again")
    warnings += _record_use(command, suite, outcome)
    return RunResult(outcome=outcome, seconds=seconds, warnings=tuple(warnings))


def _chosen(command: RunCommand, suite: Suite) -> tuple[str, ...] | None:
    if command.cases:
        return command.cases
    if command.subset is not None:
        return fast_subset(suite, seed=command.seed, size=command.subset).case_ids
    return None


def _record_use(command: RunCommand, suite: Suite, outcome: RunOutcome) -> list[str]:
    """Notes the use of a suite whose uses count, and says when they exceed what its header allows."""
    if suite.header.kind not in COUNTED_KINDS:
        return []
    ledger = command.usage or _ledger_beside(command.suite)
    record_use(
        ledger,
        UsageEntry(
            suite_name=suite.header.name,
            suite_version=suite.header.version,
            suite_digest=suite.digest,
            used_by=outcome.header.run_id,
            purpose="run",
            manifest_digest=outcome.header.manifest_digest,
            at=datetime.now(UTC),
        ),
    )
    used = usage(read_ledger(ledger), suite.header)
    if used.status is BudgetStatus.EXCEEDED:
        return [
            f"the suite {suite.header.name!r} has been used by more candidates than its usage_budget of "
            f"{suite.header.usage_budget} allows; its figures flatter what was tuned on it"
        ]
    return []


def _ledger_beside(source: str) -> Path:
    scheme, _, rest = source.partition(":")
    place = Path(rest.partition(":")[0] if rest and scheme in SCHEMES else source)
    return (place if place.is_dir() else place.parent) / LEDGER_NAME
