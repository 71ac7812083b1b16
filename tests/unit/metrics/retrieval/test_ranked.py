from __future__ import annotations

from collections.abc import Callable
from math import log2
from statistics import mean

import pytest

from beleg.core.errors import DataError, UsageError
from beleg.core.score import Score, ScoreStatus
from beleg.metrics.batch import Batch
from beleg.metrics.catalogue import compute
from beleg.metrics.retrieval.ranked import (
    average_precision,
    hit,
    judged,
    ndcg,
    precision,
    r_precision,
    recall,
    reciprocal_rank,
)
from unit.metrics.building import case, gold, listed, one, trace

GOLD = {"q1": {"d3"}, "q2": {"d7", "d2"}, "q3": {"d11"}, "q4": {"d5"}}
RUNS = {
    "q1": "d8 d3 d1 d4 d2 d9 d6 d10 d12 d13".split(),  # noqa: SIM905 - reads like the run it is
    "q2": "d2 d6 d4 d7 d1 d3 d8 d11 d5 d9".split(),  # noqa: SIM905
    "q3": "d11 d2 d3 d4 d1 d6 d7 d8 d10 d12".split(),  # noqa: SIM905
    "q4": "d1 d2 d3 d6 d8 d9 d10 d12 d13 d14".split(),  # noqa: SIM905
}


def article() -> Batch:
    cases = [case(*(gold(name) for name in sorted(names)), case_id=query) for query, names in GOLD.items()]
    return Batch.of(cases, [trace(query, retrieved=listed(*RUNS[query])) for query in GOLD])


def test_the_figures_of_the_article() -> None:
    columns = compute(["recall@5", "mrr", "ndcg@5"], article())
    assert [round(float(column.values.mean()), 3) for column in columns.values()] == [0.750, 0.625, 0.627]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall@5", [1, 1, 1, 0]),
        ("ndcg@5", [0.630930, 0.877215, 1, 0]),
        ("mrr", [0.5, 1, 1, 0]),
        ("map", [0.5, 0.75, 1, 0]),
    ],
)
def test_the_companion_figures_per_query(metric: str, expected: list[float]) -> None:
    assert compute([metric], article())[metric].values.tolist() == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("precision@5", 0.20), ("hit@5", 0.75), ("map", 0.5625),
        ("recall@1", 0.375), ("precision@1", 0.5), ("hit@1", 0.5), ("ndcg@1", 0.5),
        ("recall@3", 0.625), ("precision@3", 0.25), ("hit@3", 0.75), ("ndcg@3", 0.561019),
        ("recall@10", 0.75), ("precision@10", 0.10), ("hit@10", 0.75), ("ndcg@10", 0.627036),
    ],
)  # fmt: skip
def test_the_companion_figures_at_every_cut(metric: str, expected: float) -> None:
    assert float(compute([metric], article())[metric].values.mean()) == pytest.approx(expected, abs=5e-7)


def test_single_lists_give_the_same_figures() -> None:
    assert mean(recall(RUNS[query], GOLD[query], 5).value or 0 for query in GOLD) == 0.75
    assert mean(reciprocal_rank(RUNS[query], GOLD[query]).value or 0 for query in GOLD) == 0.625
    assert mean(ndcg(RUNS[query], GOLD[query], 5).value or 0 for query in GOLD) == pytest.approx(0.627036, abs=5e-7)


def test_a_query_that_is_not_in_the_run_scores_nothing_and_stays_in_the_denominator() -> None:
    # Companion row 4, where the missing run is an answered query with an empty list.
    cases = [case(gold("d"), case_id="a"), case(gold("e"), case_id="b")]
    empty = Batch.of(cases, [trace("a", retrieved=listed("d")), trace("b")])
    assert compute(["recall@5"], empty)["recall@5"].values.mean() == 0.5
    absent = compute(["recall@5"], Batch.of(cases, [trace("a", retrieved=listed("d")), None]))["recall@5"]
    assert absent.counts() == {ScoreStatus.SCORED: 1, ScoreStatus.MISSING: 1}


def test_graded_gain_is_linear_and_the_ideal_is_cut_at_k() -> None:
    grades = {"a": 3, "b": 2, "c": 1}
    reverse = ["c", "b", "a"]
    gained = 1 + 2 / log2(3) + 3 / 2
    assert ndcg(reverse, grades).value == pytest.approx(gained / (3 + 2 / log2(3) + 1 / 2))
    assert ndcg(reverse, grades, 1).value == pytest.approx(1 / 3)
    assert ndcg(["a"], grades, 1).value == 1.0


def test_a_list_that_ends_early_is_divided_by_k_and_by_all_that_is_relevant() -> None:
    both, three = ["d1", "d2"], {"d1", "d2", "d3"}
    assert precision(both, three, 5).value == 0.4
    assert recall(both, three, 5).value == pytest.approx(2 / 3)
    assert average_precision(both, three).value == pytest.approx(2 / 3)
    assert average_precision(both, three, 1).value == pytest.approx(1 / 3)
    assert r_precision(both, three).value == pytest.approx(2 / 3)
    assert judged([*both, "x"], three, 10).value == pytest.approx(2 / 3)


def test_cuts_end_the_list() -> None:
    assert reciprocal_rank(["x", "d"], {"d"}, 1).value == 0.0
    assert hit(["x", "d"], {"d"}, 2).value == 1.0
    assert judged(["x", "d"], {"d"}, 1).value == 0.0
    assert precision(["x", "d"], {"d"}).value == 0.5


ALL: list[Callable[..., Score]] = [
    recall, precision, hit, reciprocal_rank, average_precision, ndcg, r_precision, judged,
]  # fmt: skip


@pytest.mark.parametrize("measure", ALL)
def test_every_measure_refuses_repeats_and_has_no_figure_without_gold(measure: Callable[..., Score]) -> None:
    assert measure([], {"d"}).value == 0.0
    assert measure(["d"], set()).status is ScoreStatus.NOT_APPLICABLE
    with pytest.raises(DataError, match="same id twice"):
        measure(["d", "d"], {"d"})
    with pytest.raises(UsageError, match="at least 1"):
        measure(["d"], {"d": 0})


@pytest.mark.parametrize("measure", [recall, precision, hit, reciprocal_rank, average_precision, ndcg, judged])
@pytest.mark.parametrize("k", [0, -1])
def test_a_cut_below_one_is_refused(measure: Callable[..., Score], k: int) -> None:
    with pytest.raises(UsageError, match="k counts ranks from 1"):
        measure(["d"], {"d"}, k)


def test_a_stage_can_be_chosen() -> None:
    batch = one(case(gold("d")), retrieved=listed("d"), reranked=listed("e", "d"), delivered=listed("e"))
    names = ["hit@1", "hit@1(stage=retrieved)", "hit@1(stage=reranked)", "hit@2(stage=reranked)"]
    assert [column.score_at(0).value for column in compute(names, batch).values()] == [0.0, 1.0, 0.0, 1.0]


def test_an_invalid_list_tells_what_is_wrong_with_it() -> None:
    score = compute(["mrr"], one(case(gold("d")), retrieved=listed("d", "d")))["mrr"].score_at(0)
    assert score == Score.without(ScoreStatus.INVALID, "passage 'd#0' stands twice in the ranked list")
