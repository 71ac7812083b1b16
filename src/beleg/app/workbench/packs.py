"""Audit packs of decisions: asked for on a page, made in the background, and kept under the digest of their content."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from beleg.app.decision_files import DECISION_FILE, POLICY_FILE
from beleg.app.workbench.indexing import run_digest
from beleg.app.workbench.judges import calibration_records
from beleg.app.workbench.workspace import HEADER_FILE, DecisionEntry, Workspace
from beleg.core.digest import digest_of
from beleg.core.errors import Error, UsageError
from beleg.run.folder import make_folder

PACKS_FOLDER = Path(".beleg") / "workbench" / "packs"
KEPT_PACKS = 16
"""Packs on the disk; they hold everything of a run, and can be made again at any time."""
MOST_WAITING = 50
SUFFIX = ".pack.zip"
STAMP_DIGITS = 16
PRIVATE_BESIDE = ("evidence", "decision")
"""The folders of a run that a pack takes files from, beside those that a run is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackStanding:
    """How far the audit pack of a decision is."""

    path: Path | None = None
    """The pack, once it is there."""
    is_making: bool = False
    fault: str | None = None
    """Why it cannot be made."""

    @property
    def digest(self) -> str:
        """The SHA-256 of the pack, by which it is told apart."""
        return "" if self.path is None else self.path.name.removesuffix(SUFFIX).partition(".")[2]


@dataclass(slots=True)
class Packs:
    """The packs of a workspace, made one after another in a thread of its own.

    A pack stands under what it was made from and the digest of its own bytes. The same content gives the same bytes, so
    nothing that is asked for twice is made twice.
    """

    workspace: Workspace
    _asked: set[str] = field(default_factory=set)
    _faults: dict[str, str] = field(default_factory=dict)
    _waiting: queue.Queue[tuple[str, DecisionEntry]] = field(default_factory=queue.Queue)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    @property
    def folder(self) -> Path:
        """Where the packs stand."""
        return self.workspace.root / PACKS_FOLDER

    def standing(self, entry: DecisionEntry) -> PackStanding:
        """How far the pack of a decision is; asks for nothing."""
        return self._standing(_stamp(entry, self._baseline(entry)))

    def ask(self, entry: DecisionEntry) -> PackStanding:
        """Has the pack of a decision made, unless it is there or asked for; what could not be made is tried again.

        Raises:
            UsageError: if too many packs wait.
        """
        stamp = _stamp(entry, self._baseline(entry))
        found = self._standing(stamp)
        if found.path is not None:
            return found
        with self._lock:
            if stamp not in self._asked:
                if len(self._asked) >= MOST_WAITING:
                    raise UsageError(f"{MOST_WAITING} packs wait to be made", hint="Ask again in some minutes")
                self._faults.pop(stamp, None)
                self._asked.add(stamp)
                self._waiting.put((stamp, entry))
                self._start()
        return PackStanding(is_making=True)

    def _standing(self, stamp: str) -> PackStanding:
        with self._lock:
            if stamp in self._asked:
                return PackStanding(is_making=True)
            fault = self._faults.get(stamp)
        path = next(iter(self._found(stamp)), None)
        return PackStanding(path=path, fault=None if path is not None else fault)

    def _found(self, stamp: str) -> Iterator[Path]:
        # A link could lead to any file of this machine.
        if not self.folder.is_symlink():
            yield from (path for path in sorted(self.folder.glob(f"{stamp}.*{SUFFIX}")) if not path.is_symlink())

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="packs", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            stamp, entry = self._waiting.get()
            fault = None
            try:
                self._make(stamp, entry)
            except (Error, OSError) as error:
                fault = str(error)
            with self._lock:
                self._asked.discard(stamp)
                if fault is not None:
                    while len(self._faults) >= MOST_WAITING:
                        self._faults.pop(next(iter(self._faults)))
                    self._faults[stamp] = fault

    def _make(self, stamp: str, entry: DecisionEntry) -> None:
        # Packing knows every schema that there is; only this thread needs it.
        from beleg.app.pack_contents import PackInputs
        from beleg.app.packing import PackRequest, pack_run

        _require_run_of_its_own(entry)
        if self.folder.is_symlink():
            raise UsageError(f"{self.folder} is a link", hint="Take it away: packs are kept within the project")
        policy = entry.folder / POLICY_FILE
        inputs = PackInputs(
            run=entry.folder.parent,
            baseline=self._baseline(entry),
            policy=policy if policy.is_file() else None,
            calibrations=self._calibrations(entry),
        )
        make_folder(self.folder)
        unnamed = self.folder / f"{stamp}{SUFFIX}.new"
        try:
            pack_run(PackRequest(inputs=inputs), unnamed)
            with unnamed.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            for same in self.folder.glob(f"*.{digest}{SUFFIX}"):
                same.unlink()
            unnamed.rename(self.folder / f"{stamp}.{digest}{SUFFIX}")
        finally:
            unnamed.unlink(missing_ok=True)
        self._forget_oldest()

    def _baseline(self, entry: DecisionEntry) -> Path | None:
        baseline = entry.decision.baseline
        if baseline is None:
            return None
        found = (run for run in self.workspace.holdings().runs if run.run_id == baseline.run_id)
        return next((run.path for run in found), None)

    def _calibrations(self, entry: DecisionEntry) -> tuple[Path, ...]:
        used = {judge.calibration for judge in entry.decision.judges or () if judge.calibration}
        records, _ = calibration_records(self.workspace.root)
        by_digest = {record.digest: path for path, record in records if record.digest in used}
        return tuple(by_digest.values())

    def _forget_oldest(self) -> None:
        there = sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in there[KEPT_PACKS:]:
            path.unlink(missing_ok=True)


def _require_run_of_its_own(entry: DecisionEntry) -> None:
    """Raises where a decision does not stand in the folder of its run.

    Raises:
        UsageError: naming where it stands.
    """
    if entry.folder.name != "decision" or not (entry.folder.parent / HEADER_FILE).is_file():
        raise UsageError(
            f"{entry.folder / DECISION_FILE} does not stand in the folder of its run",
            hint="A pack holds the run: put the decision back into RUN/decision",
        )


def _stamp(entry: DecisionEntry, baseline: Path | None) -> str:
    """What tells that a pack must be made again: every file that goes into it, by name, size and time."""
    run = entry.folder.parent
    beside = (path for name in PRIVATE_BESIDE for path in sorted((run / name).glob("*")) if path.is_file())
    files = [[path.name, str(path.stat().st_mtime_ns), path.stat().st_size] for path in beside]
    runs = [run_digest(path) for path in (run, baseline) if path is not None and (path / HEADER_FILE).is_file()]
    return digest_of([entry.key, runs, files]).removeprefix("sha256:")[:STAMP_DIGITS]
