"""Scoring a run: always from its traces, never from figures that were stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.core.decision import StageCount
from beleg.core.errors import ConfigError, UsageError
from beleg.core.evaluation import Evaluation
from beleg.core.inventory import Inventory
from beleg.core.run import RunHeader
from beleg.core.score import STATUS_ORDER
from beleg.core.suite import Suite
from beleg.core.trace import Trace
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import CATALOGUE, Metric, compute, parse_metric
from beleg.metrics.retrieval.exclusions import excluding_fields
from beleg.metrics.retrieval.waterfall import StageTotal, waterfall_totals, waterfalls
from beleg.run.findings import FindingsContent, measures_in, read_findings
from beleg.run.folder import RunFolder
from beleg.suites.subset import fast_subset
from beleg.text.normalise import NORMALISATION

DEFAULT_METRICS: tuple[str, ...] = (
    "failed",
    "evidence_recall@5",
    "recall@5",
    "precision@5",
    "hit@5",
    "ndcg@10",
    "mrr",
    "map",
    "false_exclusion",
    "document_exclusion",
    "entitlement_leak",
    "forbidden_passages",
    "empty_retrieval",
    "missing_citations",
    "unknown_source_ids",
    "citation_id_validity",
    "citation_gold_recall",
    "citation_gold_precision",
    "abstention_correct",
    "abstention_precision",
    "abstention_recall",
    "over_refusal",
    "exact_match",
    "token_f1",
    "required_clauses",
    "latency_ms",
    "cost_usd",
)
"""What is scored of a run that nobody has judged, when nothing else is asked for."""


def default_metrics(*runs: Path) -> tuple[str, ...]:
    """What is scored when nothing else is asked for: `DEFAULT_METRICS`, and whatever rests on what judges found.

    Args:
        runs: the folders of runs; a metric that rests on a judge is taken where any of them was judged for it.
    """
    judged = {measure for run in runs for measure in measures_in(RunFolder(run).findings_file)}
    return (
        *DEFAULT_METRICS,
        *(spec.name for spec in CATALOGUE.values() if spec.rests_on in judged and not spec.required),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRun:
    """A run with its traces and its scores."""

    folder: RunFolder
    evaluation: Evaluation
    traces: dict[str, list[Trace]]
    """All repeats of a case, by case id."""
    batch: Batch
    cut_bytes: int
    """The length of a cut last line of the journal, which was left out."""

    def warnings(self) -> tuple[str, ...]:
        """What a person should know before believing the figures: that the run is not finished."""
        expected = len(self.evaluation.row_case)
        finished = sum(len(listed) for listed in self.traces.values())
        if finished == expected:
            return ()
        cut = f", and its journal ends in a cut line of {self.cut_bytes} bytes" if self.cut_bytes else ""
        return (
            f"{self.folder.path} is not finished: {finished} of {expected} cases{cut}; "
            "finish it with: beleg run CANDIDATE --suite SUITE --resume --out " + str(self.folder.path),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a candidate answered, with everything that the answers are scored by."""

    header: RunHeader
    suite: Suite
    traces: Sequence[Trace]
    inventory: Inventory | None
    findings: FindingsContent
    traces_digest: str | None


def score_run(path: Path, metrics: Iterable[str] | None = None, *, only: Collection[str] | None = None) -> ScoredRun:
    """Scores every expected row of a run.

    Args:
        path: the folder of the run.
        metrics: metrics by name, such as ``ndcg@10``; left out: `default_metrics`.
        only: leaves out every case that is not named here, so that a full run can stand beside one on a subset.

    Raises:
        UsageError: if the folder holds no run, or for an unknown metric.
        EvidenceError: if the run folder is damaged.
    """
    parsed = parsed_metrics(default_metrics(path) if metrics is None else metrics)
    folder = RunFolder(path)
    content, findings = folder.traces(), read_findings(folder.findings_file)
    recorded = Recorded(
        header=folder.header(),
        suite=folder.suite(),
        traces=content.traces,
        inventory=folder.inventory(),
        findings=findings,
        traces_digest=folder.traces_digest(),
    )
    evaluation, batch = evaluate_traces(recorded, parsed, only=only)
    cases = evaluation.cases
    traces: dict[str, list[Trace]] = {case.case_id: [] for case in cases}
    for trace in sorted(content.traces, key=lambda trace: trace.repeat):
        if trace.case_id in traces:
            traces[trace.case_id].append(trace)
    return ScoredRun(folder=folder, evaluation=evaluation, traces=traces, batch=batch, cut_bytes=content.cut_bytes)


