"""Short ways to write cases and traces in tests."""

from __future__ import annotations

from typing import Any

from beleg.core.case import Case, ExpectedPassage
from beleg.core.inventory import Inventory, InventoryDocument, InventoryPassage
from beleg.core.score import Score
from beleg.core.trace import (
    Citation,
    FilterKind,
    FilterPredicate,
    Output,
    Passage,
    Trace,
    TraceError,
    TraceStatus,
)
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute


def case(*expected: ExpectedPassage, case_id: str = "c1", **fields: Any) -> Case:
    return Case(case_id=case_id, user_input="?", expected_passages=expected, **fields)


def gold(document_id: str | None = None, quote: str | None = None, **fields: Any) -> ExpectedPassage:
    return ExpectedPassage(document_id=document_id, quote=quote, **fields)


def passage(document_id: str, text: str | None = None, **fields: Any) -> Passage:
    return Passage(
        passage_id=fields.pop("passage_id", f"{document_id}#0"), document_id=document_id, text=text, **fields
    )


def listed(*document_ids: str) -> tuple[Passage, ...]:
    return tuple(passage(name) for name in document_ids)


def trace(case_id: str = "c1", total_ms: float = 5.0, **output: Any) -> Trace:
    return Trace(case_id=case_id, status=TraceStatus.OK, total_ms=total_ms, output=Output(**output))


def broken(status: TraceStatus, case_id: str = "c1") -> Trace:
    return Trace(case_id=case_id, status=status, error=TraceError(kind="Boom", message="it broke"))


def citation(marker: str = "1", document_id: str | None = None, **fields: Any) -> Citation:
    return Citation(marker=marker, document_id=document_id, **fields)


def relevance(field: str, *values: str, **fields: Any) -> FilterPredicate:
    return FilterPredicate(kind=FilterKind.RELEVANCE, field=field, values=values, **fields)


def entitlement(field: str, *values: str) -> FilterPredicate:
    return FilterPredicate(kind=FilterKind.ENTITLEMENT, field=field, values=values)


def inventory(
    documents: dict[str, str],
    passages: dict[str, tuple[str, str]] | None = None,
    *,
    metadata: dict[str, dict[str, Any]] | None = None,
    unindexed: tuple[str, ...] = (),
) -> Inventory:
    return Inventory(
        documents=tuple(
            InventoryDocument(document_id=name, text=text, metadata=(metadata or {}).get(name, {}))
            for name, text in documents.items()
        ),
        passages=tuple(
            InventoryPassage(passage_id=name, document_id=document, text=text, indexed=name not in unindexed)
            for name, (document, text) in (passages or {}).items()
        ),
    )


def one(a_case: Case, **output: Any) -> Batch:
    """A batch of one row."""
    return Batch.of([a_case], [trace(a_case.case_id, **output)])


def measured(metric: str, attempt: Trace | None) -> Score:
    """What a metric says about one attempt on a case without expectations."""
    return compute([metric], Batch.of([case()], [attempt]))[metric].score_at(0)
