"""Who may see which document, and every place where a document stands that the principal may not see."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from beleg.core.case import PUBLIC_ENTITLEMENT, SHARED_TENANT, Principal
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import FilterKind, FilterPredicate, Output
from beleg.metrics.batch import Batch, Metadata, Row

TENANT_FIELD = "tenant"
ENTITLEMENT_FIELD = "entitlement"


def predicates_of(output: Output, kind: FilterKind) -> tuple[FilterPredicate, ...]:
    """The hard predicates of one kind that were recorded; a soft one removes nothing."""
    return tuple(item for item in output.filters or () if item.kind is kind and item.hard)


def admitted(predicates: Iterable[FilterPredicate], metadata: Metadata | None) -> bool | None:
    """Whether metadata passes all predicates; ``None`` where a field that decides is not known."""
    verdict: bool | None = True
    for predicate in predicates:
        if metadata is None or (predicate.field not in metadata.values and not metadata.complete):
            verdict = None
        elif not predicate.admits(dict(metadata.values)):
            return False
    return verdict


def principal_may_see(principal: Principal, metadata: Metadata) -> bool:
    """Whether tenant and entitlement of a document, where its metadata has them, allow the principal.

    What belongs to the shared tenant is open to every tenant, and what is public to everybody in it.

    Example:
        >>> principal_may_see(Principal(tenant="acme"), Metadata({"tenant": "globex"}, complete=True))
        False
        >>> principal_may_see(Principal(tenant="acme"), Metadata({"tenant": "shared"}, complete=True))
        True
    """
    values = metadata.values
    if TENANT_FIELD in values and values[TENANT_FIELD] not in (principal.tenant, SHARED_TENANT):
        return False
    allowed = (PUBLIC_ENTITLEMENT, *principal.entitlements)
    return ENTITLEMENT_FIELD not in values or values[ENTITLEMENT_FIELD] in allowed


def may_see(row: Row, document_id: str, metadata: Metadata | None) -> bool | None:
    """Whether the principal of a row may see a document.

    No, where the case forbids the document, where its tenant or entitlement is not the principal's, or where a
    recorded entitlement predicate refuses it. ``None`` where its metadata cannot tell.
    """
    if document_id in row.case.forbidden_sources:
        return False
    if metadata is not None and not principal_may_see(row.case.principal, metadata):
        return False
    predicates = predicates_of(row.output, FilterKind.ENTITLEMENT)
    if metadata is None or not _tells(metadata, predicates):
        return None
    return admitted(predicates, metadata)


def _tells(metadata: Metadata, predicates: Iterable[FilterPredicate]) -> bool:
    """Whether metadata says anything about access at all."""
    fields = {TENANT_FIELD, ENTITLEMENT_FIELD, *(predicate.field for predicate in predicates)}
    return metadata.complete or not fields.isdisjoint(metadata.values)


def entitlement_leak_column(batch: Batch) -> ScoreColumn:
    """How many passages stand anywhere that the principal may not see.

    Counted once each: passages of every ranked stage, cited sources, and inventory passages whose text stands in the
    prompt. A passage counts when its own metadata or that of the inventory refuses it. Lower is better, 0 is best.
    Undefined: missing when the principal is restricted and a passage's metadata says nothing about access, so that
    nobody can tell, unless a leak is proven anyway.
    """

    def refused(row: Row, document_id: str, own: Metadata | None) -> bool | None:
        verdicts = [may_see(row, document_id, known) for known in (own, batch.metadata(row, document_id))]
        return False if False in verdicts else (True if True in verdicts else None)

    return batch.column(lambda row: _count(row, batch, refused))


def forbidden_passages_column(batch: Batch) -> ScoreColumn:
    """How many passages of the case's forbidden sources stand anywhere: at a ranked stage, cited or in the prompt.

    Lower is better, 0 is best; a case that forbids nothing has 0.
    Undefined: never for an attempt that ended well; a stage, prompt or citation that was not recorded shows nothing.
    """

    def allowed(row: Row, document_id: str, own: Metadata | None) -> bool | None:
        return document_id not in row.case.forbidden_sources

    return batch.column(lambda row: _count(row, batch, allowed) if row.case.forbidden_sources else Score.of(0))


Allowed = Callable[[Row, str, Metadata | None], bool | None]


def _count(row: Row, batch: Batch, allowed: Allowed) -> Score:
    passages: dict[str, str] = {}
    documents: set[str] = set()
    unknown: str | None = None
    for passage_id, document_id, own in _shown(row, batch):
        verdict = allowed(row, document_id, own)
        if verdict is False:
            documents.add(document_id)
            if passage_id is not None:
                passages[passage_id] = document_id
        elif verdict is None and unknown is None:
            unknown = document_id
    # A source that only a citation names, without a passage, counts as one.
    leaks = len(passages) + len(documents - set(passages.values()))
    if leaks == 0 and unknown is not None and _restricted(row):
        return Score.without(ScoreStatus.MISSING, f"whether the principal may see {unknown!r} was not recorded")
    return Score.of(leaks, f"of {', '.join(sorted(documents))}" if documents else None)


def _restricted(row: Row) -> bool:
    principal = row.case.principal
    named = principal.tenant is not None or bool(principal.entitlements)
    return named or bool(predicates_of(row.output, FilterKind.ENTITLEMENT))


def _shown(row: Row, batch: Batch) -> Iterable[tuple[str | None, str, Metadata | None]]:
    """Every passage that the trace shows: id where it has one, document, and its own metadata."""
    parents: dict[str, str] = {}
    for _, passage in row.passages():
        parents[passage.passage_id] = passage.document_id
        own = Metadata(passage.metadata, complete=False) if passage.metadata else None
        yield passage.passage_id, passage.document_id, own
    known = batch.matcher.passages
    for citation in row.output.citations or ():
        name = citation.passage_id
        if name is not None and name not in parents and name in known:
            parents[name] = known[name].document_id
        document_id = citation.document_id or (parents.get(name) if name is not None else None)
        if document_id is not None and _exists(document_id, row, batch):
            yield name, document_id, None
    for passage_id in batch.matcher.passages_in(row.output.prompt or ""):
        yield passage_id, known[passage_id].document_id, None


def _exists(document_id: str, row: Row, batch: Batch) -> bool:
    """Whether a cited document can hold anything: an invented one is an unknown source, and shows nothing to anyone."""
    return (
        batch.inventory is None or document_id in batch.matcher.documents or document_id in row.case.forbidden_sources
    )
