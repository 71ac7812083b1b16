"""A pool is the union of the tops of runs; what to judge next follows from it and from a seed alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.pooling import Pool, Stratum, pool_of, promise, sample
from beleg.metrics.ranking_runs.table import table_from_mapping

Run = dict[str, dict[str, float]]
RUN = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.5, 1.0, 2.0])),
)


def long_run(queries: int, documents: int) -> Run:
    return {
        f"q{query}": {f"d{number:03}": float(documents - number) for number in range(documents)}
        for query in range(queries)
    }


def ids(pool: Pool, pairs: np.ndarray) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return list(pool.pairs.ids(pairs))


@given(judged=RUN, runs=st.lists(RUN, min_size=1, max_size=3), depth=st.integers(1, 4))
def test_the_pool_is_the_union_of_the_tops(judged: Run, runs: list[Run], depth: int) -> None:
    tops: dict[tuple[str, str], list[int]] = {}
    for run in runs:
        for query, scores in run.items():
            for rank, (name, _) in enumerate(ranked(scores), start=1):
                if rank <= depth:
                    tops.setdefault((query, name), []).append(rank)
    pool = pool_of(table_from_mapping(judged), [table_from_mapping(run) for run in runs], depth)
    found = np.flatnonzero(pool.runs)
    assert dict(zip(ids(pool, found), pool.runs[found].tolist(), strict=True)) == {
        pair: len(ranks) for pair, ranks in tops.items()
    }
    assert dict(zip(ids(pool, found), pool.best_rank[found].tolist(), strict=True)) == {
        pair: min(ranks) for pair, ranks in tops.items()
    }
    known = {(query, name) for query, row in judged.items() for name in row}
    scope = {query for query, row in judged.items() if row}
    assert set(ids(pool, pool.unjudged(depth))) == {pair for pair in tops if pair not in known and pair[0] in scope}
    assert set(ids(pool, pool.unjudged(depth, all_queries=True))) == {pair for pair in tops if pair not in known}


def test_what_one_run_shows_unjudged_is_counted_for_it_alone() -> None:
    runs = [table_from_mapping({"q": {"a": 3.0, "b": 2.0, "c": 1.0}}), table_from_mapping({"q": {"d": 1.0}})]
    pool = pool_of(table_from_mapping({"q": {"a": 0.0}}), runs, 3)
    assert ids(pool, pool.unjudged_in(0, 2)) == [("q", "b")]
    assert ids(pool, pool.unjudged_in(1, 2)) == [("q", "d")]


def test_a_grade_of_zero_or_less_is_a_judgement() -> None:
    pool = pool_of(
        table_from_mapping({"q": {"a": 0.0, "b": -2.0}}), [table_from_mapping({"q": {"a": 2.0, "b": 1.0}})], 2
    )
    assert not len(pool.unjudged(2))


def test_a_pool_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError):
        pool_of(None, [], 5)
    with pytest.raises(UsageError):
        pool_of(None, [table_from_mapping({})], 0)
    with pytest.raises(UsageError, match="reaches rank 2"):
        pool_of(None, [table_from_mapping({"q": {"a": 1.0}})], 2).unjudged(3)


def test_documents_of_runs_that_were_right_promise_more() -> None:
    good, bad = {"q": {"r1": 9.0, "r2": 8.0, "new1": 7.0}}, {"q": {"n1": 9.0, "n2": 8.0, "new2": 7.0, "new1": 6.0}}
    judged = table_from_mapping({"q": {"r1": 1.0, "r2": 2.0, "n1": 0.0, "n2": 0.0}})
    pool = pool_of(judged, [table_from_mapping(good), table_from_mapping(bad)], 4)
    found = dict(zip(ids(pool, np.arange(len(pool.pairs))), promise(pool).tolist(), strict=True))
    # Two of two relevant is (2 + 1) / (2 + 2), none of two is (0 + 1) / (2 + 2).
    assert found["q", "new2"] == 0.25
    assert found["q", "new1"] == (0.75 + 0.25) / 2


def test_a_sample_takes_all_of_the_first_stratum_and_a_share_of_each_other() -> None:
    pool = pool_of(None, [table_from_mapping(long_run(4, 100))], 100)
    wanted = pool.unjudged(100, all_queries=True)
    strata = [Stratum(10, 1.0), Stratum(50, 0.25), Stratum(100, 0.1)]
    drawn, chance = sample(pool, wanted, strata, np.random.default_rng(3))
    ranks = pool.best_rank[drawn]
    for low, high, share, size in ((1, 10, 1.0, 10), (11, 50, 0.25, 10), (51, 100, 0.1, 5)):
        within = (ranks >= low) & (ranks <= high)
        assert np.bincount(pool.pairs.query[drawn[within]]).tolist() == [size] * 4
        assert chance[within] == pytest.approx(share)


def test_a_sample_follows_its_seed_and_not_the_order_of_the_runs() -> None:
    first, second = table_from_mapping(long_run(3, 40)), table_from_mapping(long_run(2, 60))
    strata = [Stratum(60, 0.2)]

    def drawn(seed: int, *runs: object) -> list[tuple[str, str]]:
        pool = pool_of(None, runs, 60)  # type: ignore[arg-type]
        wanted = pool.unjudged(60, all_queries=True)
        return sorted(ids(pool, sample(pool, wanted[::-1], strata, np.random.default_rng(seed))[0]))

    assert drawn(5, first, second) == drawn(5, second, first)
    assert drawn(5, first, second) != drawn(6, first, second)


def test_every_document_of_a_stratum_has_the_chance_that_is_told() -> None:
    pool = pool_of(None, [table_from_mapping(long_run(1, 20))], 20)
    wanted = pool.unjudged(20, all_queries=True)
    times = np.zeros(len(pool.pairs))
    for seed in range(400):
        drawn, chance = sample(pool, wanted, [Stratum(20, 0.3)], np.random.default_rng(seed))
        assert chance == pytest.approx(0.3)
        times[drawn] += 1
    # 400 draws at 0.3: a standard error of 0.023, and twenty documents.
    assert np.abs(times / 400 - 0.3).max() < 0.08


@pytest.mark.parametrize(
    "strata", [[], [Stratum(0, 1.0)], [Stratum(20, 1.0), Stratum(10, 0.5)], [Stratum(20, 0.0)], [Stratum(20, 1.5)]]
)
def test_strata_that_cannot_be_drawn_are_refused(strata: list[Stratum]) -> None:
    pool = pool_of(None, [table_from_mapping(long_run(1, 5))], 5)
    with pytest.raises(DataError):
        sample(pool, pool.unjudged(5, all_queries=True), strata, np.random.default_rng(0))


def test_a_sample_of_nothing_is_empty() -> None:
    pool = pool_of(None, [table_from_mapping({"q": {}})], 5)
    drawn, chance = sample(pool, pool.unjudged(5, all_queries=True), [Stratum(5, 0.5)], np.random.default_rng(0))
    assert (drawn.tolist(), chance.tolist()) == ([], [])
