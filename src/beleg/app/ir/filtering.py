"""The registered filter test over files: may a preference be a hard predicate, or does it stay a soft boost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.formats.chained import append_chained
from beleg.adapters.formats.models import load_document
from beleg.app.ir.filter_evidence import TRACES, Evidence, FilterFiles, read_evidence
from beleg.app.ir.filter_report import SYSTEMS, FilterReport, Proof, ShareFigure, query_marks
from beleg.app.ir.filter_runs import evidence_of_runs
from beleg.app.ir.reading import Ranked
from beleg.core.errors import ConfigError, DataError, EvidenceError, Problem, shown
from beleg.core.filter_test import FilterRegistration, QueryPredicates
from beleg.metrics.ranking_runs.filtering import (
    Exclusion,
    Gold,
    Lists,
    eligible_gold,
    exclusion_of,
    leaks_of,
    lists_of,
    recall_over_survivors,
    require_filtered,
)
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measure
from beleg.metrics.ranking_runs.predicates import is_filtered, quality_of
from beleg.metrics.ranking_runs.table import Table
from beleg.stats.filter_rule import PairedQueries, Terms, hard_or_soft
from beleg.stats.intervals import clopper_pearson, clustered_interval, largest_share

KIND = "beleg.filter_decision"
RECORD_SUFFIX = ".decisions.jsonl"


def decide_filter(files: FilterFiles, *, today: date, record: Path | None) -> FilterReport:
    """Carries out the registered test and records the decision.

    Args:
        files: registration and evidence.
        today: the day of the decision; a registration of a later day is refused.
        record: where decisions are kept; None keeps none, and then a later change of the registration cannot show.

    Raises:
        UsageError: if a file is not there.
        ConfigError: if the registration is not complete, or dated in the future.
        DataError: if a file is faulty, or the files contradict each other.
        EvidenceError: if no query has eligible gold, or the record was tampered with.
    """
    registration = load_document(FilterRegistration, files.registration)
    if registration.registered_on > today:
        raise ConfigError(
            Problem(
                file=str(files.registration),
                field="registered_on",
                message="the terms are dated after the decision",
                value=registration.registered_on.isoformat(),
                remedy="Register first, decide later",
            )
        )
    from_runs = str(files.qrels) == TRACES
    evidence = evidence_of_runs(files, registration) if from_runs else read_evidence(files)
    report = _measured(evidence, registration)
    if record is None:
        return report
    before = append_chained(record, lambda entries: _entry(_with_history(report, entries), today))
    return _with_history(report, before)


def _entry(report: FilterReport, today: date) -> dict[str, Any] | None:
    """What is recorded of a decision; nothing where the same terms were applied to the same files before."""
    terms, inputs = report.registration, dict(report.inputs)
    if any(each.get("registration") == terms.digest and each.get("inputs") == inputs for each in report.earlier):
        return None
    return {
        "kind": KIND,
        "predicate": terms.predicate,
        "registration": terms.digest,
        "terms": terms.to_json_dict(),
        "inputs": inputs,
        "gold_queries": sorted(query_marks(report.gold.queries)),
        "choice": report.choice.value,
        "queries": report.rule.n,
        "on": today.isoformat(),
    }


def _with_history(report: FilterReport, entries: list[dict[str, Any]]) -> FilterReport:
    same = tuple(each for each in entries if each.get("predicate") == report.registration.predicate)
    return replace(report, earlier=same)


def record_path(registration: Path) -> Path:
    """Where the decisions under a registration are recorded unless another place is named."""
    return registration.with_name(registration.name + RECORD_SUFFIX)


def _measured(evidence: Evidence, terms: FilterRegistration) -> FilterReport:
    judged, hard_run, soft_run = evidence.judged, evidence.hard, evidence.soft
    gold = eligible_gold(judged.table, evidence.eligible, relevant_from=terms.relevant_from)
    _require_shared(gold, hard_run, soft_run)
    rows = evidence.predicates
    _require_applied(rows, gold, terms.predicate)
    survives = evidence.survival(gold, terms.predicate)
    hard, soft = (lists_of(gold, run.table, terms.k) for run in (hard_run, soft_run))
    require_filtered(gold, survives, hard)
    exclusion = exclusion_of(gold, survives)
    groups = evidence.groups_of(gold)
    labels = list(gold.queries) if groups is None else groups
    quality = quality_of(rows, terms.predicate) if rows else None
    share = parse_measure(f"Judged@{terms.k}")
    lost = {gold.queries[place] for place in np.flatnonzero((exclusion.excluded > 0) & exclusion.is_known).tolist()}
    group_of = dict(zip(gold.queries, labels, strict=True))
    return FilterReport(
        registration=terms,
        rule=hard_or_soft(_paired(gold, hard, soft, exclusion, groups, terms), _terms(terms)),
        gold=gold,
        hard=hard,
        soft=soft,
        judged_shares=(
            evaluate_run(judged.table, hard_run.table, share).summary()[0],
            evaluate_run(judged.table, soft_run.table, share).summary()[0],
        ),
        exclusion=exclusion,
        documents=_share(
            exclusion.documents_removed.astype(int).tolist(),
            [labels[code] for code in exclusion.document_query.tolist()],
            terms.alpha,
            "nothing was recorded about what the filter removed",
        ),
        invalid_recall=recall_over_survivors(gold, survives, hard),
        quality=quality,
        predicate_precision=_pairs_share(quality.applied if quality else (), group_of, terms.alpha, "applied"),
        predicate_recall=_pairs_share(quality.expected if quality else (), group_of, terms.alpha, "expected"),
        wrong_and_excluded=len(quality.wrong & lost) if quality else 0,
        proofs=_proofs(hard_run, soft_run, evidence.eligible, terms),
        inputs=evidence.inputs,
        earlier=(),
    )


def _terms(registered: FilterRegistration) -> Terms:
    return Terms(
        precision_gain_min=registered.precision_gain_min,
        exclusion_rate_max=registered.exclusion_rate_max,
        recall_loss_max=registered.recall_loss_max,
        alpha=registered.alpha,
        minimum_queries=registered.minimum_queries,
    )


def _paired(
    gold: Gold, hard: Lists, soft: Lists, exclusion: Exclusion, groups: list[str] | None, terms: FilterRegistration
) -> PairedQueries:
    return PairedQueries(
        hard_precision=hard.precision,
        soft_precision=soft.precision,
        hard_recall=hard.recall,
        soft_recall=soft.recall,
        excluded=exclusion.excluded,
        is_known=exclusion.is_known,
        clusters=groups,
        precision_span=min(int(gold.size.max()), terms.k) / terms.k,
    )


def _require_shared(gold: Gold, *runs: Ranked) -> None:
    for run in runs:
        if not set(gold.queries) & set(run.table.queries):
            raise DataError(
                Problem(
                    file=run.file,
                    message="the run has no query with eligible gold",
                    value=", ".join(shown(name) for name in run.table.queries[:3]),
                    remedy="Check that all files write the ids of the queries in the same way",
                )
            )


def _require_applied(rows: Mapping[str, QueryPredicates], gold: Gold, field: str) -> None:
    """Refuses recorded predicates none of which is on the field: a filter that never ran removes nothing."""
    known = [rows[name].applied for name in gold.queries if name in rows]
    if not rows or any(is_filtered(applied, field) for applied in known):
        return
    others = sorted({name for applied in known for name in applied or {}})
    found = f"; they are filtered by {', '.join(shown(name) for name in others[:3])}" if others else ""
    raise EvidenceError(
        f"no query with eligible gold is filtered by {shown(field)}{found}",
        hint="Name the field in the registration as the predicates name it, and record what the hard run applied",
    )


def _pairs_share(
    pairs: tuple[tuple[str, int], ...], group_of: Mapping[str, str], alpha: float, what: str
) -> ShareFigure:
    return _share(
        [right for _, right in pairs],
        [group_of.get(query, query) for query, _ in pairs],
        alpha,
        f"no labelled query has {'an' if what[0] in 'ae' else 'a'} {what} predicate",
    )


def _share(events: list[int], labels: list[str], alpha: float, missing: str) -> ShareFigure:
    """A share of events that come in groups; over nothing it is missing, not 0."""
    if not events:
        return ShareFigure(0, 0, None, None, None, missing)
    confidence = 1.0 - 2.0 * alpha
    if len(set(labels)) == len(labels):
        found = clopper_pearson(sum(events), len(events), confidence)
    else:
        found = clustered_interval([float(each) for each in events], labels, confidence)
    return ShareFigure(sum(events), len(events), found.estimate, found.lower, found.upper)


def _proofs(hard: Ranked, soft: Ranked, eligible: Table | None, terms: FilterRegistration) -> tuple[Proof, ...]:
    if eligible is None:
        return ()
    proofs = []
    for name, run in zip(SYSTEMS, (hard, soft), strict=True):
        leaks = leaks_of(run.table, eligible, terms.k)
        if not leaks.queries:
            raise EvidenceError(f"{run.file} lists nothing, so nothing is proven", hint="Give the whole run")
        proofs.append(Proof(name, leaks, largest_share(leaks.queries_with_leak, leaks.queries, terms.alpha)))
    return tuple(proofs)
