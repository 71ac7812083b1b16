"""The registered filter test over files: may a preference be a hard predicate, or does it stay a soft boost?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from beleg.adapters.formats.chained import append_chained
from beleg.adapters.formats.models import build_all, load_document
from beleg.adapters.formats.rows import read_rows
from beleg.app.ir.reading import Ranked, read_judgements, read_run
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import ConfigError, DataError, EvidenceError, Problem, UsageError, shown
from beleg.core.filter_test import DocumentMetadata, FilterRegistration, QueryGroup, QueryPredicates
from beleg.metrics.ranking_runs.filtering import (
    UNKNOWN,
    Exclusion,
    Gold,
    Leaks,
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
from beleg.metrics.ranking_runs.predicates import PredicateQuality, quality_of, survival
from beleg.metrics.ranking_runs.table import IntArray, Table
from beleg.stats.filter_rule import Choice, PairedQueries, RuleResult, Terms, hard_or_soft
from beleg.stats.intervals import clopper_pearson, clustered_interval, largest_share

KIND = "beleg.filter_decision"
RECORD_SUFFIX = ".decisions.jsonl"
SYSTEMS = ("hard", "soft")

EXIT_DECIDED, EXIT_LEAK, EXIT_UNDECIDED = 0, 20, 30


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


@dataclass(frozen=True, slots=True)
class ShareFigure:
    """A share with one-sided bounds, or the reason why there is none."""

    events: int
    n: int
    value: float | None
    lower: float | None
    upper: float | None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """What one run shows against entitlement: a proof of its own, which nothing compensates."""

    system: str
    leaks: Leaks
    upper: float
    """Upper bound on the share of queries with such a document."""

    @property
    def state(self) -> str:
        """``held``, ``broken``, or ``unknown`` where nothing says of a listed document who may see it."""
        if self.leaks.unauthorised:
            return "broken"
        return "unknown" if self.leaks.unknown else "held"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FilterReport:
    """The decision with everything it rests on."""

    registration: FilterRegistration
    rule: RuleResult
    gold: Gold
    hard: Lists
    soft: Lists
    judged_shares: tuple[float, float]
    exclusion: Exclusion
    documents: ShareFigure
    invalid_recall: float | None
    quality: PredicateQuality | None
    predicate_precision: ShareFigure
    predicate_recall: ShareFigure
    wrong_and_excluded: int
    proofs: tuple[Proof, ...]
    inputs: Mapping[str, str]
    earlier: tuple[dict[str, Any], ...]
    """Decisions of the same predicate that were recorded before."""

    @property
    def changed_after(self) -> list[dict[str, Any]]:
        """Earlier decisions of this predicate under another registration."""
        return [entry for entry in self.earlier if entry.get("registration") != self.registration.digest]

    @property
    def entitlement(self) -> str:
        """The worst state of the proofs; ``not_given`` where no file says who may see what."""
        states = {proof.state for proof in self.proofs}
        return next((state for state in ("broken", "unknown", "held") if state in states), "not_given")

    @property
    def exit_code(self) -> int:
        """0 where the rule decided, 30 where it could not; 20 where a run lists what its caller may not see."""
        if self.entitlement == "broken":
            return EXIT_LEAK
        return EXIT_UNDECIDED if self.rule.choice is Choice.UNDECIDED else EXIT_DECIDED

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        return {
            "choice": self.rule.choice.value,
            "needed_queries": self.rule.needed,
            "registration": {"digest": self.registration.digest, **self.registration.to_json_dict()},
            "conditions": [asdict(condition) for condition in self.rule.conditions],
            "queries": self.rule.n,
            "eligible_gold": len(self.gold.query),
            "gold_not_eligible": self.gold.refused,
            "systems": {name: self._system(name) for name in SYSTEMS},
            "false_exclusion": {
                "queries_excluded": self.exclusion.queries_excluded,
                "queries": self.rule.n,
                "queries_unknown": int((~self.exclusion.is_known).sum()),
                "documents": asdict(self.documents),
                "documents_unknown": self.exclusion.documents_unknown,
            },
            "INVALID_recall_over_gold_rebuilt_after_filtering": self.invalid_recall,
            "predicate": {
                "precision": asdict(self.predicate_precision),
                "recall": asdict(self.predicate_recall),
                "labelled_queries": self.quality.labelled if self.quality else 0,
                "wrong_queries": len(self.quality.wrong) if self.quality else 0,
                "wrong_and_excluded_queries": self.wrong_and_excluded,
            },
            "entitlement": {
                "state": self.entitlement,
                "runs": {
                    proof.system: {"state": proof.state, **asdict(proof.leaks), "upper": proof.upper}
                    for proof in self.proofs
                },
            },
            "inputs": dict(self.inputs),
            "earlier_decisions": len(self.earlier),
            "registration_changed_after_a_decision": bool(self.changed_after),
        }

    def _system(self, name: str) -> dict[str, Any]:
        lists, share = (self.hard, self.judged_shares[0]) if name == "hard" else (self.soft, self.judged_shares[1])
        return {
            "precision": float(lists.precision.mean()),
            "recall": float(lists.recall.mean()),
            "judged_share": share,
            "queries_without_list": lists.missing,
        }


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
    entry = {
        "kind": KIND,
        "predicate": registration.predicate,
        "registration": registration.digest,
        "terms": registration.to_json_dict(),
        "inputs": dict(report.inputs),
        "choice": report.rule.choice.value,
        "queries": report.rule.n,
        "on": today.isoformat(),
    }
    before = append_chained(record, lambda entries: None if _is_known(entry, entries) else entry)
    same = tuple(each for each in before if each.get("predicate") == registration.predicate)
    return _with_history(report, same)


def _is_known(entry: dict[str, Any], entries: list[dict[str, Any]]) -> bool:
    return any(
        each.get("registration") == entry["registration"] and each.get("inputs") == entry["inputs"] for each in entries
    )


def _with_history(report: FilterReport, earlier: tuple[dict[str, Any], ...]) -> FilterReport:
    values = {name: getattr(report, name) for name in report.__slots__}
    return FilterReport(**{**values, "earlier": earlier})


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
