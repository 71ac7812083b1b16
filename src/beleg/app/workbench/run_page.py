"""One run: what was asked of what, its figures, where its evidence is lost, and its cases."""

from __future__ import annotations

from dataclasses import dataclass

from beleg.app.workbench.case_list import CaseListView, Listing, case_list
from beleg.app.workbench.indexing import Standing
from beleg.app.workbench.services import Workbench
from beleg.core.decision import Bounds, Counts, RunReference, Sentence
from beleg.core.run import RunHeader
from beleg.core.run_index import RunSummary, StageLatency
from beleg.report.figures import figure_text
from beleg.report.naming import metric_label
from beleg.report.waterfall import BAR_WIDTH, Waterfall, run_waterfall

MANIFEST_FACTS: tuple[str, ...] = (
    "corpus_snapshot",
    "chunker",
    "embedding_model",
    "index_build",
    "reranker",
    "top_k",
    "prompt",
    "generator",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRow:
    """A metric over all cases of the run."""

    metric: str
    title: Sentence
    aggregate: str
    bounds: Bounds | None
    counts: Counts
    text: Sentence
    """Value, interval, n, and what is missing and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """What a run came to; there once it is indexed."""

    summary: RunSummary
    waterfall: Waterfall | None
    bar_width: int
    figures: tuple[FigureRow, ...]
    latencies: tuple[StageLatency, ...]
    cases: CaseListView | None
    """``None`` where no list was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One run."""

    run_id: str
    header: RunHeader
    facts: tuple[tuple[str, str], ...]
    """Fields of the manifest that are given, by name."""
    unresolved: tuple[str, ...]
    standing: Standing
    result: ResultView | None


def run_page(workbench: Workbench, run_id: str, listing: Listing | None) -> RunView:
    """One run with a page of its cases.

    Args:
        workbench: the project.
        run_id: the run.
        listing: which cases are wanted; ``None`` for no list of them.

    Raises:
        UsageError: if there is no such run, or the list names a metric that it does not have.
    """
    run, standing = workbench.indexed_run(run_id)
    manifest = run.header.manifest
    given = ((name, getattr(manifest, name)) for name in MANIFEST_FACTS)
    return RunView(
        run_id=run_id,
        header=run.header,
        facts=tuple((name, str(value)) for name, value in given if value is not None),
        unresolved=manifest.unresolved(),
        standing=standing,
        result=_result(workbench, run.header, listing) if standing.is_ready else None,
    )


def _result(workbench: Workbench, header: RunHeader, listing: Listing | None) -> ResultView:
    summary = workbench.index.summary(header.run_id)
    reference = RunReference(
        run_id=header.run_id,
        name=header.manifest.name,
        manifest_digest=header.manifest_digest,
        waterfall=summary.waterfall,
        waterfall_cases=summary.waterfall_cases,
    )
    return ResultView(
        summary=summary,
        waterfall=run_waterfall(reference),
        bar_width=BAR_WIDTH,
        figures=tuple(_figures(summary)),
        latencies=summary.latencies,
        cases=None if listing is None else case_list(workbench.index, header.run_id, listing),
    )


def _figures(summary: RunSummary) -> list[FigureRow]:
    rows = []
    for figure in summary.figures:
        label = metric_label(figure.metric)
        bounds, counts, unit = figure.bounds, figure.counts, label.unit
        en, de = (figure_text(bounds, counts, language, unit=unit) for language in ("en", "de"))
        rows.append(
            FigureRow(
                metric=figure.metric,
                title=label.title,
                aggregate=figure.aggregate,
                bounds=bounds,
                counts=counts,
                text=Sentence(en=en, de=de),
            )
        )
    return rows
