"""What the commands of the command line do, without the printing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from beleg.app.candidates import load_candidate_file, open_candidate_file
from beleg.app.running import OnProgress, RunOutcome, RunRequest, StratifiedSubset, default_folder, run_candidate
from beleg.app.suites import RELEASE_FILE, SCHEMES, load_suite
from beleg.core.run import RunHeader, RunSettings
from beleg.core.suite import Suite
from beleg.suites.ledger import COUNTED_KINDS, BudgetStatus, UsageEntry, read_ledger, record_use, usage

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
            "failed": self.outcome.failed,
            "failures": dict(sorted(progress.failures.items())),
            "cost_usd": progress.cost_usd if progress.cost_known else None,
            "cost_unknown": progress.done - progress.cost_known,
            "seconds": round(self.seconds, 3),
            "warnings": list(self.warnings),
        }


def run_from_files(command: RunCommand, on_progress: OnProgress | None = None) -> RunResult:
    """Loads candidate and suite, runs, and records the use of a release or holdout suite."""
    suite = load_suite(command.suite)
    described = load_candidate_file(command.candidate)
    warnings: list[str] = []

    def record(header: RunHeader) -> None:
        warnings.extend(_record_use(command, suite, header))

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
        case_ids=command.cases or None,
        subset=None if command.subset is None else StratifiedSubset(size=command.subset, seed=command.seed),
        resume=command.resume,
        before_asking=record,
    )
    started = time.monotonic()
    outcome = run_candidate(request, command.out or default_folder(described.manifest.name), on_progress)
    seconds = time.monotonic() - started
    if outcome.dropped_bytes:
        warnings.append(f"a cut last line of {outcome.dropped_bytes} bytes was dropped; its case was run again")
    if outcome.unused_traces:
        warnings.append(
            f"{len(outcome.unused_traces)} recorded cases are not in the suite and were not used, "
            f"the first: {outcome.unused_traces[0]!r}"
        )
    return RunResult(outcome=outcome, seconds=seconds, warnings=tuple(warnings))


def _record_use(command: RunCommand, suite: Suite, header: RunHeader) -> list[str]:
    """Notes the use of a suite whose uses count, and says when they exceed what its header allows."""
    if suite.header.kind not in COUNTED_KINDS:
        return []
    return note_use(command.usage or _ledger_beside(command.suite), suite, header, purpose="run")


def note_use(ledger: Path, suite: Suite, header: RunHeader, *, purpose: str) -> list[str]:
    """Notes that a run used a suite.

    Args:
        ledger: the file of uses.
        suite: what was used.
        header: the run.
        purpose: what for, in one word.

    Returns:
        What a person should be told: that the suite was used more often than its header allows.
    """
    record_use(
        ledger,
        UsageEntry(
            suite_name=suite.header.name,
            suite_version=suite.header.version,
            suite_digest=suite.digest,
            used_by=header.run_id,
            purpose=purpose,
            manifest_digest=header.manifest_digest,
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
    if (place / RELEASE_FILE).exists():
        # All versions of a released suite share one ledger, and a version is never written to.
        return place.parent / LEDGER_NAME
    return (place if place.is_dir() else place.parent) / LEDGER_NAME
