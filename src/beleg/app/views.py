"""What the command line prints of decisions and figures, as text; the numbers come from the stored records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import RenderableType

from beleg.app.figures import MetricFigure, RunFigures
from beleg.core.decision import Decision
from beleg.core.evaluation import Evaluation
from beleg.gating.explain import stage_name
from beleg.gating.segments import SegmentFigure
from beleg.report.figures import figure_text
from beleg.report.naming import metric_label
from beleg.report.overrides import OverrideView
from beleg.report.terminal import terminal_report
from beleg.text.figures import interval_text, quantity

BAR_CELLS = 30


def decision_on_terminal(
    decision: Decision,
    *,
    language: str,
    paths: Sequence[Path],
    notes: Sequence[str] = (),
    brief: bool = False,
    overrides: Sequence[OverrideView] = (),
) -> RenderableType:
    """The decision as a rich renderable: the answer first, paths last; ``brief`` leaves out the table of checks."""
    return terminal_report(decision, language=language, paths=paths, notes=notes, brief=brief, overrides=overrides)


def figure_row(figure: MetricFigure, language: str) -> tuple[str, str]:
    """A metric and its figure with interval, n and what is missing."""
    label = metric_label(figure.metric)
    return label.title.in_language(language), figure_text(figure.bounds, figure.counts, language, unit=label.unit)


def finished_text(figures: RunFigures, evaluation: Evaluation, language: str) -> str:
    """How far a run has come: the first line over its figures."""
    expected, repeated = len(evaluation.row_case), evaluation.header.settings.repeats > 1
    if language == "de":
        what = "Versuchen" if repeated else "Fällen"
        return f"{figures.run_id}: {figures.finished} von {expected} {what} beendet, {figures.failed} fehlgeschlagen"
    what = "attempts" if repeated else "cases"
    return f"{figures.run_id}: {figures.finished} of {expected} {what} finished, {figures.failed} failed"


def comparison_row(figure: SegmentFigure, language: str) -> tuple[str, ...]:
    """One metric in one segment: candidate, baseline, paired difference, n."""
    label = metric_label(figure.metric)
    unknown = "nicht gemessen" if language == "de" else "not measured"
    return (
        label.title.in_language(language),
        figure.segment or ("alle" if language == "de" else "all"),
        interval_text(figure.figure, language, unit=label.unit) if figure.figure else unknown,
        quantity(figure.baseline, language, unit=label.unit) if figure.baseline is not None else unknown,
        interval_text(figure.difference, language, unit=label.unit, signed=True) if figure.difference else unknown,
        str(figure.n),
    )


def waterfall_on_terminal(evaluation: Evaluation, language: str) -> list[str]:
    """The evidence waterfall as text bars."""
    total = evaluation.waterfall_cases
    if not total:
        return []
    lines = []
    for stage in evaluation.waterfall:
        name = stage_name(stage.stage, language)
        if stage.unknown >= total:
            missing = "nicht aufgezeichnet" if language == "de" else "not recorded"
            lines.append(f"  {name:<24} {missing}")
            continue
        bar = "█" * round(BAR_CELLS * stage.present / total)
        lost = f"−{stage.lost}" if stage.lost else ""
        lines.append(f"  {name:<24} {bar:<{BAR_CELLS}} {stage.present:>6} {lost}")
    head = "Evidenz nach Stufen" if language == "de" else "Evidence by stage"
    return [f"{head} (n {total})", *lines]
