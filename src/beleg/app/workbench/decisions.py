"""One decision as the report shows it, leading to the pages of its run."""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass, field, fields
from urllib.parse import urlencode

from markupsafe import Markup

from beleg.app.release_facts import POLICY_FILE
from beleg.app.reporting import segment_rows
from beleg.app.scoring import ScoredRun, default_metrics, score_run
from beleg.app.workbench.addresses import case_path, run_path
from beleg.app.workbench.indexing import run_digest
from beleg.app.workbench.workspace import DecisionEntry, RunEntry, Workspace
from beleg.core.decision import Decision, Sentence
from beleg.core.errors import Error
from beleg.core.policy import Policy
from beleg.gating.decide import metrics_of
from beleg.report.changes import Changes
from beleg.report.decision_body import BodyInput, changed_cases, decision_body
from beleg.report.first_things import FirstThing, first_things
from beleg.report.links import Links
from beleg.report.segments import SegmentRow, segment_table
from beleg.report.view import ReportInput, leading_checks, settled_sentence
from beleg.report.waterfall import Waterfall, waterfall
from beleg.run.folder import read_model

KEPT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What takes the scores of both runs: the map of segments, and the cases beside each other."""

    segment_table: tuple[SegmentRow, ...] = ()
    changed: Changes | None = None
    missing: str | None = None
    """Why they cannot be shown; ``None`` where they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFacts:
    """One decision with all that is known of it by now."""

    entry: DecisionEntry
    is_measuring: bool
    """Whether segments and cases are being scored; the rest stands there already."""
    missing: str | None
    """Why they cannot be shown."""
    segment_table: tuple[SegmentRow, ...]
    changed: Changes | None
    downloads: tuple[str, ...]
    """The files of the decision that can be had."""

    @property
    def segments_finding(self) -> Sentence | None:
        """What the table of segments shows; ``None`` where there is none."""
        table = segment_table(self.segment_table)
        return None if table is None else table.finding


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView(DecisionFacts):
    """One decision as its page shows it."""

    body: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader of a decision has to know first."""

    first: tuple[FirstThing, ...]
    """What decides, what to look at first, what would change it."""
    urgent: tuple[str, ...]
    """The checks that did not pass, the most severe first."""
    waiting: int
    """How many further checks only wait for a judge that one of these names."""
    settled: Sentence
    """What is to be said about the checks that passed."""
    waterfall: Waterfall | None


def reading_of(decision: Decision) -> Reading:
    """What the report of a decision says before everything else."""
    urgent, waiting = leading_checks(decision)
    return Reading(
        first=first_things(decision),
        urgent=tuple(view.check_id for view in urgent),
        waiting=waiting,
        settled=settled_sentence(decision),
        waterfall=waterfall(decision),
    )


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
        found = self.facts(key)
        decision = found.entry.decision
        body = BodyInput(decision=decision, changed=found.changed, segment_table=found.segment_table)
        drawn = decision_body(body, _links(decision.candidate.run_id), language=language)
        return DecisionView(
            **{each.name: getattr(found, each.name) for each in fields(found)},
            body=Markup(drawn),  # noqa: S704 - its templates escape all
        )

    def facts(self, key: str) -> DecisionFacts:
        """A decision by its key, drawn in no form.

        Raises:
            UsageError: if there is none.
        """
        entry = self.workspace.decision(key)
        measured = self._measured(entry)
        found = measured or Measured()
        return DecisionFacts(
            entry=entry,
            is_measuring=measured is None,
            missing=found.missing,
            segment_table=found.segment_table,
            changed=found.changed,
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
            try:
                made = self._measure(entry)
            except (Error, OSError) as error:
                made = Measured(missing=str(error))
            with self._lock:
                while len(self._kept) >= KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[stamp] = made
                self._asked.discard(stamp)

    def _measure(self, entry: DecisionEntry) -> Measured:
        decision, path = entry.decision, entry.folder / POLICY_FILE
        policy = read_model(Policy, path) if path.exists() else None
        candidate = self.workspace.run(decision.candidate.run_id)
        baseline = None if decision.baseline is None else self.workspace.run(decision.baseline.run_id)
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
