"""Ranked lists of a run as columns, with the relevance of every position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from beleg.core.case import Case, ExpectedPassage
from beleg.core.ranking import fold_to_parents
from beleg.core.score import STATUS_CODE, ScoreColumn, ScoreStatus
from beleg.core.suite import RelevanceUnit
from beleg.core.trace import Passage
from beleg.metrics.matching import EvidenceMatcher
from beleg.metrics.ranking_runs.matching import Hits
from beleg.metrics.ranking_runs.ranked import Ranked

FloatColumn = npt.NDArray[np.float64]
IntColumn = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankedRow:
    """One ranked list: grade and judgement of each position, and the grades a perfect list would show."""

    grades: tuple[int, ...] = ()
    judged: tuple[bool, ...] = ()
    ideal: tuple[int, ...] = ()
    status: ScoreStatus = ScoreStatus.SCORED
    detail: str | None = None

    @classmethod
    def without(cls, status: ScoreStatus, detail: str | None = None) -> RankedRow:
        """A row that has no list to judge."""
        return cls(status=status, detail=detail)


@dataclass(frozen=True, eq=False)
class RankedColumns:
    """All ranked lists of a run, one after the other (compressed rows).

    Row ``i`` holds the positions ``offsets[i]`` to ``offsets[i + 1]``; rows without a score hold none.
    ``ideal`` holds the grades of all relevant items of a row in falling order, by ``ideal_offsets``.
    """

    offsets: IntColumn
    grades: FloatColumn
    judged: npt.NDArray[np.bool_]
    ideal_offsets: IntColumn
    ideal: FloatColumn
    status: npt.NDArray[np.uint8]
    details: Mapping[int, str]

    @classmethod
    def from_rows(cls, rows: Sequence[RankedRow]) -> RankedColumns:
        """Lays rows out as columns."""
        return cls(
            offsets=_offsets([len(row.grades) for row in rows]),
            grades=np.array([grade for row in rows for grade in row.grades], dtype=np.float64),
            judged=np.array([judged for row in rows for judged in row.judged], dtype=np.bool_),
            ideal_offsets=_offsets([len(row.ideal) for row in rows]),
            ideal=np.array([grade for row in rows for grade in row.ideal], dtype=np.float64),
            status=np.array([STATUS_CODE[row.status] for row in rows], dtype=np.uint8),
            details={number: row.detail for number, row in enumerate(rows) if row.detail is not None},
        )

    @cached_property
    def lengths(self) -> IntColumn:
        """How many items each row lists."""
        return np.diff(self.offsets)

    @cached_property
    def relevant(self) -> IntColumn:
        """How many relevant items each row has, listed or not."""
        return np.diff(self.ideal_offsets)

    @cached_property
    def rows(self) -> IntColumn:
        """The row of each position."""
        return np.repeat(np.arange(len(self.status)), self.lengths)

    @cached_property
    def ranks(self) -> IntColumn:
        """The rank of each position within its row, from 1."""
        return np.arange(len(self.grades)) - self.offsets[self.rows] + 1

    @cached_property
    def as_hits(self) -> Ranked:
        """The lists as judged documents at their ranks, as measures of ranked runs take them."""
        ideal_rows = np.repeat(np.arange(len(self.status), dtype=np.int32), self.relevant)
        hits = Hits(
            self.rows[self.judged].astype(np.int32),
            self.ranks[self.judged],
            self.grades[self.judged],
            self.lengths,
            extra_queries=0,
        )
        return Ranked(len(self.status), ideal_rows, self.ideal, hits)

    def column(self, values: FloatColumn) -> ScoreColumn:
        """Full-length values as a score column; only scored rows keep theirs."""
        scored = self.status == STATUS_CODE[ScoreStatus.SCORED]
        return ScoreColumn(status=self.status, values=values[scored], details=self.details)


def rank_row(passages: Sequence[Passage], case: Case, matcher: EvidenceMatcher, unit: RelevanceUnit) -> RankedRow:
    """Judges one ranked list of passages against the expectations of its case.

    The order is that of the list; where scores tie it is id descending, as everywhere in Beleg. Scores that are all
    equal say nothing about the order, and the list stands as it was delivered.

    Args:
        passages: the passages of one stage, best first.
        case: the golden case.
        matcher: knows texts and parents.
        unit: whether a rank counts passages or documents.

    Returns:
        The judged row; without a score where the case has no gold, the list contradicts its own scores or repeats
        a passage, or a text that decides is not known.
    """
    if not case.expected_passages:
        return RankedRow.without(ScoreStatus.NOT_APPLICABLE, "the case expects no evidence")
    fault = list_fault(passages)
    if fault is not None:
        return RankedRow.without(ScoreStatus.INVALID, fault)
    if unit is RelevanceUnit.DOCUMENT:
        return _judge_documents(passages, case.expected_passages, matcher)
    return _judge_passages(passages, case.expected_passages, matcher)


def judged_row(ranked_ids: Sequence[str], relevant: Mapping[str, int]) -> RankedRow:
    """A row from ids and grades, for a single list."""
    return RankedRow(
        grades=tuple(relevant.get(name, 0) for name in ranked_ids),
        judged=tuple(name in relevant for name in ranked_ids),
        ideal=tuple(sorted(relevant.values(), reverse=True)),
    )


def list_fault(passages: Sequence[Passage]) -> str | None:
    """What makes a ranked list unusable: a passage that stands twice, or a score above the one before it."""
    seen: set[str] = set()
    for passage in passages:
        if passage.passage_id in seen:
            return f"passage {passage.passage_id!r} stands twice in the ranked list"
        seen.add(passage.passage_id)
    scores = _scores(passages)
    if scores is None:
        return None
    for number, (better, worse) in enumerate(pairwise(scores), start=1):
        if better < worse:
            return f"rank {number} has score {better} and rank {number + 1} has the higher score {worse}"
    return None


def ranked_passages(passages: Sequence[Passage]) -> list[Passage]:
    """Ranked passages in the order that counts: as listed, and where some scores tie by passage id descending."""
    if not _scores_order(passages):
        return list(passages)
    ordered = sorted(passages, key=lambda passage: passage.passage_id, reverse=True)
    return sorted(ordered, key=lambda passage: passage.score or 0.0, reverse=True)


def ranked_documents(passages: Sequence[Passage]) -> list[str]:
    """A ranked list of passages folded to its documents, each at its best rank, ties by document id descending."""
    ranked = fold_to_parents(passage.document_id for passage in passages)
    if _scores_order(passages):
        best = {passage.document_id: passage.score or 0.0 for passage in reversed(passages)}
        ranked.sort(reverse=True)
        ranked.sort(key=best.__getitem__, reverse=True)
    return ranked


def _offsets(lengths: list[int]) -> IntColumn:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.array(lengths, dtype=np.int64))])


def _scores(passages: Sequence[Passage]) -> list[float] | None:
    """The scores, or ``None`` where the order given is all there is."""
    scores = [passage.score for passage in passages if passage.score is not None]
    return scores if len(scores) == len(passages) else None


def _scores_order(passages: Sequence[Passage]) -> bool:
    """Whether the scores say anything about the order: one placeholder for all passages does not."""
    return len(set(_scores(passages) or ())) > 1


def _judge_documents(
    passages: Sequence[Passage], expectations: Sequence[ExpectedPassage], matcher: EvidenceMatcher
) -> RankedRow:
    relevant: dict[str, int] = {}
    for expected in expectations:
        # A passage whose parent nobody knows was not found, and counts as a document of its own.
        name = matcher.document_of(expected, passages) or f"passage {expected.passage_id}"
        relevant[name] = max(relevant.get(name, 0), expected.grade)
    return judged_row(ranked_documents(passages), relevant)


def _judge_passages(
    passages: Sequence[Passage], expectations: Sequence[ExpectedPassage], matcher: EvidenceMatcher
) -> RankedRow:
    merged: dict[tuple[str | None, str | None, str | None], ExpectedPassage] = {}
    for expected in sorted(expectations, key=lambda item: item.grade):
        merged[expected.document_id, expected.passage_id, expected.quote] = expected
    open_items = dict(merged)
    grades: list[int] = []
    judged: list[bool] = []
    for passage in ranked_passages(passages):
        matches = []
        for key, expected in merged.items():
            held = _relevant(matcher, passage, expected)
            if held is None:
                return RankedRow.without(ScoreStatus.MISSING, f"the text of {passage.passage_id!r} was not recorded")
            if held:
                matches.append(key)
        taken = [open_items.pop(key).grade for key in matches if key in open_items]
        grades.append(max(taken, default=0))
        judged.append(bool(matches))
    # Expectations that one passage meets together are one relevant item, so that a perfect list reaches 1.
    ideal = [grade for grade in grades if grade] + [expected.grade for expected in open_items.values()]
    return RankedRow(grades=tuple(grades), judged=tuple(judged), ideal=tuple(sorted(ideal, reverse=True)))


def _relevant(matcher: EvidenceMatcher, passage: Passage, expected: ExpectedPassage) -> bool | None:
    if expected.passage_id is not None:
        return passage.passage_id == expected.passage_id
    return matcher.holds(passage, expected)
