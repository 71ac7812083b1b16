"""The pool of several runs: what stands at the top of any of them, what of it is judged, and what to judge next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from beleg.core.errors import DataError, Problem, UsageError
from beleg.metrics.ranking_runs.pairs import Pairs, Rows, pairs_of
from beleg.metrics.ranking_runs.table import FloatArray, IntArray, Table, table_from_mapping

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stratum:
    """Ranks down to a depth of which a share is judged; the ranks of shallower strata do not belong to it."""

    depth: int
    rate: float


@dataclass(frozen=True, eq=False)
class Pool:
    """The pairs of judgements and run tops, and where each run has them.

    The entries (``pair``, ``run``, ``rank``) say: this run has this pair at this rank, ``depth`` or better.
    """

    pairs: Pairs
    grade: FloatArray
    """The grade of every pair; 0 where there is no judgement."""
    is_judged: Mask
    pair: IntArray
    run: IntArray
    rank: IntArray
    depth: int
    n_runs: int

    @cached_property
    def runs(self) -> IntArray:
        """How many runs have each pair within the depth; 0 for one that is only judged."""
        return np.bincount(self.pair, minlength=len(self.pairs))

    @cached_property
    def best_rank(self) -> IntArray:
        """The best rank that any run gives each pair; depth + 1 where none has it."""
        best = np.full(len(self.pairs), self.depth + 1, dtype=np.int64)
        np.minimum.at(best, self.pair, self.rank)
        return best

    @cached_property
    def has_judgements(self) -> Mask:
        """For every query, whether one of its documents is judged."""
        return np.bincount(self.pairs.query[self.is_judged], minlength=len(self.pairs.queries)) > 0

    def unjudged(self, depth: int, *, all_queries: bool = False) -> IntArray:
        """Pairs without judgement that a run has at rank ``depth`` or better.

        Args:
            depth: at most the depth of the pool.
            all_queries: take in queries of which nothing is judged; every figure leaves them out.

        Raises:
            UsageError: if the pool does not reach so deep.
        """
        if not 1 <= depth <= self.depth:
            raise UsageError(f"the pool reaches rank {self.depth}, not {depth}", hint="Make a deeper pool")
        wanted = ~self.is_judged & (self.best_rank <= depth)
        if not all_queries:
            wanted &= self.has_judgements[self.pairs.query]
        return np.asarray(np.flatnonzero(wanted))

    def unjudged_in(self, run: int, depth: int) -> IntArray:
        """Pairs without judgement that one run has at rank ``depth`` or better, in queries that are judged."""
        here = (self.run == run) & (self.rank <= depth)
        found = self.pair[here]
        return np.asarray(found[~self.is_judged[found] & self.has_judgements[self.pairs.query[found]]])


def pool_of(judged: Table | None, runs: Sequence[Table], depth: int) -> Pool:
    """Pools the tops of runs: for each query the union of what they rank at ``depth`` or better.

    Depth-k pooling as the evaluation campaigns do it (Spärck Jones and van Rijsbergen 1975). The order of the runs
    and of their lines does not matter.

    Args:
        judged: the judgements so far; a pair that stands there with any grade is judged. None for none.
        runs: scores by query and document, each pair once.
        depth: how far down each run is pooled.

    Raises:
        UsageError: if the depth is below 1 or there is no run.

    Example:
        >>> judged = table_from_mapping({"q": {"d1": 1.0}})
        >>> runs = [table_from_mapping({"q": {"d1": 9.0, "d2": 8.0}}), table_from_mapping({"q": {"d3": 5.0}})]
        >>> pool = pool_of(judged, runs, depth=2)
        >>> list(pool.pairs.ids(pool.unjudged(2))), pool.best_rank.tolist()
        ([('q', 'd2'), ('q', 'd3')], [1, 2, 1])
    """
    if depth < 1 or not runs:
        raise UsageError("a pool needs a depth of 1 or more and a run", hint="Give a depth such as 20, and a run")
    known = table_from_mapping({}) if judged is None else judged
    parts = [Rows.all_of(known), *(Rows.best_of(run, depth) for run in runs)]
    pairs = pairs_of(parts)
    grade, times = pairs.values(0, known.value)
    sizes = [len(part.rows) for part in parts[1:]]
    return Pool(
        pairs=pairs,
        grade=grade,
        is_judged=times > 0,
        pair=np.concatenate(pairs.parts[1:]),
        run=np.repeat(np.arange(len(runs)), sizes),
        rank=np.concatenate([part.rank for part in parts[1:]]),
        depth=depth,
        n_runs=len(runs),
    )


def promise(pool: Pool) -> FloatArray:
    """How likely each pair is relevant, by how often the runs that have it were right so far on its query.

    Formula: mean over the runs that have the pair of (relevant + 1) / (judged + 2), both counted over the entries of
    that run on the query. It is the posterior mean by which the bandits of Losada, Parapar and Barreiro (2016) choose a
    run; judging a batch and pooling anew plays them in batches. Range: 0 to 1; 0 for a pair that no run has.

    Example:
        >>> judged = table_from_mapping({"q": {"d1": 1.0, "d9": 0.0}})
        >>> good, bad = {"q": {"d1": 2.0, "d2": 1.0}}, {"q": {"d9": 2.0, "d3": 1.0}}
        >>> pool = pool_of(judged, [table_from_mapping(good), table_from_mapping(bad)], depth=2)
        >>> [round(value, 3) for value in promise(pool)[pool.unjudged(2)].tolist()]
        [0.667, 0.333]
    """
    arm = pool.pairs.query[pool.pair].astype(np.int64) * pool.n_runs + pool.run
    judged = pool.is_judged[pool.pair].astype(np.float64)
    right = judged * (pool.grade[pool.pair] >= 1)
    size = len(pool.pairs.queries) * pool.n_runs
    mean = (np.bincount(arm, right, minlength=size) + 1.0) / (np.bincount(arm, judged, minlength=size) + 2.0)
    total = np.bincount(pool.pair, mean[arm], minlength=len(pool.pairs))
    return np.asarray(total / np.maximum(pool.runs, 1), dtype=np.float64)


def sample(
    pool: Pool, wanted: IntArray, strata: Sequence[Stratum], generator: np.random.Generator
) -> tuple[IntArray, FloatArray]:
    """Draws pairs to judge: for each query and stratum of best ranks, a share without replacement.

    Each query gives the nearest whole number to its share, at least one. Such a sample is what inferred measures are
    made for: with one stratum infAP (Yilmaz and Aslam 2006), with several their stratified forms.

    Args:
        pool: the pool.
        wanted: the pairs to draw from; those below the last stratum are left out.
        strata: by depth, ascending; a rate of 1 takes all.
        generator: what draws.

    Returns:
        The drawn pairs in the order of ``wanted``, and the probability with which each was drawn.

    Raises:
        DataError: if depths do not ascend or a rate is not in (0, 1].

    Example:
        >>> runs = [table_from_mapping({"q": {f"d{number:02}": 100.0 - number for number in range(20)}})]
        >>> pool = pool_of(None, runs, depth=20)
        >>> wanted = pool.unjudged(20, all_queries=True)
        >>> drawn, chance = sample(pool, wanted, [Stratum(5, 1.0), Stratum(20, 0.2)], np.random.default_rng(1))
        >>> len(drawn), sorted(set(chance.tolist()))
        (8, [0.2, 1.0])
    """
    depths = np.array([stratum.depth for stratum in strata], dtype=np.int64)
    rates = np.array([stratum.rate for stratum in strata], dtype=np.float64)
    if not len(depths) or depths[0] < 1 or (np.diff(depths) <= 0).any() or not ((rates > 0) & (rates <= 1)).all():
        raise DataError(
            Problem(
                message="the strata must go down in depth, each with a rate above 0 and at most 1",
                field="strata",
                value=" ".join(f"{stratum.depth}:{stratum.rate:g}" for stratum in strata),
                remedy="Write them as 20:1 100:0.1",
            )
        )
    number = np.searchsorted(depths, pool.best_rank[wanted])
    within = number < len(depths)
    wanted, number = wanted[within], number[within]
    group = pool.pairs.query[wanted].astype(np.int64) * len(depths) + number
    # The pairs are in one order whatever the order of the runs, so a seed draws the same documents.
    draw = np.empty(len(wanted))
    draw[np.argsort(wanted)] = generator.random(len(wanted))
    order = np.lexsort((draw, group))
    size = np.bincount(group, minlength=1)
    quota = np.minimum(size, np.maximum(1, np.floor(size * np.resize(rates, len(size)) + 0.5))).astype(np.int64)
    begins = np.cumsum(size) - size
    taken = np.zeros(len(wanted), dtype=np.bool_)
    taken[order] = np.arange(len(wanted)) - begins[group[order]] < quota[group[order]]
    chance = quota[group] / np.maximum(size[group], 1)
    return wanted[taken], np.asarray(chance[taken], dtype=np.float64)
