"""One decision as the report shows it, leading to the pages of its run."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from beleg.app.workbench.indexing import run_digest
from beleg.app.workbench.workspace import DecisionEntry, Workspace
from beleg.core.errors import Error

if TYPE_CHECKING:
    from markupsafe import Markup

    from beleg.report.changes import Changes
    from beleg.report.segments import SegmentRow

KEPT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What takes the scores of both runs: the map of segments, and the cases beside each other."""

    segment_table: tuple[SegmentRow, ...] = ()
    changed: Changes | None = None
    missing: str | None = None
    """Why they cannot be shown; ``None`` where they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    """One decision as its page shows it."""

    entry: DecisionEntry
    body: Markup
    is_measuring: bool
    """Whether segments and cases are being scored; the rest stands there already."""
    missing: str | None
    """Why they cannot be shown."""
    downloads: tuple[str, ...]
    """The files of the decision that can be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFacts:
    """One decision with what was measured of its runs."""

    entry: DecisionEntry
    measured: Measured | None
    """``None`` while it is being measured."""
    downloads: tuple[str, ...]
    """The files of the decision that can be had."""


DOWNLOADS: dict[str, str] = {
    "decision.json": "application/json",
    "decision.dsse.json": "application/json",
    "vsa.dsse.json": "application/json",
    "report.md": "text/markdown",
    "junit.xml": "application/xml",
    "results.sarif": "application/json",
    "queue.jsonl": "application/jsonl",
}
"""Nothing else of the folder is handed out; the report in HTML is opened from the folder, not from this site."""


@dataclass(slots=True)
class Decisions:
    """Decisions of a workspace. What takes long is measured in a thread of its own and kept while nothing changes."""

    workspace: Workspace
    _kept: dict[tuple[str, ...], Measured] = field(default_factory=dict)
    _asked: set[tuple[str, ...]] = field(default_factory=set)
    _waiting: queue.Queue[tuple[tuple[str, ...], DecisionEntry]] = field(default_factory=queue.Queue)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def view(self, key: str, language: str) -> DecisionView:
        """A decision by its key.

        Raises:
            UsageError: if there is none.
        """
        facts = self.facts(key)
        found, decision = facts.measured or Measured(), facts.entry.decision
        # Drawing and scoring know everything that a report may hold; only this page needs them.
        from beleg.app.workbench.decision_measuring import drawn

        return DecisionView(
            entry=facts.entry,
            body=drawn(decision, found, language),
            is_measuring=facts.measured is None,
            missing=found.missing,
            downloads=facts.downloads,
        )

    def facts(self, key: str) -> DecisionFacts:
        """A decision by its key, with what is known of its runs by now.

        Raises:
            UsageError: if there is none.
        """
        entry = self.workspace.decision(key)
        return DecisionFacts(
            entry=entry,
            measured=self._measured(entry),
            downloads=tuple(name for name in DOWNLOADS if (entry.folder / name).is_file()),
        )

    def _measured(self, entry: DecisionEntry) -> Measured | None:
        """What is known by now; asks for it where nothing is."""
        runs = {run.run_id: run for run in self.workspace.holdings().runs}
        decision = entry.decision
        wanted = [decision.candidate.run_id, *([] if decision.baseline is None else [decision.baseline.run_id])]
        absent = [name for name in wanted if name not in runs]
        if absent:
            return Measured(missing=f"{', '.join(absent)}: not in this project")
        stamp = (entry.key, *(run_digest(runs[name].path) for name in wanted))
        with self._lock:
            if stamp in self._kept:
                return self._kept[stamp]
            if stamp not in self._asked:
                self._asked.add(stamp)
                self._waiting.put((stamp, entry))
                self._start()
        return None

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="decisions", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            stamp, entry = self._waiting.get()
            from beleg.app.workbench.decision_measuring import measure

            try:
                made = measure(entry, self.workspace)
            except (Error, OSError) as error:
                made = Measured(missing=str(error))
            with self._lock:
                while len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[stamp] = made
                self._asked.discard(stamp)
