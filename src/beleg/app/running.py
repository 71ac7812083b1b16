"""Running a candidate over a suite into a run folder, and resuming one that was killed."""

from __future__ import annotations

import asyncio
import difflib
import platform
import re
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from beleg.adapters.candidates.recorded import RecordedTraces
from beleg.app.installed import installed_packages
from beleg.core.case import Case
from beleg.core.errors import EvidenceError, UsageError
from beleg.core.protocols import Candidate
from beleg.core.run import RunHeader, RunLink, RunSettings, SubsetKind
from beleg.core.suite import Suite
from beleg.core.trace import TraceStatus
from beleg.run.execute import Progress, execute, plan
from beleg.run.folder import RunFolder
from beleg.run.journal import JournalWriter
from beleg.suites.subset import fast_subset
from beleg.suites.validate import require_unique_ids

__all__ = [
    "OnProgress",
    "OpenCandidate",
    "Progress",
    "RunOutcome",
    "RunRequest",
    "StratifiedSubset",
    "arun_candidate",
    "default_folder",
    "run_candidate",
    "similar_cases",
]

RUNS_FOLDER = Path("runs")

OpenCandidate = Callable[[], Awaitable[Candidate]]
OnProgress = Callable[[Progress], None]

_NOT_IN_A_FILE_NAME = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StratifiedSubset:
    """The fast subset to which a run is restricted."""

    size: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to run."""

    open_candidate: OpenCandidate
    suite: Suite
    settings: RunSettings
    case_ids: tuple[str, ...] | None = None
    """Restricts the run to cases picked by name; the run still names the whole suite."""
    subset: StratifiedSubset | None = None
    """Restricts the run to the fast subset of the suite, unless cases are picked by name."""
    resume: bool = False
    made_from: RunLink | None = None
    """The run that this one replays; ``None`` for any other run."""
    before_asking: Callable[[RunHeader], None] | None = None
    """Called once the run is begun and no case has been asked; if it raises, none is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """What a run did."""

    folder: RunFolder
    header: RunHeader
    progress: Progress
    already_done: int
    failed_before: int
    """How many of those that were already done had failed."""
    dropped_bytes: int
    """How much of a cut last line was dropped when a killed run was resumed."""
    unused_traces: tuple[str, ...] = ()
    """Recorded traces whose case is not in the suite."""

    @property
    def failed(self) -> int:
        """How many attempts of the whole run ended without an answer."""
        return self.failed_before + self.progress.failed


def similar_cases(name: str, known: Collection[str]) -> str:
    """A hint for a case that is not there: the ids that look like it, or how many there are."""
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    return f"Did you mean: {', '.join(near)}" if near else f"There are {len(known)} cases"


def default_folder(name: str) -> Path:
    """Where a run of a candidate goes if nobody says where; no name leads out of the folder of runs."""
    safe = _NOT_IN_A_FILE_NAME.sub("-", name).strip("-.") or "run"
    return RUNS_FOLDER / f"{safe[:100]}-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}"


def run_candidate(request: RunRequest, out: Path, on_progress: OnProgress | None = None) -> RunOutcome:
    """Runs every case that has no finished trace yet.

    Args:
        request: candidate, suite and settings.
        out: the folder of the run; a run that is there already is only touched to resume it.
        on_progress: called after each finished case. Once it has raised it is not called again; what it raised is
            raised when every case is done and journalled.

    Raises:
        UsageError: if the folder holds a run and ``resume`` is not set, or another process is writing to it.
        EvidenceError: if the suite is empty, or the run that is to be resumed was made with other inputs.
    """
    return asyncio.run(arun_candidate(request, out, on_progress))


async def arun_candidate(request: RunRequest, out: Path, on_progress: OnProgress | None = None) -> RunOutcome:
    """As `run_candidate`, inside a running event loop."""
    cases = _cases(request)
    folder = RunFolder(out)
    if not request.resume:
        folder.require_unused()
    candidate = await request.open_candidate()
    try:
        with folder.locked():
            return await _run(folder, candidate, request, cases, on_progress)
    finally:
        await candidate.close()


