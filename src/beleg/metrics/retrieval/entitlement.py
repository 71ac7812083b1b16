"""Who may see which document, and every place where a document stands that the principal may not see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from itertools import chain

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
    recorded entitlement predicate refuses it. ``None`` where its metadata cannot tell: for a restricted principal
    metadata that may be partial must name both tenant and entitlement, and an inventory of which no document names
    anything about access says nothing.
    """
    if document_id in row.case.forbidden_sources:
        return False
    if metadata is None:
        return None
    predicates = predicates_of(row.output, FilterKind.ENTITLEMENT)
    fields = {TENANT_FIELD, ENTITLEMENT_FIELD, *(predicate.field for predicate in predicates)}
    if metadata.complete and is_restricted(row) and fields.isdisjoint(metadata.carried):
        return None
    verdict = admitted(predicates, metadata)
    if verdict is False or not principal_may_see(row.case.principal, metadata):
        return False
    return verdict if metadata.complete or _is_enough(row.case.principal, metadata, fields) else None


def _is_enough(principal: Principal, metadata: Metadata, fields: Set[str]) -> bool:
    """Whether metadata that may be partial says enough about access to allow anything."""
    if _names_rights(principal):
        return metadata.values.keys() >= {TENANT_FIELD, ENTITLEMENT_FIELD}
    return not fields.isdisjoint(metadata.values)


def entitlement_leak_column(batch: Batch) -> ScoreColumn:
    """How many passages stand anywhere that the principal may not see.

    Counted once each: passages of every ranked stage, cited sources, and what of the inventory stands in the prompt,
    the answer or a rewritten question: a whole passage, or a run of 12 words that only documents hold which the
    principal may not see (such a document counts once). What the asker wrote is no leak. A passage counts when its own
    metadata or that of the inventory refuses it; one that the inventory files under another document, and a citation
    that names a passage and another document, is judged under both. Lower is better, 0 is best.
    Undefined: missing when the principal is restricted and what is known does not tell whether a passage may be seen,
    unless a leak is proven anyway.
    """

    def refused(row: Row, document_id: str, own: Metadata | None) -> bool | None:
        verdicts = [may_see(row, document_id, known) for known in (own, batch.metadata(row, document_id))]
        return False if False in verdicts else (True if True in verdicts else None)

    return batch.column(lambda row: _count(row, batch, refused))


def forbidden_passages_column(batch: Batch) -> ScoreColumn:
    """How many passages of the case's forbidden sources stand anywhere: at a ranked stage, cited or in a text.

    Found as for `entitlement_leak_column`. Lower is better, 0 is best; a case that forbids nothing has 0.
    Undefined: never for an attempt that ended well; a stage, prompt or citation that was not recorded shows nothing.
    """

    def allowed(row: Row, document_id: str, own: Metadata | None) -> bool | None:
        return document_id not in row.case.forbidden_sources

    return batch.column(lambda row: _count(row, batch, allowed) if row.case.forbidden_sources else Score.of(0))


Allowed = Callable[[Row, str, Metadata | None], bool | None]


def _count(row: Row, batch: Batch, allowed: Allowed) -> Score:
    passages: set[str] = set()
    covered: set[str] = set()
    documents: set[str] = set()
    unknown: str | None = None
    for passage_id, document_id, own in chain(_shown(row, batch), _copied_whole(row, batch, allowed)):
        verdict = allowed(row, document_id, own)
        if verdict is False:
            documents.add(document_id)
            if passage_id is not None:
                passages.add(passage_id)
                covered.add(document_id)
        elif verdict is None and unknown is None:
            unknown = document_id
    documents.update(_copied_runs(row, batch, allowed, documents))
    # A source that only a citation names, without a passage, counts as one.
    leaks = len(passages) + len(documents - covered)
    if leaks == 0 and unknown is not None and is_restricted(row):
        return Score.without(ScoreStatus.MISSING, f"whether the principal may see {unknown!r} was not recorded")
    return Score.of(leaks, f"of {', '.join(sorted(documents))}" if documents else None)


def _names_rights(principal: Principal) -> bool:
    return principal.tenant is not None or bool(principal.entitlements)


def is_restricted(row: Row) -> bool:
    """Whether rights matter for a row: its principal has some, or the system filtered by them."""
    return _names_rights(row.case.principal) or bool(predicates_of(row.output, FilterKind.ENTITLEMENT))


def _shown(row: Row, batch: Batch) -> Iterable[tuple[str | None, str, Metadata | None]]:
    """Every passage that the trace shows: id where it has one, every document it may belong to, its own metadata."""
    parents: dict[str, set[str]] = {}
    known = batch.matcher.passages
    for _, passage in row.passages():
        name, own = passage.passage_id, Metadata(passage.metadata, complete=False) if passage.metadata else None
        parents.setdefault(name, set()).add(passage.document_id)
        yield name, passage.document_id, own
        if name in known and known[name].document_id != passage.document_id:
            parents[name].add(known[name].document_id)
            yield name, known[name].document_id, None
    for citation in row.output.citations or ():
        cited = citation.passage_id
        named = set() if cited is None else parents.get(cited, set())
        named = named | ({citation.document_id} if citation.document_id is not None else set())
        if cited is not None and cited in known:
            named.add(known[cited].document_id)
        for document_id in sorted(named):
            if _exists(document_id, row, batch):
                yield cited, document_id, None


def _copied_whole(row: Row, batch: Batch, allowed: Allowed) -> Iterable[tuple[str, str, Metadata | None]]:
    """Inventory passages whose whole text stands in a text of the trace.

    What the asker wrote, and what stands in a shown passage that may be seen, was not taken from a hidden one.
    """
    known = batch.matcher.passages
    found = _found_in(_texts(row), batch)
    if found:
        found -= _found_in(_asked(row), batch)
    if any(allowed(row, known[name].document_id, None) is False for name in found):
        shown = {passage.passage_id for _, passage in row.passages()} & known.keys()
        # As the inventory has them: a candidate that files a refused text under another name explains nothing.
        open_names = {name for name in shown if allowed(row, known[name].document_id, None)}
        found -= _found_in((known[name].text for name in open_names), batch)
    for passage_id in sorted(found):
        yield passage_id, known[passage_id].document_id, None


def _found_in(texts: Iterable[str], batch: Batch) -> set[str]:
    return {name for text in texts for name in batch.matcher.passages_in(text)}


def _copied_runs(row: Row, batch: Batch, allowed: Allowed, found: Collection[str]) -> set[str]:
    """Documents not found otherwise of which a long run of words stands in a text, and in no document that may."""
    copied: set[str] = set()
    for text in _texts(row):
        for owners in batch.matcher.runs_in(text, apart_from=_asked(row)):
            is_told = not owners.isdisjoint(found) or not owners.isdisjoint(copied)
            if not is_told and all(allowed(row, name, None) is False for name in owners):
                copied.add(min(owners))
    return copied


def _texts(row: Row) -> list[str]:
    """The texts of a trace in which a document can stand unnamed."""
    texts = (row.output.prompt, row.output.answer, *row.output.query_rewrites)
    return [text for text in texts if text]


def _asked(row: Row) -> list[str]:
    """What was said before the system searched anything."""
    return [row.case.question, *(turn.content for turn in row.case.turns)]


def _exists(document_id: str, row: Row, batch: Batch) -> bool:
    """Whether a cited document can hold anything: an invented one is an unknown source, and shows nothing to anyone."""
    return (
        batch.inventory is None or document_id in batch.matcher.documents or document_id in row.case.forbidden_sources
    )
