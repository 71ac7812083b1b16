"""What the index finds is what looking through all cases finds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from beleg.adapters.stores.run_index import SqliteRunIndex
from beleg.core.case import Case
from beleg.core.errors import UsageError
from beleg.core.run_index import CaseDetail, CaseQuery, CaseToIndex, RunSummary, ScoresToIndex
from beleg.core.score import ScoreStatus

SUMMARY = RunSummary(expected=1, finished=1, failed=0)
METRICS = ("mrr", "map")
QUESTIONS = ("Straße 50%", "a_b", "GEBÜHR", "x\\y")
TEXTS = ("", "", "strasse", "0%", "A_B", "\\", "gebühr")
REASONS = (ScoreStatus.TIMEOUT, ScoreStatus.MISSING)


@dataclass(frozen=True)
class Known:
    """A case as the test knows it."""

    number: int
    case_id: str
    question: str
    status: str
    lost_at: str | None
    segments: tuple[str, ...]
    values: dict[str, float | ScoreStatus]


def made(seed: int, count: int = 90) -> list[Known]:
    draw = random.Random(seed)
    return [
        Known(
            number, f"Fall-{number}", draw.choice(QUESTIONS), draw.choice(("ok", "error")),
            draw.choice((None, "filtered", "cited")), draw.choice(((), ("l=de",), ("l=de", "t=1"))),
            {m: draw.choice(REASONS) if draw.random() < 0.3 else draw.randrange(4) / 4 for m in METRICS},
        )
        for number in range(count)
    ]  # fmt: skip


def stored(index: SqliteRunIndex, run_id: str, known: list[Known]) -> None:
    index.replace(
        run_id, "digest", SUMMARY,
        (
            CaseToIndex(
                case_id=each.case_id, question=each.question, status=each.status, lost_at=each.lost_at,
                segments=each.segments, traces=(),
                detail=CaseDetail(case=Case(case_id=each.case_id, user_input=each.question)),
            )
            for each in known
        ),
        (
            ScoresToIndex(
                metric=metric,
                values=tuple(v if isinstance(v := each.values[metric], float) else None for each in known),
                reasons=tuple(v if isinstance(v := each.values[metric], ScoreStatus) else None for each in known),
            )
            for metric in METRICS
        ),
    )  # fmt: skip


def by_hand(known: list[Known], query: CaseQuery) -> list[Known]:
    """The same question answered by looking at every case."""

    def is_missing(each: Known) -> bool:
        metrics = METRICS if query.reason_metric is None else (query.reason_metric,)
        return any(isinstance(each.values[m], ScoreStatus) and query.reason in (None, each.values[m]) for m in metrics)

    found = [
        each
        for each in known
        if (query.segment is None or query.segment in each.segments)
        and query.status in (None, each.status)
        and query.lost_at in (None, each.lost_at)
        and ((query.reason is None and query.reason_metric is None) or is_missing(each))
        and query.text.strip().casefold() in f"{each.case_id}\n{each.question}".casefold()
    ]
    if query.sort is None:
        return found[::-1] if query.descending else found
    metric = query.sort
    scored = [each for each in found if isinstance(each.values[metric], float)]
    scored.sort(key=lambda each: (each.values[metric], each.number), reverse=query.descending)
    without = [each for each in found if isinstance(each.values[metric], ScoreStatus)]
    return [*scored, *(without[::-1] if query.descending else without)]


def asked(seed: int) -> CaseQuery:
    draw = random.Random(seed)
    return CaseQuery(
        segment=draw.choice((None, None, "l=de", "t=1", "none")), status=draw.choice((None, None, "ok")),
        lost_at=draw.choice((None, None, "cited")), reason=draw.choice((None, None, *REASONS)),
        reason_metric=draw.choice((None, None, *METRICS)), text=draw.choice(TEXTS),
        sort=draw.choice((None, *METRICS)), descending=draw.random() < 0.5, metrics=METRICS,
        offset=draw.choice((0, 0, 7, 40)), limit=draw.choice((1, 5, 50)),
    )  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteRunIndex]:
    opened = SqliteRunIndex(tmp_path / "runs.db")
    yield opened
    opened.close()


def test_any_question_finds_what_looking_through_all_cases_finds(index: SqliteRunIndex) -> None:
    known = made(1)
    stored(index, "other", made(2))
    stored(index, "run", known)
    non_empty = 0
    for seed in range(300):
        query = asked(seed)
        right = by_hand(known, query)
        page = index.find("run", query)
        assert page.total == len(right), query
        wanted = right[query.offset : query.offset + query.limit]
        assert [case.number for case in page.cases] == [each.number for each in wanted], query
        for case, each in zip(page.cases, wanted, strict=True):
            scores = {score.metric: score.reason or score.value for score in case.scores}
            assert scores == each.values
        non_empty += bool(wanted)
    assert non_empty > 100


def test_the_cases_beside_one_are_those_of_the_same_order(index: SqliteRunIndex) -> None:
    known = made(3)
    stored(index, "run", known)
    for seed in range(60):
        query = asked(seed)
        right = [each.case_id for each in by_hand(known, query)]
        for place, case_id in enumerate(right):
            before = right[place - 1] if place else None
            behind = right[place + 1] if place + 1 < len(right) else None
            assert index.neighbours("run", case_id, query) == (before, behind), (query, case_id)


def test_a_metric_that_the_run_does_not_have_is_refused(index: SqliteRunIndex) -> None:
    stored(index, "run", made(1, 3))
    for query in (CaseQuery(sort="no"), CaseQuery(metrics=("no",)), CaseQuery(reason_metric="no")):
        with pytest.raises(UsageError, match="no metric"):
            index.find("run", query)
