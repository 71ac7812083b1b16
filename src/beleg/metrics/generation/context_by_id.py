"""Delivered passages against the expected ones by their ids, without a judge (A2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from beleg.core.case import ExpectedPassage
from beleg.core.score import STATUS_CODE, Score, ScoreColumn, ScoreStatus
from beleg.core.trace import Passage
from beleg.metrics.batch import Batch, Row

Counts = npt.NDArray[np.float64]

NOTHING_EXPECTED = "the case expects no evidence"
NO_COMMON_IDS = "the expected evidence does not name ids of one kind throughout"
NOTHING_REQUIRED = "the case requires no evidence"


def id_based_context_precision(delivered: Iterable[str], expected: Iterable[str]) -> Score:
    """Share of the delivered ids that are expected ones.

    Formula: |delivered ∩ expected| / |delivered|, as sets; order does not count. Same definition as Ragas'
    IDBasedContextPrecision, but 0 where nothing was delivered, which is NaN there. Range: 0 to 1, higher is better.
    Undefined (``not_applicable``) where nothing is expected.

    Args:
        delivered: the ids that were delivered.
        expected: the ids that were expected.

    Example:
        >>> id_based_context_precision(["a", "b", "c", "d"], ["a", "c", "x"]).value
        0.5
    """
    found, wanted = set(delivered), set(expected)
    if not wanted:
        return Score.without(ScoreStatus.NOT_APPLICABLE, NOTHING_EXPECTED)
    return Score.of(len(found & wanted) / len(found)) if found else Score.of(0.0)


def id_based_context_recall(delivered: Iterable[str], expected: Iterable[str]) -> Score:
    """Share of the expected ids that were delivered.

    Formula: |delivered ∩ expected| / |expected|, as sets. Same definition as Ragas' IDBasedContextRecall. Range: 0 to
    1, higher is better; 0 where nothing was delivered. Undefined (``not_applicable``) where nothing is expected.

    Args:
        delivered: the ids that were delivered.
        expected: the ids that were expected.

    Example:
        >>> id_based_context_recall(["a", "b"], ["a", "c", "x", "y"]).value
        0.25
    """
    found, wanted = set(delivered), set(expected)
    if not wanted:
        return Score.without(ScoreStatus.NOT_APPLICABLE, NOTHING_EXPECTED)
    return Score.of(len(found & wanted) / len(wanted))


def id_based_context_precision_column(batch: Batch, *, ids: str | None = None) -> ScoreColumn:
    """`id_based_context_precision` of every row, over the last list of passages that it has.

    ``ids`` is ``passage`` or ``document``; left out, passages where all expected evidence names passages, else
    documents. Undefined: where a case expects nothing or its evidence does not name such ids.
    """
    return _ratio(batch, ids, _precision_counts)


def id_based_context_recall_column(batch: Batch, *, ids: str | None = None) -> ScoreColumn:
    """`id_based_context_recall` of every row over its required evidence; of one ``any_of`` label one piece suffices.

    ``ids`` and undefined as in `id_based_context_precision_column`, and where a case requires nothing.
    """
    return _ratio(batch, ids, _recall_counts)


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of ids: how expected evidence and delivered passages name it."""

    of_expected: Callable[[ExpectedPassage], str | None]
    of_delivered: Callable[[Sequence[Passage]], set[str]]


_KINDS = {
    "passage": _Kind(
        lambda expected: expected.passage_id, lambda passages: {passage.passage_id for passage in passages}
    ),
    "document": _Kind(
        lambda expected: expected.document_id, lambda passages: {passage.document_id for passage in passages}
    ),
}

Named = list[tuple[ExpectedPassage, str]]
Counter = Callable[[Named, set[str]], tuple[int, int]]


def _precision_counts(named: Named, found: set[str]) -> tuple[int, int]:
    wanted = {name for _, name in named}
    return len(found & wanted), max(len(found), 1)


def _recall_counts(named: Named, found: set[str]) -> tuple[int, int]:
    pieces: dict[tuple[str, str], bool] = {}
    required: set[tuple[str, str]] = set()
    for expected, name in named:
        piece = ("any_of", expected.any_of) if expected.any_of is not None else ("id", name)
        pieces[piece] = pieces.get(piece, False) or name in found
        if expected.required:
            required.add(piece)
    return sum(pieces[piece] for piece in required), len(required)


def _named(expected: Sequence[ExpectedPassage], ids: str | None) -> tuple[Named, _Kind] | None:
    for kind in (_KINDS[ids],) if ids is not None else _KINDS.values():
        named = [(piece, name) for piece in expected if (name := kind.of_expected(piece)) is not None]
        if len(named) == len(expected):
            return named, kind
    return None


def _ratio(batch: Batch, ids: str | None, counts: Counter) -> ScoreColumn:
    status = np.full(len(batch), STATUS_CODE[ScoreStatus.SCORED], dtype=np.uint8)
    details: dict[int, str] = {}
    hits, sizes = np.zeros(len(batch)), np.ones(len(batch))
    for number, row in enumerate(batch.rows):
        reason = row if isinstance(row, Score) else None
        if isinstance(row, Row):
            found = _count(row, ids, counts)
            if isinstance(found, str):
                reason = Score.without(ScoreStatus.NOT_APPLICABLE, found)
            else:
                hits[number], sizes[number] = found
        if reason is not None:
            status[number] = STATUS_CODE[reason.status]
            if reason.detail is not None:
                details[number] = reason.detail
    parts = ScoreColumn.from_parts(hits / sizes, status)
    return ScoreColumn(status=parts.status, values=parts.values, details=details)


def _count(row: Row, ids: str | None, counts: Counter) -> tuple[int, int] | str:
    expected = row.case.expected_passages
    if not expected:
        return NOTHING_EXPECTED
    known = _named(expected, ids)
    if known is None:
        return NO_COMMON_IDS
    named, kind = known
    found, size = counts(named, kind.of_delivered(row.output.final_passages()))
    return (found, size) if size else NOTHING_REQUIRED
