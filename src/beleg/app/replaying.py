"""Replaying a stored run: the same frozen cases asked anew, into a run of its own (E9)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from beleg.app.candidates import open_candidate_file
from beleg.app.commands import note_use
from beleg.app.run_sources import link_to, opened_run
from beleg.app.running import OnProgress, RunOutcome, RunRequest, StratifiedSubset, run_candidate
from beleg.core.errors import UsageError
from beleg.core.manifest import Manifest
from beleg.core.run import RunHeader, RunLink
from beleg.core.suite import Suite
from beleg.suites.ledger import COUNTED_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayCommand:
    """A replay as the command line asks for it."""

    source: Path
    candidate: Path
    out: Path
    resume: bool = False
    usage: Path | None = None
    """The ledger of use; needed where the uses of the suite are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """What a replay did."""

    outcome: RunOutcome
    link: RunLink
    old_manifest: Manifest
    seconds: float
    warnings: tuple[str, ...] = ()

    def changed(self) -> dict[str, tuple[Any, Any]]:
        """The fields of the manifests that differ: then, and now."""
        differs = self.old_manifest.differences(self.outcome.header.manifest)
        return {name: pair for name, pair in differs.items() if name != "not_used"}

    def to_json_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        header = self.outcome.header
        return {
            "run_id": header.run_id,
            "folder": str(self.outcome.folder.path),
            "replays": self.link.to_json_dict(),
            "expected": header.expected_rows,
            "added": self.outcome.progress.done,
            "already_done": self.outcome.already_done,
            "failed": self.outcome.failed,
            "manifest_digest": header.manifest_digest,
            "manifest_changed": {name: list(pair) for name, pair in self.changed().items()},
            "warnings": list(self.warnings),
            "seconds": round(self.seconds, 3),
        }


def replay_run(command: ReplayCommand, on_progress: OnProgress | None = None) -> ReplayResult:
    """Asks the frozen cases of a stored run anew, under its settings, into a new run that names what it replays.

    The stored run is only read. A suite whose uses are counted is used once more by this, and its ledger must be named:
    a replay is no way around the budget of a holdout.

    Args:
        command: the stored run, the candidate, and where the new run goes.
        on_progress: called after each finished case.

    Raises:
        UsageError: if there is no stored run, the new folder holds a run, or the ledger of use is missing.
        ConfigError: if the candidate file is wrong.
        EvidenceError: if the stored run was changed after it began.
    """
    with opened_run(command.source) as stored:
        _require_elsewhere(stored.path, command.out)
        header, suite, link = stored.header(), stored.suite(), link_to(stored, "replay")
    if suite.header.kind in COUNTED_KINDS and command.usage is None:
        raise UsageError(
            f"the uses of the suite {suite.header.name!r} are counted, and a replay is one",
            hint="Name the ledger of its use with --usage, usually usage.jsonl beside the suite",
        )
    warnings: list[str] = []
    request = RunRequest(
        open_candidate=lambda: open_candidate_file(command.candidate, concurrency=header.settings.concurrency),
        suite=suite,
        settings=header.settings,
        case_ids=header.case_ids if header.subset == "named" else None,
        subset=_subset(header),
        resume=command.resume,
        made_from=link,
        before_asking=_recorder(suite, command.usage, warnings),
    )
    started = time.monotonic()
    outcome = run_candidate(request, command.out, on_progress)
    return ReplayResult(
        outcome=outcome,
        link=link,
        old_manifest=header.manifest,
        seconds=time.monotonic() - started,
        warnings=tuple(warnings),
    )


def _require_elsewhere(source: Path, out: Path) -> None:
    if out.resolve() == source.resolve():
        raise UsageError(
            f"{out} is the stored run itself; a replay never overwrites what it replays",
            hint="Name another folder with --out",
        )


def _subset(header: RunHeader) -> StratifiedSubset | None:
    if header.subset_size is None or header.subset_seed is None:
        return None
    return StratifiedSubset(size=header.subset_size, seed=header.subset_seed)


def _recorder(suite: Suite, ledger: Path | None, warnings: list[str]) -> Callable[[RunHeader], None] | None:
    if suite.header.kind not in COUNTED_KINDS or ledger is None:
        return None
    return lambda header: warnings.extend(note_use(ledger, suite, header, purpose="replay"))
