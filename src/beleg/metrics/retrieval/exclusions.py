"""Which field of a hard relevance filter hides the right documents, case by case."""

from __future__ import annotations

from collections.abc import Sequence

from beleg.core.trace import FilterKind, FilterPredicate
from beleg.metrics.batch import Batch, Row
from beleg.metrics.retrieval.entitlement import admitted, may_see, predicates_of


def excluding_fields(batch: Batch) -> dict[str, tuple[str, ...]]:
    """For each metadata field: the cases in which its hard predicates remove every gold document the caller may see.

    Where no single field removes all of them and several together do, those that remove any are named together in
    alphabetical order, as ``a+b``. A case counts once, whatever the number of repeats. Nothing is said about rows whose
    filters or metadata were not recorded.

    Args:
        batch: the run.

    Returns:
        Case ids by field, in suite order; empty when no filter removed all gold of any case.

    Example:
        >>> excluding_fields(Batch.of([], []))
        {}
    """
    found: dict[str, dict[str, None]] = {}
    for row in batch.rows:
        if isinstance(row, Row):
            for field in _fields_of(row, batch):
                found.setdefault(field, {})[row.case.case_id] = None
    return {field: tuple(cases) for field, cases in found.items()}


def _fields_of(row: Row, batch: Batch) -> list[str]:
    predicates = predicates_of(row.output, FilterKind.RELEVANCE)
    if not predicates:
        return []
    gold = _eligible_gold(row, batch)
    if not gold or not _removes_all(predicates, gold, batch, row):
        return []
    by_field: dict[str, list[FilterPredicate]] = {}
    for predicate in predicates:
        by_field.setdefault(predicate.field, []).append(predicate)
    alone = [field for field, own in by_field.items() if _removes_all(own, gold, batch, row)]
    removing = (field for field, own in by_field.items() if any(_removed(own, gold, batch, row)))
    return alone or ["+".join(sorted(removing))]


def _removes_all(predicates: Sequence[FilterPredicate], gold: list[str], batch: Batch, row: Row) -> bool:
    return all(_removed(predicates, gold, batch, row))


def _removed(predicates: Sequence[FilterPredicate], gold: list[str], batch: Batch, row: Row) -> list[bool]:
    return [admitted(predicates, batch.metadata(row, name)) is False for name in gold]


def _eligible_gold(row: Row, batch: Batch) -> list[str]:
    seen = [passage for _, passage in row.passages()]
    named = (batch.matcher.document_of(expected, seen) for expected in row.case.expected_passages)
    gold = [name for name in dict.fromkeys(named) if name is not None]
    return [name for name in gold if may_see(row, name, batch.metadata(row, name))]