def evaluate_traces(
    recorded: Recorded, parsed: Sequence[Metric], *, only: Collection[str] | None = None
) -> tuple[Evaluation, Batch]:
    """Scores every expected row of what was recorded, wherever it is kept.

    Args:
        recorded: the answers with everything that they are scored by.
        parsed: the metrics.
        only: leaves out every case that is not named here.
    """
    header, suite, findings = recorded.header, recorded.suite, recorded.findings
    by_id = suite.case_by_id()
    cases = tuple(by_id[name] for name in header.case_ids if only is None or name in only)
    finished = {(trace.case_id, trace.repeat): trace for trace in recorded.traces}
    rows = [(place, case, repeat) for repeat in range(header.settings.repeats) for place, case in enumerate(cases)]
    batch = Batch.of(
        [case for _, case, _ in rows],
        [finished.get((case.case_id, repeat)) for _, case, repeat in rows],
        inventory=recorded.inventory,
        unit=suite.header.relevance_unit,
        findings=findings.latest,
    )
    totals = waterfall_totals(batch, waterfalls(batch))
    models, untold = _models_answered(recorded.traces, frozenset(case.case_id for case in cases))
    covers_all = len(header.case_ids) == len(suite.cases)
    evaluation = Evaluation(
        header=header,
        cases=cases,
        row_case=np.array([place for place, _, _ in rows], dtype=np.intp),
        scores=compute(parsed, batch),
        metric_versions={str(metric): metric.spec.version for metric in parsed},
        waterfall=tuple(_stage_count(total) for total in totals.stages),
        waterfall_cases=totals.followed,
        suite_cases=None if covers_all else len(suite.cases),
        is_fast_subset=not covers_all and _is_fast_subset(header, suite),
        final_stage=_final_stages(recorded.traces),
        traces_digest=recorded.traces_digest,
        findings_digest=findings.digest,
        inventory_digest=header.inventory_digest,
        models_answered=models,
        answers_without_model=untold,
        normalisation=NORMALISATION,
        filter_losses=excluding_fields(batch),
    )
    return evaluation, batch


def _is_fast_subset(header: RunHeader, suite: Suite) -> bool:
    """Whether choosing again by the same seed gives these cases: a header may say what it likes."""
    if header.subset != "stratified" or header.subset_size is None or header.subset_seed is None:
        return False
    chosen = fast_subset(suite, seed=header.subset_seed, size=header.subset_size)
    return chosen.case_ids == header.case_ids


def _final_stages(traces: Iterable[Trace]) -> str:
    """Which list the ranked metrics measured: what was delivered, or the last one before; both where traces differ."""
    outputs = [trace.output for trace in traces if trace.output is not None]
    found = {"before delivery" if output.delivered is None else "delivered" for output in outputs}
    return " and ".join(sorted(found)) or "delivered"


def _models_answered(traces: Iterable[Trace], case_ids: Collection[str]) -> tuple[tuple[str, ...], int]:
    """Every model that answered, and how many answers do not tell theirs."""
    outputs = [trace.output for trace in traces if trace.output is not None and trace.case_id in case_ids]
    told = [output.model_answered for output in outputs if output.answer is not None]
    return tuple(sorted({name for name in told if name is not None})), sum(name is None for name in told)


def parsed_metrics(metrics: Iterable[str]) -> list[Metric]:
    """Metrics by name, each once.

    Raises:
        UsageError: for an unknown metric.
    """
    try:
        return [parse_metric(name) for name in dict.fromkeys(metrics)]
    except ConfigError as error:
        # The metrics of a policy were checked with the policy: this name was given in a command or a call.
        raise UsageError(str(error), hint=error.hint) from error


def _stage_count(total: StageTotal) -> StageCount:
    return StageCount(
        stage=total.stage.value,
        present=total.reached,
        lost=total.lost,
        unknown=total.not_recorded + total.not_evaluated,
        lost_cases=tuple(dict.fromkeys(total.lost_cases)),
    )


def store_scores(run: ScoredRun) -> Path:
    """Writes the scores beside the run as Parquet: one row per case, repeat and metric, for analysis elsewhere."""
    from beleg.adapters.formats.parquet import write_parquet

    evaluation = run.evaluation
    n_rows, names = len(evaluation.row_case), list(evaluation.scores)
    case_ids = np.array([evaluation.cases[place].case_id for place in evaluation.row_case], dtype=object)
    repeats = np.repeat(np.arange(evaluation.header.settings.repeats), len(evaluation.cases))
    scored = [evaluation.scores[name].scored for name in names]
    filled = [evaluation.scores[name].filled(0.0) for name in names]
    status_words = np.array([status.value for status in STATUS_ORDER], dtype=object)
    write_parquet(
        run.folder.scores_file,
        {
            "case_id": np.tile(case_ids, len(names)),
            "repeat": np.tile(repeats, len(names)),
            "metric": np.repeat(np.array(names, dtype=object), n_rows),
            "value": np.ma.masked_array(np.concatenate(filled), ~np.concatenate(scored)),
            "status": np.concatenate([status_words[evaluation.scores[name].status] for name in names]),
        },
    )
    return run.folder.scores_file
