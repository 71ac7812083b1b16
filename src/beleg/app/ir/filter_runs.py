"""The filter test over two stored runs: what files would say is read from their traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from beleg.app.ir.filter_evidence import Evidence, FilterFiles
from beleg.app.ir.reading import Ranked
from beleg.app.scoring import ScoredRun, score_run
from beleg.core.dimensions import SAME
from beleg.core.errors import DataError, EvidenceError, Problem, UsageError, shown
from beleg.core.filter_test import FieldValues, FilterRegistration, QueryPredicates
from beleg.core.trace import FilterKind, FilterPredicate
from beleg.gating.comparability import MUST_MATCH, compare_runs, is_same_run
from beleg.metrics.batch import Row
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.metrics.ranks import list_fault, ranked_documents
from beleg.metrics.retrieval.entitlement import admitted, is_restricted, may_see, predicates_of
from beleg.metrics.retrieval.filters import gold_documents, value_text

Stated = dict[str, dict[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class _Attempt:
    """One attempt of a case, under one name in both runs."""

    name: str
    group: str
    row: Row


def evidence_of_runs(files: FilterFiles, terms: FilterRegistration) -> Evidence:
    """Reads gold, lists, rights, predicates and removals from the traces of two runs on the same cases.

    Args:
        files: ``hard`` and ``soft`` are the folders; no other file may be given.
        terms: the field whose filter is tested.

    Raises:
        UsageError: if a folder holds no run, or files are given that the traces replace.
        EvidenceError: if the runs were not made on the same inputs, an attempt failed, or the filter is not hard in the
            one and soft in the other.
        DataError: if a ranked list contradicts itself.
    """
    given = (files.eligible, files.predicates, files.documents, files.survivors, files.groups)
    if any(path is not None for path in given) or terms.relevant_from > 1:
        raise UsageError(
            "traces hold the evidence themselves, and their gold has no grades",
            hint="Leave out the other files and relevant_from",
        )
    hard, soft = score_run(files.hard, ("failed",)), score_run(files.soft, ("failed",))
    _require_same_inputs(hard, soft)
    others = {attempt.name: attempt for attempt in _attempts(soft)}
    pairs = [(attempt, others[attempt.name]) for attempt in _attempts(hard)]
    _require_roles(pairs, terms.predicate)
    gold: Stated = {}
    eligible: Stated = {}
    survivors: Stated = {}
    lists: tuple[Stated, Stated] = ({}, {})
    for new, old in pairs:
        names = gold_documents(new.row, hard.batch)
        gold[new.name] = dict.fromkeys(names, 1.0)
        for attempt, run, listed in ((new, hard, lists[0]), (old, soft, lists[1])):
            listed[new.name] = _list(attempt, files)
            stated = eligible.setdefault(new.name, {})
            for name, may in _rights(attempt, run, [*names, *listed[new.name]]):
                stated[name] = min(stated.get(name, 1.0), may)
        survivors[new.name] = dict(_survivors(new, hard, names, terms.predicate))
    return Evidence(
        judged=Ranked(str(files.hard), "", table_from_mapping(gold), {}),
        hard=Ranked(str(files.hard), "", table_from_mapping(lists[0]), {}),
        soft=Ranked(str(files.soft), "", table_from_mapping(lists[1]), {}),
        eligible=table_from_mapping(eligible),
        predicates={new.name: _predicates(new) for new, _ in pairs},
        survivors=table_from_mapping(survivors),
        metadata=None,
        groups={new.name: new.group for new, _ in pairs},
        inputs={
            "qrels": hard.evaluation.header.suite_digest,
            "hard": hard.evaluation.traces_digest or "",
            "soft": soft.evaluation.traces_digest or "",
        },
    )


def _require_same_inputs(hard: ScoredRun, soft: ScoredRun) -> None:
    if is_same_run(hard.evaluation, soft.evaluation):
        raise EvidenceError("hard and soft are the same run", hint="Name the run with the boost as the second")
    found = compare_runs(hard.evaluation, soft.evaluation)
    broken = [item for item in found if item.name in MUST_MATCH and item.status != SAME]
    if broken:
        named = "; ".join(f"{item.name}: {item.candidate} and {item.baseline}" for item in broken)
        raise EvidenceError(
            f"the runs cannot be compared: {named}", hint="Run both candidates on the same suite with the same options"
        )


def _attempts(run: ScoredRun) -> Iterator[_Attempt]:
    """Every attempt, each of which must have ended well: what failed shows nothing, and may not count for either."""
    evaluation, groups = run.evaluation, run.evaluation.cluster_numbers.tolist()
    seen: dict[str, int] = {}
    for place, row in zip(evaluation.row_case.tolist(), run.batch.rows, strict=True):
        case_id = evaluation.cases[place].case_id
        if not isinstance(row, Row):
            raise EvidenceError(
                f"{run.folder.path}: case {shown(case_id)} has no result: {row.status.value}",
                hint="Finish the run, or run the failed cases again",
            )
        repeat = seen[case_id] = seen.get(case_id, -1) + 1
        yield _Attempt(f"{case_id}#{repeat}" if repeat else case_id, str(groups[place]), row)


def _require_roles(pairs: Iterable[tuple[_Attempt, _Attempt]], field: str) -> None:
    sides = list(zip(*((_filters(new, field), _filters(old, field)) for new, old in pairs), strict=True))
    hard, soft = (any(item.hard for filters in side for item in filters) for side in sides)
    if not hard or soft:
        wrong = "the first run never filters hard" if not hard else "the second run filters hard too"
        raise EvidenceError(f"{wrong} by {field}", hint="Name the run with the hard predicate first, the boost second")


def _filters(attempt: _Attempt, field: str) -> list[FilterPredicate]:
    """The relevance filters on one field."""
    recorded = attempt.row.output.filters or ()
    return [item for item in recorded if item.kind is FilterKind.RELEVANCE and item.field == field]


def _list(attempt: _Attempt, files: FilterFiles) -> dict[str, float]:
    """The documents of the last ranked list by falling score."""
    passages = attempt.row.output.final_passages()
    fault = list_fault(passages)
    if fault is not None:
        raise DataError(
            Problem(
                file=f"{files.hard} or {files.soft}",
                field=f"case {attempt.name}",
                message=fault,
                remedy="Record the list as it was ranked",
            )
        )
    ranked = ranked_documents(passages)
    return {name: float(len(ranked) - place) for place, name in enumerate(ranked)}


def _rights(attempt: _Attempt, run: ScoredRun, names: Iterable[str]) -> Iterator[tuple[str, float]]:
    """1 or 0 for every document of which it is known whether the principal may see it."""
    row = attempt.row
    for name in dict.fromkeys(names):
        verdict = may_see(row, name, run.batch.metadata(row, name))
        if verdict is None and not is_restricted(row):
            verdict = True
        if verdict is not None:
            yield name, float(verdict)


def _survivors(attempt: _Attempt, run: ScoredRun, names: Iterable[str], field: str) -> Iterator[tuple[str, float]]:
    """1 or 0 for every gold document of which it is known whether the hard filter on the field lets it pass."""
    row = attempt.row
    if row.output.filters is None:
        return
    predicates = [item for item in predicates_of(row.output, FilterKind.RELEVANCE) if item.field == field]
    for name in names:
        verdict = admitted(predicates, run.batch.metadata(row, name))
        if verdict is not None:
            yield name, float(verdict)


def _predicates(attempt: _Attempt) -> QueryPredicates:
    """What was filtered by and what a person expected, values as a suite writes them."""
    row = attempt.row
    applied: dict[str, FieldValues] | None = None
    if row.output.filters is not None:
        relevant = [item for item in row.output.filters if item.kind is FilterKind.RELEVANCE]
        applied = {item.field: tuple(value_text(value) for value in item.values) for item in relevant}
    expected: dict[str, FieldValues] | None = None
    if row.case.expected_filters is not None:
        expected = {}
        for wanted in row.case.expected_filters:
            before = expected.get(wanted.field, ())
            expected[wanted.field] = (*(before if isinstance(before, tuple) else (before,)), wanted.value)
    return QueryPredicates(query_id=attempt.name, applied=applied, expected=expected)
