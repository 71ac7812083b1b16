"""The registered filter test over files: may a preference be a hard predicate, or does it stay a soft boost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.formats.chained import append_chained
from beleg.adapters.formats.models import build_all, load_document
from beleg.adapters.formats.rows import read_rows
from beleg.app.ir.filter_report import SYSTEMS, FilterReport, Proof, ShareFigure
from beleg.app.ir.reading import Ranked, read_judgements, read_run
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import ConfigError, DataError, EvidenceError, Problem, UsageError, shown
from beleg.core.filter_test import DocumentMetadata, FilterRegistration, QueryGroup, QueryPredicates
from beleg.metrics.ranking_runs.filtering import (
    UNKNOWN,
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
from beleg.metrics.ranking_runs.predicates import quality_of, survival
from beleg.metrics.ranking_runs.table import IntArray, Table
from beleg.stats.filter_rule import PairedQueries, Terms, hard_or_soft
from beleg.stats.intervals import clopper_pearson, clustered_interval, largest_share

KIND = "beleg.filter_decision"
RECORD_SUFFIX = ".decisions.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterFiles:
    """What the test reads. Each optional file is evidence; what is not given is not known."""

    registration: Path
    qrels: Path
    hard: Path
    soft: Path
    eligible: Path | None = None
    """Judgements of the right to see: 1 or 0 by query and document."""
    predicates: Path | None = None
    documents: Path | None = None
    survivors: Path | None = None
    """Instead of predicates and metadata: 1 or 0 by query and gold document, whether the filter let it pass."""
    groups: Path | None = None

    def digests(self) -> dict[str, str]:
        """The SHA-256 of every file of evidence."""
        given = {name: getattr(self, name) for name in self.__slots__ if name != "registration"}
        return {name: digest_of_bytes(path.read_bytes()) for name, path in given.items() if path is not None}


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
    report = _measured(files, registration)
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


def _measured(files: FilterFiles, terms: FilterRegistration) -> FilterReport:
    judged, hard_run, soft_run = read_judgements(files.qrels), read_run(files.hard), read_run(files.soft)
    eligible = None if files.eligible is None else read_judgements(files.eligible).table
    gold = eligible_gold(judged.table, eligible, relevant_from=terms.relevant_from)
    _require_shared(gold, hard_run, soft_run)
    rows = _predicates(files)
    survives = _survival(files, gold, rows, terms.predicate)
    hard, soft = (lists_of(gold, run.table, terms.k) for run in (hard_run, soft_run))
    require_filtered(gold, survives, hard)
    exclusion = exclusion_of(gold, survives)
    groups = _groups(files, gold)
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
        proofs=_proofs(hard_run, soft_run, eligible, terms),
        inputs=files.digests(),
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


def _predicates(files: FilterFiles) -> dict[str, QueryPredicates]:
    if files.predicates is None:
        return {}
    rows = build_all(QueryPredicates, read_rows(files.predicates), key="query_id")
    return {row.query_id: row for row in rows}


def _survival(files: FilterFiles, gold: Gold, rows: Mapping[str, QueryPredicates], field: str) -> IntArray:
    if files.survivors is not None:
        if files.documents is not None:
            raise UsageError("give survivors, or predicates with documents", hint="One of them says what was removed")
        return gold.look_up(read_judgements(files.survivors).table)
    if files.predicates is None or files.documents is None:
        return np.full(len(gold.query), UNKNOWN, dtype=np.int64)
    known = build_all(DocumentMetadata, read_rows(files.documents), key="doc_id")
    return survival(gold.ids(), rows, {row.doc_id: row.metadata for row in known}, field)


def _groups(files: FilterFiles, gold: Gold) -> list[str] | None:
    if files.groups is None:
        return None
    known = {row.query_id: row.group for row in build_all(QueryGroup, read_rows(files.groups), key="query_id")}
    absent = [name for name in gold.queries if name not in known]
    if absent:
        raise DataError(
            Problem(
                file=str(files.groups),
                message=f"{len(absent)} queries with eligible gold have no group",
                value=shown(absent[0]),
                remedy="Name a group for every query; one of its own where it is independent",
            )
        )
    return [known[name] for name in gold.queries]


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
