"""What the filter test looks at, read from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from beleg.adapters.formats.models import build_all
from beleg.adapters.formats.rows import read_rows
from beleg.adapters.formats.source import STDIN
from beleg.app.ir.reading import Ranked, read_judgements, read_run, require_one_stdin
from beleg.core.digest import digest_of_bytes
from beleg.core.errors import DataError, Problem, UsageError, shown
from beleg.core.filter_test import DocumentMetadata, QueryGroup, QueryPredicates
from beleg.core.manifest import Setting
from beleg.metrics.ranking_runs.filtering import UNKNOWN, Gold
from beleg.metrics.ranking_runs.predicates import survival
from beleg.metrics.ranking_runs.table import IntArray, Table
from beleg.metrics.ranking_runs.versions import JudgementSet

TRACES = "traces"
"""What stands in the place of judgements where both systems are folders of stored runs."""
RUNS = ("hard", "soft")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterFiles:
    """What the test reads. Each optional file is evidence; what is not given is not known.

    Where ``qrels`` is the word ``traces``, ``hard`` and ``soft`` are folders of stored runs, which hold the rest.
    """

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

    def digests(self, tables: Mapping[str, Table | None]) -> dict[str, str]:
        """The SHA-256 of all evidence.

        Args:
            tables: what stands in judgements and runs, by the names of the fields here. Of judgements the pairs are
                digested, so that another order or packing of the lines changes nothing; of other files the bytes.
        """
        found = {}
        for name in self.__slots__:
            path: Path | None = getattr(self, name)
            if path is None or name == "registration":
                continue
            table = tables.get(name)
            if table is not None and (name not in RUNS or str(path) == STDIN):
                found[name] = JudgementSet.of(table).digest
            else:
                found[name] = digest_of_bytes(path.read_bytes())
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Gold, both systems, and what is known of rights, predicates and removals."""

    judged: Ranked
    hard: Ranked
    soft: Ranked
    eligible: Table | None
    predicates: Mapping[str, QueryPredicates]
    survivors: Table | None
    metadata: Mapping[str, Mapping[str, Setting]] | None
    groups: Mapping[str, str] | None
    inputs: Mapping[str, str]
    """Digests of everything that was read."""

    def survival(self, gold: Gold, field: str) -> IntArray:
        """For every eligible gold document whether the hard filter let it pass, as far as that is known."""
        if self.survivors is not None:
            return gold.look_up(self.survivors)
        if self.metadata is None or not self.predicates:
            return np.full(len(gold.query), UNKNOWN, dtype=np.int64)
        return survival(gold.ids(), self.predicates, self.metadata, field)

    def groups_of(self, gold: Gold) -> list[str] | None:
        """The group of every query with eligible gold; None where queries are independent.

        Raises:
            DataError: if one has no group.
        """
        if self.groups is None:
            return None
        absent = [name for name in gold.queries if name not in self.groups]
        if absent:
            raise DataError(
                Problem(
                    message=f"{len(absent)} queries with eligible gold have no group",
                    value=shown(absent[0]),
                    remedy="Name a group for every query; one of its own where it is independent",
                )
            )
        return [self.groups[name] for name in gold.queries]


def read_evidence(files: FilterFiles) -> Evidence:
    """Reads all files.

    Raises:
        UsageError: if one is not there, or two of them say the same.
        DataError: if one is faulty.
    """
    if files.survivors is not None and files.documents is not None:
        raise UsageError("give survivors, or predicates with documents", hint="One of them says what was removed")
    judgements = [path for path in (files.eligible, files.survivors) if path is not None]
    require_one_stdin(files.qrels, files.hard, files.soft, *judgements)
    predicates, documents, groups = files.predicates, files.documents, files.groups
    rows = [] if predicates is None else build_all(QueryPredicates, read_rows(predicates), key="query_id")
    known = None if documents is None else build_all(DocumentMetadata, read_rows(documents), key="doc_id")
    labels = None if groups is None else build_all(QueryGroup, read_rows(groups), key="query_id")
    judged, hard, soft = read_judgements(files.qrels), read_run(files.hard), read_run(files.soft)
    eligible, survivors = _stated(files.eligible), _stated(files.survivors)
    tables = {"qrels": judged.table, "hard": hard.table, "soft": soft.table}
    return Evidence(
        judged=judged,
        hard=hard,
        soft=soft,
        eligible=eligible,
        predicates={row.query_id: row for row in rows},
        survivors=survivors,
        metadata=None if known is None else {row.doc_id: row.metadata for row in known},
        groups=None if labels is None else {row.query_id: row.group for row in labels},
        inputs=files.digests({**tables, "eligible": eligible, "survivors": survivors}),
    )


def _stated(path: Path | None) -> Table | None:
    """Statements of 1 or 0 about pairs; any other grade is a file of something else."""
    if path is None:
        return None
    table = read_judgements(path).table
    said = JudgementSet.of(table)
    wrong = np.flatnonzero((said.grade != 0) & (said.grade != 1))
    if len(wrong):
        query, document = next(said.pairs.ids(wrong[:1]))
        raise DataError(
            Problem(
                file=str(path),
                message=f"{len(wrong)} statements are neither 1 nor 0",
                value=f"{said.grade[wrong[0]]:g} for query {shown(query)}, document {shown(document)}",
                remedy="State 1 for yes and 0 for no; grades of relevance say nothing here",
            )
        )
    return table
