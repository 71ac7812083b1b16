"""Whether it matters where in the context the evidence stands: lost in the middle, and what reordering does (Q10)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from beleg.app.answers.figures import (
    Figure,
    ScoredAnswers,
    interval_json,
    mean_figure,
    mean_interval,
    scored_answers,
    sorted_reasons,
)
from beleg.core.errors import EvidenceError
from beleg.core.score import Score
from beleg.metrics.batch import Batch, Row
from beleg.metrics.catalogue import compute
from beleg.metrics.context.gold import gold_rank
from beleg.metrics.positions import SHORTEST, THIRDS, Third
from beleg.stats.intervals import Interval
from beleg.stats.square_and_add import difference_interval

MAX_RANKS = 20
"""Ranks from here on are taken together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reordering:
    """The same passages in another order: other run minus this one, row by row."""

    other: str
    difference: Interval | None
    pairs: int
    same_order: int
    """Rows whose passages stand in the same order in both runs."""
    other_passages: int
    """Rows whose passages differ, or that one of the runs lacks or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionReport:
    """Correctness by the place of the evidence."""

    run_id: str
    answers: ScoredAnswers
    thirds: dict[Third, Figure]
    ranks: dict[str, Figure]
    coverage: dict[Third, Figure]
    """Share of the delivered passages of each third that the answers cite."""
    middle_difference: Interval | None
    """Middle minus begin and end together; ``None`` where a side has no score."""
    left_out: dict[str, int]
    """Rows that have no place in the thirds, by reason."""
    reordering: Reordering | None

    def to_json(self) -> dict[str, Any]:
        """One object with every figure."""
        found: dict[str, Any] = {
            "run_id": self.run_id,
            "metric": self.answers.metric,
            "thirds": {str(third): figure.to_json() for third, figure in self.thirds.items()},
            "middle_minus_edges": interval_json(self.middle_difference),
            "ranks": {rank: figure.to_json() for rank, figure in self.ranks.items()},
            "citation_coverage": {str(third): figure.to_json() for third, figure in self.coverage.items()},
            "left_out": self.left_out,
        }
        if self.reordering is not None:
            found["reordering"] = {
                "other": self.reordering.other,
                "difference": interval_json(self.reordering.difference),
                "pairs": self.reordering.pairs,
                "same_order": self.reordering.same_order,
                "other_passages": self.reordering.other_passages,
            }
        return found


def positions_of_run(path: Path, *, metric: str = "token_f1", against: Path | None = None) -> PositionReport:
    """Correctness by the place where the delivered evidence is complete, in thirds and by rank.

    Cases with the evidence in one place are other cases than those with it elsewhere, so that a difference may come
    from the cases: to prove an effect of order, deliver the same passages in another order and give that run as
    ``against``.

    Args:
        path: the folder of the run.
        metric: a measure of correctness from 0 to 1.
        against: a run on the same cases that delivers the same passages in another order.

    Raises:
        UsageError: for a folder without a run, or a measure that is none of correctness.
        EvidenceError: if a run is damaged, or no row of both runs has the same passages in another order.
    """
    answers = scored_answers(path, metric)
    batch = answers.run.batch
    places = [row if isinstance(row, Score) else gold_rank(row, batch.matcher) for row in batch.rows]
    ranks = np.array([0 if place.value is None else int(place.value) for place in places])
    thirds = [place.detail if place.value is not None else None for place in places]
    in_third = {third: np.array([found == third for found in thirds], dtype=np.bool_) for third in THIRDS}
    edges = in_third[Third.BEGIN] | in_third[Third.END]
    middle, outer = answers.figure(in_third[Third.MIDDLE]).interval, answers.figure(edges).interval
    return PositionReport(
        run_id=answers.run.evaluation.header.run_id,
        answers=answers,
        thirds={third: answers.figure(rows) for third, rows in in_third.items()},
        ranks=_by_rank(answers, ranks),
        coverage=_coverage(batch, answers.clusters),
        middle_difference=None if middle is None or outer is None else difference_interval(middle, outer),
        left_out=_left_out(places, thirds),
        reordering=None if against is None else _reordered(answers, scored_answers(against, metric)),
    )


def _by_rank(answers: ScoredAnswers, ranks: npt.NDArray[np.intp]) -> dict[str, Figure]:
    named = {str(rank): ranks == rank for rank in range(1, MAX_RANKS)}
    named[f"{MAX_RANKS}+"] = ranks >= MAX_RANKS
    return {name: answers.figure(rows) for name, rows in named.items() if rows.any()}


def _left_out(places: list[Score], thirds: list[str | None]) -> dict[str, int]:
    short = f"fewer than {SHORTEST} passages were delivered"
    reasons: Counter[str] = Counter()
    for place, third in zip(places, thirds, strict=True):
        if place.value is None:
            reasons[place.detail or place.status.value] += 1
        elif third is None:
            reasons[short] += 1
    return sorted_reasons(reasons)


def _coverage(batch: Batch, clusters: npt.NDArray[np.intp]) -> dict[Third, Figure]:
    found = compute([f"citation_coverage(third={third})" for third in THIRDS], batch)
    return {third: mean_figure(column, clusters) for third, column in zip(THIRDS, found.values(), strict=True)}


def _reordered(answers: ScoredAnswers, other: ScoredAnswers) -> Reordering:
    differences, clusters, same, unlike = [], [], 0, 0
    theirs = {_key(row): (at, row) for at, row in enumerate(other.run.batch.rows) if isinstance(row, Row)}
    for at, row in enumerate(answers.run.batch.rows):
        if not isinstance(row, Row):
            unlike += 1
            continue
        found = theirs.get(_key(row))
        lists = None if found is None else (_passages(row), _passages(found[1]))
        if found is None or lists is None or sorted(lists[0]) != sorted(lists[1]):
            unlike += 1
        elif lists[0] == lists[1]:
            same += 1
        else:
            here, there = answers.column.score_at(at).value, other.column.score_at(found[0]).value
            if here is not None and there is not None:
                differences.append(there - here)
                clusters.append(answers.clusters[at])
    if not differences:
        raise EvidenceError(
            "no row of both runs has the same passages in another order and a score",
            hint="Run the same cases with the same passages, ordered differently",
        )
    values = np.array(differences)
    return Reordering(
        other=other.run.evaluation.header.run_id,
        difference=mean_interval(values, np.array(clusters, dtype=np.intp), bounds=(-1.0, 1.0)),
        pairs=len(values),
        same_order=same,
        other_passages=unlike,
    )


def _key(row: Row) -> tuple[str, int]:
    return row.case.case_id, row.trace.repeat


def _passages(row: Row) -> list[tuple[str, str]]:
    return [(passage.passage_id, passage.text or "") for passage in row.output.final_passages()]
