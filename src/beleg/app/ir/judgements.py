"""Versions of judgement files: merge labels into a new one, and show what differs between two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.adapters.formats.atomic import create_bytes
from beleg.adapters.formats.models import build_all, load_document
from beleg.adapters.formats.rows import read_rows
from beleg.app.ir.pooling import NOTHING
from beleg.app.ir.reading import Ranked, read_judgements, read_run, require_file_name
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError
from beleg.core.judgements import JudgementCounts, JudgementsManifest, PoolLine
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import Measure, parse_measures, require_figures
from beleg.metrics.ranking_runs.table import Names, Table, table_from_mapping, table_of
from beleg.metrics.ranking_runs.versions import Difference, JudgementSet, OnConflict, difference, merge
from beleg.stats.agreement import (
    Confusion,
    KappaInterval,
    confusion,
    kappa,
    kappa_interval,
    kendall_tau,
    raw_agreement,
)

MANIFEST_SUFFIX = ".manifest.json"


def manifest_path(qrels: Path) -> Path:
    """Where the manifest of a file of judgements stands."""
    return qrels.with_name(qrels.name + MANIFEST_SUFFIX)


def merge_labels(
    qrels: Path,
    labelled: Path,
    out: Path,
    *,
    on_conflict: str = "refuse",
    by: str | None = None,
    on: date | None = None,
) -> JudgementsManifest:
    """Merges a labelled file into judgements, as a new version beside the old one.

    The judgements are written before their manifest, each at once or not at all; a merge that was cut off is simply
    called again.

    Args:
        qrels: the version to start from; ``none`` for nothing.
        labelled: a file with the lines of `write_pool`, some of them with grades.
        out: the new version; an existing file is never overwritten.
        on_conflict: ``refuse``, ``new`` or ``max``, for a pair that is labelled differently.
        by: who merges.
        on: the day.

    Returns:
        The manifest, as it was written.

    Raises:
        UsageError: if a file is not there, or one is in the way, or the standard output is named.
        DataError: if a file is faulty, no line has a grade, or labels conflict and the policy does not settle it.
        EvidenceError: if the old version is not what its manifest says.
    """
    policy = _policy(on_conflict)
    require_file_name(out)
    parent, version = _parent(qrels)
    rows = build_all(PoolLine, read_rows(labelled))
    graded = [row for row in rows if row.grade is not None]
    if not graded:
        problem = Problem(
            file=str(labelled), message="no line has a grade", remedy="Label lines: put a number for null"
        )
        raise DataError(problem)
    merged, counts = merge(parent.table if parent else table_from_mapping({}), _table(graded), policy)
    data = merged.canonical_bytes()
    manifest = JudgementsManifest(
        version=version + 1,
        digest=digest_of_bytes(data),
        parent_digest=JudgementSet.of(parent.table).digest if parent else None,
        labels_digest=digest_of_bytes(labelled.read_bytes()),
        on_conflict=policy.value,
        by=by,
        on=on,
        counts=JudgementCounts(**asdict(counts), unlabelled=len(rows) - len(graded)),
    )
    create_bytes(out, data)
    create_bytes(manifest_path(out), json.dumps(manifest.to_json_dict(), indent=2, ensure_ascii=False).encode() + b"\n")
    return manifest


def _policy(word: str) -> OnConflict:
    try:
        return OnConflict(word)
    except ValueError:
        known = ", ".join(each.value for each in OnConflict)
        raise UsageError(f"there is no policy {word!r} for conflicts", hint=f"Choose one of {known}") from None


def _parent(qrels: Path) -> tuple[Ranked | None, int]:
    """The judgements to start from, and their version."""
    if str(qrels) == NOTHING:
        return None, 0
    found = read_judgements(qrels)
    beside = manifest_path(qrels)
    if not beside.exists():
        return found, 1
    manifest = load_document(JudgementsManifest, beside)
    if JudgementSet.of(found.table).digest != manifest.digest:
        raise EvidenceError(
            f"{qrels} is not what {beside.name} says: its judgements were changed after they were merged",
            hint="Restore the file, or remove the manifest to start a new line of versions",
        )
    return found, manifest.version


def _table(rows: Sequence[PoolLine]) -> Table:
    queries: dict[str, int] = {}
    codes = np.array([queries.setdefault(row.query_id, len(queries)) for row in rows], dtype=np.int32)
    grades = np.array([row.grade for row in rows], dtype=np.float64)
    return table_of(tuple(queries), codes, Names.of(row.doc_id for row in rows), grades)


@dataclass(frozen=True, slots=True)
class Kappa:
    """A kappa with its interval over queries, where there are enough of them."""

    score: Score
    interval: KappaInterval | None

    def to_json(self) -> dict[str, Any]:
        """The figures, or why there are none."""
        score, bounds = self.score, self.interval
        found = _figure(score)
        if bounds is not None:
            found |= {"lower": bounds.lower, "upper": bounds.upper, "confidence": bounds.confidence}
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevantShares:
    """How many of the shared pairs each version calls relevant, and how far the new one follows the old one there."""

    old: float
    new: float
    follows_relevant: Score
    """Of the pairs that are relevant in the old version, the share that is so in the new one (sensitivity)."""
    follows_irrelevant: Score
    """The same for the pairs that are not relevant (specificity)."""

    def to_json(self) -> dict[str, Any]:
        """The figures, or why there are none."""
        followed = (("follows_relevant", self.follows_relevant), ("follows_irrelevant", self.follows_irrelevant))
        return {"old": self.old, "new": self.new} | {name: _figure(score) for name, score in followed}


def _figure(score: Score) -> dict[str, Any]:
    return {"value": score.value} if score.value is not None else {"missing": score.detail}


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """How far two versions agree on the pairs that both have."""

    table: Confusion
    raw: float
    kappa: Kappa
    quadratic: Kappa
    binary: Kappa
    relevant: RelevantShares

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "pairs": self.table.n,
            "raw": self.raw,
            "kappa": self.kappa.to_json(),
            "quadratic_kappa": self.quadratic.to_json(),
            "binary_kappa": self.binary.to_json(),
            "relevant": self.relevant.to_json(),
            "grades": list(self.table.categories),
            "counts": self.table.counts.tolist(),
        }


@dataclass(frozen=True, slots=True, eq=False)
class VersionReport:
    """What differs between two files of judgements, and what that does to runs."""

    old: str
    new: str
    digests: tuple[str, str]
    found: Difference
    agreement: Agreement | None
    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    means: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
    """For each run the figures under the old and the new version."""
    tau: tuple[Score, ...]
    """For each measure, how far both versions put the runs in the same order."""
    queries: tuple[int, int]

    def counts(self) -> dict[str, int]:
        """Pairs by what became of them."""
        return {
            "added": len(self.found.added),
            "removed": len(self.found.removed),
            "changed": len(self.found.changed),
            "unchanged": len(self.found.shared) - len(self.found.changed),
        }

    def changed(self, shown: int) -> list[dict[str, Any]]:
        """The first changed pairs, the largest change first."""
        places = self.found.changed[:shown]
        return [
            {"query_id": query, "doc_id": document, "old": self.found.old[place], "new": self.found.new[place]}
            for place, (query, document) in zip(places.tolist(), self.found.pairs.ids(places), strict=True)
        ]

    def to_json(self, shown: int) -> dict[str, Any]:
        """All figures, and as many changed pairs as are wanted."""
        return {
            "old": {"file": self.old, "digest": self.digests[0], "queries": self.queries[0]},
            "new": {"file": self.new, "digest": self.digests[1], "queries": self.queries[1]},
            "pairs": self.counts(),
            "agreement": self.agreement.to_json() if self.agreement else None,
            "runs": [
                {
                    "file": name,
                    **{
                        measure.label: {"old": old, "new": new, "change": new - old}
                        for measure, old, new in zip(self.measures, *means, strict=True)
                    },
                }
                for name, means in zip(self.runs, self.means, strict=True)
            ],
            "kendall_tau": {measure.label: _figure(tau) for measure, tau in zip(self.measures, self.tau, strict=True)},
            "changed": self.changed(shown),
        }


def compare_judgements(
    old: Path, new: Path, runs: Sequence[Path], measures: Sequence[str], *, min_rel: int = 1, confidence: float = 0.95
) -> VersionReport:
    """Holds two files of judgements against each other.

    Args:
        old: the one.
        new: the other.
        runs: runs whose figures are computed under both.
        measures: what to compute of them.
        min_rel: the lowest grade that counts as relevant.
        confidence: confidence of the intervals.

    Raises:
        UsageError: if a file is not there or a measure is unknown or a text.
        DataError: if a file is faulty.
    """
    asked = parse_measures(measures, min_rel=min_rel) if runs else ()
    require_figures(asked)
    before, after = read_judgements(old), read_judgements(new)
    found = difference(before.table, after.table)
    means = []
    for path in runs:
        table = read_run(path).table
        means.append(tuple(evaluate_run(side.table, table, asked).summary() for side in (before, after)))
    columns = np.array(means, dtype=np.float64).reshape(len(runs), 2, len(asked))
    return VersionReport(
        old=str(old),
        new=str(new),
        digests=(JudgementSet.of(before.table).digest, JudgementSet.of(after.table).digest),
        found=found,
        agreement=_agreement(found, min_rel, confidence) if len(found.shared) else None,
        measures=asked,
        runs=tuple(str(path) for path in runs),
        means=tuple((mine[0], mine[1]) for mine in means),
        tau=tuple(kendall_tau(*columns[:, :, place].T) for place in range(len(asked))) if len(runs) > 1 else (),
        queries=(len(before.table.queries), len(after.table.queries)),
    )


def _agreement(found: Difference, min_rel: int, confidence: float) -> Agreement:
    shared = found.shared
    old, new, groups = found.old[shared], found.new[shared], found.pairs.query[shared]
    relevant = [(side >= min_rel).astype(np.float64) for side in (old, new)]
    table = confusion(old, new)
    return Agreement(
        table=table,
        raw=raw_agreement(table),
        kappa=Kappa(kappa(table), kappa_interval(old, new, groups, confidence)),
        quadratic=Kappa(kappa(table, quadratic=True), kappa_interval(old, new, groups, confidence, quadratic=True)),
        binary=Kappa(kappa(confusion(*relevant)), kappa_interval(relevant[0], relevant[1], groups, confidence)),
        relevant=_shares(old >= min_rel, new >= min_rel),
    )


def _shares(old: npt.NDArray[np.bool_], new: npt.NDArray[np.bool_]) -> RelevantShares:
    def share(agreed: npt.NDArray[np.bool_], which: str) -> Score:
        if not len(agreed):
            return Score.without(ScoreStatus.NOT_APPLICABLE, f"the old version has no {which} pair")
        return Score.of(float(agreed.mean()))

    return RelevantShares(
        old=float(old.mean()),
        new=float(new.mean()),
        follows_relevant=share(new[old], "relevant"),
        follows_irrelevant=share(~new[~old], "irrelevant"),
    )
