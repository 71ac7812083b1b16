"""What hard relevance filters removed before retrieval ran, and whether they were the right ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from beleg.core.errors import EvidenceError
from beleg.core.manifest import Setting
from beleg.core.score import Score, ScoreColumn, ScoreStatus
from beleg.core.trace import FilterKind, Stage
from beleg.metrics.batch import Batch, Row, passages_of
from beleg.metrics.ranks import list_fault, ranked_documents
from beleg.metrics.retrieval.entitlement import admitted, may_see, predicates_of

Pair = tuple[str, Setting]


class ExclusionRate(NamedTuple):
    """A rate with its denominator: the queries that have gold the caller may see."""

    rate: float
    eligible: int
    excluded: tuple[str, ...]


class FilteredQuery(NamedTuple):
    """One query with its gold documents and the relevance filter that was applied."""

    query_id: str
    gold: frozenset[str]
    survives: Callable[[Mapping[str, Setting]], bool]


def false_exclusion_rate(
    queries: Iterable[FilteredQuery], eligible_documents: Mapping[str, Mapping[str, Setting]]
) -> ExclusionRate:
    """Share of the queries of which no eligible gold document survives the relevance filter.

    Formula: queries whose eligible gold was all removed / queries with eligible gold. A document that the caller may
    not see is no false exclusion, so gold is first cut to the eligible documents.
    Range: 0 to 1, lower is better. Undefined: without a query that has eligible gold.

    Args:
        queries: queries with gold and filter.
        eligible_documents: metadata of every document the caller may see.

    Returns:
        The rate, its denominator and the queries that lost all gold.

    Raises:
        EvidenceError: if no query has eligible gold; a rate over nothing is missing evidence, not 0.

    Example:
        >>> documents = {"d1": {"locale": "en-US"}, "d2": {"locale": "en-GB"}}
        >>> american = FilteredQuery("q1", frozenset({"d2"}), lambda metadata: metadata["locale"] == "en-US")
        >>> false_exclusion_rate([american], documents).rate
        1.0
    """
    with_gold, excluded = 0, []
    for query in queries:
        gold = query.gold & eligible_documents.keys()
        if gold:
            with_gold += 1
            if not any(query.survives(eligible_documents[name]) for name in gold):
                excluded.append(query.query_id)
    if not with_gold:
        raise EvidenceError(
            "no query has gold that its caller may see, so there is no false exclusion rate",
            hint="Add queries whose gold documents are eligible",
        )
    return ExclusionRate(len(excluded) / with_gold, with_gold, tuple(excluded))


def predicate_scores(predicted: Iterable[Pair], expected: Iterable[Pair]) -> tuple[Score, Score]:
    """Precision and recall of filter predicates as (field, value) pairs.

    A wrong value counts against both. Range: 0 to 1, higher is better. Undefined: precision when nothing was
    applied, recall when nothing was expected; an empty denominator is no 0.

    Args:
        predicted: the pairs that were applied.
        expected: the pairs that were right.

    Returns:
        Precision, then recall.

    Example:
        >>> precision, recall = predicate_scores(
        ...     [("tenant", "acme"), ("locale", "en-US")], [("tenant", "globex"), ("locale", "en-US")])
        >>> precision.value, recall.value
        (0.5, 0.5)
    """
    applied, right = set(predicted), set(expected)
    shared = len(applied & right)
    precision = (
        Score.of(shared / len(applied))
        if applied
        else Score.without(ScoreStatus.NOT_APPLICABLE, "no predicate was applied")
    )
    recall = (
        Score.of(shared / len(right))
        if right
        else Score.without(ScoreStatus.NOT_APPLICABLE, "no predicate was expected")
    )
    return precision, recall


def false_exclusion_column(batch: Batch) -> ScoreColumn:
    """1 when no gold document that the principal may see survives the hard relevance filters, else 0.

    The mean is the false exclusion rate. Lower is better. Undefined: without gold or without eligible gold; missing
    when filters, or metadata that decides, were not recorded.
    """
    return batch.column(lambda row: _exclusion(row, batch, _all_removed))


def document_exclusion_column(batch: Batch) -> ScoreColumn:
    """Share of the gold documents that the principal may see which the hard relevance filters removed.

    Range: 0 to 1, lower is better. Undefined as for `false_exclusion_column`.
    """
    return batch.column(lambda row: _exclusion(row, batch, _share_removed))


def eligible_recall_column(batch: Batch, *, k: int, stage: str | None = None) -> ScoreColumn:
    """Recall over the gold documents that the principal may see, whatever the relevance filters removed.

    Formula: eligible gold documents in the top k documents / eligible gold documents. The denominator is the set
    before filtering; one rebuilt from the survivors would hide what a filter lost.
    Range: 0 to 1, higher is better. Undefined: without gold or without eligible gold; missing when eligibility
    or the stage was not recorded; invalid for a list that contradicts itself.
    """
    return batch.column(lambda row: _eligible_recall(row, batch, k, stage))


def predicate_precision_column(batch: Batch) -> ScoreColumn:
    """`predicate_scores`, precision: applied relevance predicates that were expected / applied."""
    return batch.column(lambda row: _predicates(row, 0))


def predicate_recall_column(batch: Batch) -> ScoreColumn:
    """`predicate_scores`, recall: expected predicates that were applied / expected."""
    return batch.column(lambda row: _predicates(row, 1))


Fates = Sequence[bool | None]
"""Whether each eligible gold document survived; ``None`` where that is not known."""


def _exclusion(row: Row, batch: Batch, summarise: Callable[[Fates], float | None]) -> Score:
    gold = gold_documents(row, batch)
    if not gold:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects no evidence")
    if row.output.filters is None:
        return Score.without(ScoreStatus.MISSING, "filters were not recorded")
    eligible = {name: _eligible(row, batch, name) for name in gold}
    if all(seen is False for seen in eligible.values()):
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the principal may see none of the gold documents")
    predicates = predicates_of(row.output, FilterKind.RELEVANCE)
    if not predicates:
        return Score.of(0.0)
    fates = [
        admitted(predicates, batch.metadata(row, name)) if seen else None
        for name, seen in eligible.items()
        if seen is not False
    ]
    value = summarise(fates)
    if value is None:
        return Score.without(ScoreStatus.MISSING, "the metadata of a gold document was not recorded")
    return Score.of(value)


def _all_removed(fates: Fates) -> float | None:
    if True in fates:
        return 0.0
    return None if None in fates else 1.0


def _share_removed(fates: Fates) -> float | None:
    return None if None in fates else sum(not fate for fate in fates) / len(fates)


def gold_documents(row: Row, batch: Batch) -> list[str]:
    """The gold documents; a passage whose parent nobody knows stands for itself."""
    seen = [passage for _, passage in row.passages()]
    named = (
        batch.matcher.document_of(expected, seen) or expected.passage_id for expected in row.case.expected_passages
    )
    return list(dict.fromkeys(name for name in named if name is not None))


def _eligible(row: Row, batch: Batch, document_id: str) -> bool | None:
    return may_see(row, document_id, batch.metadata(row, document_id))


def _eligible_recall(row: Row, batch: Batch, k: int, stage: str | None) -> Score:
    gold = {name: _eligible(row, batch, name) for name in gold_documents(row, batch)}
    if not gold:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case expects no evidence")
    if None in gold.values():
        return Score.without(ScoreStatus.MISSING, "whether the principal may see a gold document was not recorded")
    eligible = {name for name, seen in gold.items() if seen}
    if not eligible:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the principal may see none of the gold documents")
    passages = passages_of(row.output, None if stage is None else Stage(stage))
    if passages is None:
        return Score.without(ScoreStatus.MISSING, f"the stage {stage} was not recorded")
    fault = list_fault(passages)
    if fault is not None:
        return Score.without(ScoreStatus.INVALID, fault)
    return Score.of(len(eligible.intersection(ranked_documents(passages)[:k])) / len(eligible))


def _predicates(row: Row, which: int) -> Score:
    if row.case.expected_filters is None:
        return Score.without(ScoreStatus.NOT_APPLICABLE, "the case does not say which filters are right")
    if row.output.filters is None:
        return Score.without(ScoreStatus.MISSING, "filters were not recorded")
    applied = (
        (item.field, value_text(value))
        for item in row.output.filters
        if item.kind is FilterKind.RELEVANCE
        for value in item.values
    )
    expected = ((item.field, item.value) for item in row.case.expected_filters)
    return predicate_scores(applied, expected)[which]


def value_text(value: Setting) -> str:
    """A predicate's value as a suite writes it: like JSON, without quotes."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
