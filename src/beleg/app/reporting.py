"""Writing a decision down: as JSON, as one HTML file, as Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beleg.adapters.formats.atomic import write_text
from beleg.app.gating import GateOutcome, store_decision
from beleg.core.dimensions import SAME
from beleg.gating.comparability import MUST_MATCH
from beleg.gating.decide import aligned_to, metrics_of
from beleg.gating.segments import segment_figures
from beleg.report.html import html_report
from beleg.report.markdown import markdown_report
from beleg.report.segments import SegmentRow
from beleg.report.view import ReportInput
from beleg.run.folder import make_folder

DECISION_FOLDER = "decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenReports:
    """Where a decision was written to."""

    decision: Path
    html: Path
    markdown: Path

    def paths(self) -> tuple[Path, ...]:
        """All files, the one for people first."""
        return (self.html, self.markdown, self.decision)


def write_reports(outcome: GateOutcome, folder: Path | None = None, *, language: str = "en") -> WrittenReports:
    """Writes decision, HTML report and Markdown into a folder; by default beside the candidate's run."""
    place = folder or outcome.candidate.folder.path / DECISION_FOLDER
    make_folder(place)
    report = report_input(outcome)
    written = WrittenReports(decision=place / "decision.json", html=place / "report.html", markdown=place / "report.md")
    store_decision(outcome, written.decision)
    write_text(written.html, html_report(report, language=language))
    write_text(written.markdown, markdown_report(outcome.decision, language=language))
    return written


def report_input(outcome: GateOutcome) -> ReportInput:
    """Everything that the HTML report shows."""
    return ReportInput(
        decision=outcome.decision,
        candidate=outcome.candidate.evaluation,
        baseline=outcome.baseline.evaluation if outcome.baseline else None,
        candidate_traces=outcome.candidate.traces,
        baseline_traces=outcome.baseline.traces if outcome.baseline else {},
        segment_table=_segment_rows(outcome),
    )


def _segment_rows(outcome: GateOutcome) -> list[SegmentRow]:
    decision, policy = outcome.decision, outcome.policy
    comparable = all(item.status == SAME for item in decision.comparison if item.name in MUST_MATCH)
    baseline = outcome.baseline.evaluation if outcome.baseline is not None and comparable else None
    if baseline is not None:
        baseline = aligned_to(outcome.candidate.evaluation, baseline)
    protected = {segment.label for segment in policy.protected_segments}
    figures = segment_figures(metrics_of(policy), outcome.candidate.evaluation, baseline, policy)
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
