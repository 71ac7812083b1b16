"""Writing a decision down: as JSON, as one HTML file, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from beleg.adapters.formats.atomic import write_text
from beleg.app.decision_files import DECISION_FILE
from beleg.app.gating import GateOutcome, store_decision
from beleg.app.look_at import claims_of, report_sheet
from beleg.app.overriding import overrides_of
from beleg.app.queues import QUEUE_NAME, waiting_line, write_queue
from beleg.app.release_facts import FACTS_FILE, record_deciding_policy
from beleg.app.signing import differences, retire_statements, stored_decision
from beleg.core.decision import Decision
from beleg.core.dimensions import SAME
from beleg.core.errors import Error
from beleg.core.evaluation import Evaluation
from beleg.core.governance import QueueItem
from beleg.core.policy import Policy
from beleg.gating.comparability import MUST_MATCH
from beleg.gating.decide import aligned_to, metrics_of
from beleg.gating.facts import Facts
from beleg.gating.queue import queue_of
from beleg.gating.segments import segment_figures
from beleg.report.html import html_report
from beleg.report.look_at import ClaimsToLookAt, terminal_notes
from beleg.report.markdown import markdown_report
from beleg.report.overrides import OverrideView, override_views
from beleg.report.segments import SegmentRow
from beleg.report.view import ReportInput
from beleg.run.folder import make_folder, write_model

DECISION_FOLDER = "decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReports:
    """Where a decision was written to."""

    decision: Path
    html: Path
    markdown: Path
    outcome: GateOutcome
    """The decision as it stands in the folder."""
    queue: Path
    waiting: tuple[QueueItem, ...]
    """What stands in the queue."""
    claims: ClaimsToLookAt | None
    """What the candidate's evidence sheet says of the cases to look at first."""

    def notes(self, language: str) -> tuple[str, ...]:
        """What stands over the paths: where the claims to look at are, and for whom cases wait."""
        waits = waiting_line(self.waiting, language)
        return (*terminal_notes(self.claims, language), *(() if waits is None else (waits,)))

    def paths(self) -> tuple[Path, ...]:
        """All files, the one for people first; a queue in which nothing waits is not named."""
        return (self.html, self.markdown, self.decision, *((self.queue,) if self.waiting else ()))


def write_reports(outcome: GateOutcome, folder: Path | None = None, *, language: str = "en") -> WrittenReports:
    """Writes decision, HTML report and Markdown into a folder; by default beside the candidate's run."""
    place = folder or outcome.candidate.folder.path / DECISION_FOLDER
    make_folder(place)
    outcome = _as_stored(outcome, place)
    report = report_input(outcome, overrides_in(place))
    written = WrittenReports(
        decision=place / DECISION_FILE,
        html=place / "report.html",
        markdown=place / "report.md",
        outcome=outcome,
        queue=place / QUEUE_NAME,
        waiting=queue_of(outcome.decision, outcome.policy),
        claims=report.claims,
    )
    # First, so that a process that is killed leaves no decision whose policy nobody noted.
    record_deciding_policy(outcome.decision, outcome.policy, place, outcome.facts.decided_before)
    store_decision(outcome, written.decision)
    write_text(written.html, html_report(report, language=language))
    markdown = markdown_report(outcome.decision, language=language, overrides=report.overrides, claims=report.claims)
    write_text(written.markdown, markdown)
    write_model(place / "policy.json", outcome.policy)
    _write_facts(outcome.facts, place / FACTS_FILE)
    # Written even where nothing waits: the queue of an earlier decision must not outlive it.
    write_queue(written.queue, written.waiting)
    return written


def _write_facts(facts: Facts, path: Path) -> None:
    """Keeps what the decision rests on beside the runs; facts of a decision before must not outlive it."""
    if facts.digest is None:
        path.unlink(missing_ok=True)
    else:
        write_model(path, facts)


def _as_stored(outcome: GateOutcome, folder: Path) -> GateOutcome:
    """The decision with the time of the one that is stored, where it is the same one.

    The same rows and policy give the same bytes, so that a signature on them goes on to hold. A decision that differs
    puts what was signed about the former one out of the way.
    """
    try:
        stored = stored_decision(folder)
    except Error:
        stored = None
    if stored is not None and set(differences(stored, outcome.decision)) <= {"decided_at"}:
        same = outcome.decision.model_copy(update={"decided_at": stored.decided_at})
        return replace(outcome, decision=same)
    retire_statements(folder)
    return outcome


def overrides_in(folder: Path) -> list[OverrideView]:
    """What owners let pass in spite of the decision that is signed in a folder, as of now."""
    return override_views(overrides_of(folder), datetime.now(UTC))


def report_input(outcome: GateOutcome, overrides: Sequence[OverrideView] = ()) -> ReportInput:
    """Everything that the HTML report shows."""
    return ReportInput(
        decision=outcome.decision,
        candidate=outcome.candidate.evaluation,
        baseline=outcome.baseline.evaluation if outcome.baseline else None,
        candidate_traces=outcome.candidate.traces,
        baseline_traces=outcome.baseline.traces if outcome.baseline else {},
        segment_table=segment_rows(
            outcome.decision,
            outcome.policy,
            outcome.candidate.evaluation,
            outcome.baseline.evaluation if outcome.baseline is not None else None,
        ),
        overrides=overrides,
        claims=claims_of(outcome.decision, outcome.candidate.folder.path, reviews=outcome.reviews),
        sheet=report_sheet(outcome.candidate.folder.path, reviews=outcome.reviews),
    )


def segment_rows(
    decision: Decision, policy: Policy, candidate: Evaluation, baseline: Evaluation | None
) -> list[SegmentRow]:
    """The figures of every metric of the policy in every segment, beside the baseline where both may be compared."""
    comparable = all(item.status == SAME for item in decision.comparison if item.name in MUST_MATCH)
    if baseline is not None:
        baseline = aligned_to(candidate, baseline) if comparable else None
    protected = {segment.label for segment in policy.protected_segments}
    figures = segment_figures(metrics_of(policy), candidate, baseline, policy)
    return [
        SegmentRow(
            segment=figure.segment,
            metric=figure.metric,
            figure=figure.figure,
            n=figure.n,
            counts=figure.counts,
            baseline=figure.baseline,
            difference=figure.difference,
            minimum_n=policy.minimum_n,
            protected=figure.segment in protected,
            higher_is_better=figure.higher_is_better,
        )
        for figure in figures
        if figure.segment is not None
    ]
