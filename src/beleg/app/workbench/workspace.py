"""The runs and decisions that stand in a project folder, found by what the files are and not by where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from beleg.app.decision_files import DECISION_FILE, STATEMENT_FILE, read_statement
from beleg.app.workbench.walking import outward_links, project_folders, require_own, require_within
from beleg.core.attestation import ReleaseDecision
from beleg.core.decision import Decision
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import Error, UsageError, shown
from beleg.core.run import RunHeader
from beleg.release.canonical import read_as
from beleg.run.folder import RunFolder, read_model

HEADER_FILE = "run.json"
KEY_DIGITS = 16

Stamp = tuple[int, int]
"""Time of change and size of a file: what tells that it must be read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEntry:
    """A run that stands in the workspace."""

    path: Path
    header: RunHeader

    @property
    def run_id(self) -> str:
        """The name of the run."""
        return self.header.run_id


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEntry:
    """A decision that stands in the workspace, with what is signed about it."""

    key: str
    """By which it is found again: the beginning of the digest of its file."""
    folder: Path
    decision: Decision
    signed: ReleaseDecision | None
    """What the signed statement says; whose signature it is was not checked. ``None`` where nothing is signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A file that should be a run or a decision and cannot be read: told, and never left out in silence."""

    path: Path
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """All that a workspace holds."""

    runs: tuple[RunEntry, ...]
    """The newest first."""
    decisions: tuple[DecisionEntry, ...]
    """The newest first."""
    unreadable: tuple[Unreadable, ...]


@dataclass(slots=True)
class Workspace:
    """A project folder. It is looked through again at each question, and only files that changed are read again."""

    root: Path
    _runs: dict[Path, tuple[Stamp, RunEntry]] = field(default_factory=dict)
    _decisions: dict[Path, tuple[tuple[Stamp, Stamp], DecisionEntry]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def holdings(self) -> Holdings:
        """Everything that stands there now.

        Raises:
            UsageError: if the folder is gone.
            EvidenceError: if what the workbench keeps in it lies elsewhere.
        """
        if not self.root.is_dir():
            raise UsageError(f"{self.root} is no folder", hint="Name the folder of a project: beleg serve my-project")
        require_own(self.root)
        with self._lock:
            return self._looked_through()

    def _looked_through(self) -> Holdings:
        runs: dict[str, RunEntry] = {}
        decisions: dict[str, DecisionEntry] = {}
        unreadable: list[Unreadable] = []
        outward = outward_links(self.root)
        for path in _files(self.root):
            try:
                require_within(path.parent, outward)
                if path.name == HEADER_FILE:
                    run = self._run(path)
                    self._require_one(runs.get(run.run_id), run)
                    runs[run.run_id] = run
                else:
                    made = self._decision(path)
                    decisions[made.key] = made
            except (Error, OSError) as error:
                unreadable.append(Unreadable(path=path, why=str(error)))
        return Holdings(
            runs=tuple(sorted(runs.values(), key=lambda each: each.header.created_at, reverse=True)),
            decisions=tuple(sorted(decisions.values(), key=lambda each: each.decision.decided_at, reverse=True)),
            unreadable=tuple(unreadable),
        )

    def run(self, run_id: str) -> RunEntry:
        """A run by its name.

        Raises:
            UsageError: if there is none.
        """
        found = next((each for each in self.holdings().runs if each.run_id == run_id), None)
        if found is None:
            raise UsageError(f"there is no run {shown(run_id)}")
        return found

    def decision(self, key: str) -> DecisionEntry:
        """A decision by its key.

        Raises:
            UsageError: if there is none.
        """
        found = next((each for each in self.holdings().decisions if each.key == key), None)
        if found is None:
            raise UsageError(f"there is no decision {shown(key)}")
        return found

    def _run(self, path: Path) -> RunEntry:
        stamp = _stamp(path)
        known = self._runs.get(path)
        if known is None or known[0] != stamp:
            known = stamp, RunEntry(path=path.parent, header=RunFolder(path.parent).header())
            self._runs[path] = known
        return known[1]

    def _require_one(self, known: RunEntry | None, run: RunEntry) -> None:
        if known is not None and known.path != run.path:
            raise UsageError(f"{run.run_id} stands in {known.path} too; only one of them is shown")

    def _decision(self, path: Path) -> DecisionEntry:
        stamps = _stamp(path), _stamp(path.parent / STATEMENT_FILE)
        known = self._decisions.get(path)
        if known is None or known[0] != stamps:
            known = stamps, _read_decision(path)
            self._decisions[path] = known
        return known[1]


def _read_decision(path: Path) -> DecisionEntry:
    return DecisionEntry(
        key=digest_of_bytes(path.read_bytes()).removeprefix("sha256:")[:KEY_DIGITS],
        folder=path.parent,
        decision=read_model(Decision, path),
        signed=_signed(path.parent / STATEMENT_FILE),
    )


def _signed(path: Path) -> ReleaseDecision | None:
    if not path.exists():
        return None
    _, statement, _ = read_statement(path)
    return read_as(ReleaseDecision, statement.predicate)


def _files(root: Path) -> Iterator[Path]:
    """Headers of runs and decisions."""
    for place, files in project_folders(root):
        yield from (place / name for name in (HEADER_FILE, DECISION_FILE) if name in files)


def _stamp(path: Path) -> Stamp:
    try:
        state = path.stat()
    except FileNotFoundError:
        return 0, -1
    return state.st_mtime_ns, state.st_size