def _cases(request: RunRequest) -> tuple[Case, ...]:
    require_unique_ids(request.suite)
    if not request.suite.cases:
        raise EvidenceError("the suite holds no case", hint="An empty suite can prove nothing; add cases")
    named = _named(request)
    if named is None:
        return request.suite.cases
    by_id = request.suite.case_by_id()
    unknown = [name for name in named if name not in by_id]
    if unknown:
        raise UsageError(f"the suite has no case {unknown[0]!r}", hint=similar_cases(unknown[0], by_id))
    wanted = set(named)
    return tuple(case for case in request.suite.cases if case.case_id in wanted)


def _named(request: RunRequest) -> tuple[str, ...] | None:
    if request.case_ids is None and request.subset is not None:
        return fast_subset(request.suite, seed=request.subset.seed, size=request.subset.size).case_ids
    return request.case_ids


def _subset_kind(request: RunRequest) -> SubsetKind:
    if request.case_ids is not None:
        return "named"
    return "all" if request.subset is None else "stratified"


async def _run(
    folder: RunFolder,
    candidate: Candidate,
    request: RunRequest,
    cases: tuple[Case, ...],
    on_progress: OnProgress | None,
) -> RunOutcome:
    header = header_of(candidate, request, cases)
    if request.resume and folder.exists():
        header = _resumed_header(folder, header)
    else:
        header = folder.create(header, request.suite, candidate.inventory())
    if request.before_asking is not None:
        request.before_asking(header)
    content = folder.traces()
    done = frozenset((trace.case_id, trace.repeat) for trace in content.traces)
    tasks = plan(cases, header.settings.repeats, done)
    with JournalWriter(folder.journal_file, keep_bytes=content.whole_bytes) as journal:
        progress = await execute(candidate, tasks, request.settings, journal, on_progress)
    return RunOutcome(
        folder=folder,
        header=header,
        progress=progress,
        already_done=len(done),
        failed_before=sum(trace.status is not TraceStatus.OK for trace in content.traces),
        dropped_bytes=content.cut_bytes,
        unused_traces=_unused_traces(candidate, request.suite),
    )


def _unused_traces(candidate: Candidate, suite: Suite) -> tuple[str, ...]:
    if not isinstance(candidate, RecordedTraces):
        return ()
    return candidate.unknown_cases(case.case_id for case in suite.cases)


def header_of(candidate: Candidate, request: RunRequest, cases: tuple[Case, ...]) -> RunHeader:
    """What is fixed of a run before its first case is asked."""
    now = datetime.now(UTC)
    manifest = candidate.manifest
    kind = _subset_kind(request)
    stratified = request.subset if kind == "stratified" else None
    return RunHeader(
        run_id=f"{manifest.name}-{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}",
        created_at=now,
        manifest=manifest,
        manifest_digest=manifest.digest,
        suite_name=request.suite.header.name,
        suite_version=request.suite.header.version,
        suite_digest=request.suite.digest,
        case_ids=tuple(case.case_id for case in cases),
        subset=kind,
        subset_size=None if stratified is None else stratified.size,
        subset_seed=None if stratified is None else stratified.seed,
        settings=request.settings,
        beleg_version=version("beleg"),
        python_version=platform.python_version(),
        packages=installed_packages(),
        made_from=request.made_from,
    )


def _resumed_header(folder: RunFolder, wanted: RunHeader) -> RunHeader:
    """The header of the run that is there, if it was made with the same inputs.

    Only the concurrency may differ: a deadline or a number of retries decides which cases fail, and is measured too.
    """
    found = folder.header()
    pairs = {
        "candidate": (found.manifest_digest, wanted.manifest_digest),
        "suite": (found.suite_digest, wanted.suite_digest),
        "cases": (found.case_ids, wanted.case_ids),
        "repeats": (found.settings.repeats, wanted.settings.repeats),
        "timeout": (found.settings.timeout_s, wanted.settings.timeout_s),
        "retries": (found.settings.retries, wanted.settings.retries),
        "mode": (found.settings.retrieve_only, wanted.settings.retrieve_only),
        "the run that it replays": (found.made_from, wanted.made_from),
    }
    changed = [name for name, (old, new) in pairs.items() if old != new]
    if changed:
        raise EvidenceError(
            f"{folder.path} was begun with other inputs; changed: {', '.join(changed)}",
            hint="Resume with the same candidate, suite and options, or start a new run with --out",
        )
    return found
