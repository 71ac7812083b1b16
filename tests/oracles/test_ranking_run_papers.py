"""Measures against plain loops written from the papers, one rank after the other, on random runs.

The loops share nothing with the kernels: they walk whole lists, document by document, and know no hits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from beleg.metrics.ranking_runs.kernels import evaluate_groups, evaluate_run
from beleg.metrics.ranking_runs.measures import parse_measures
from beleg.metrics.ranking_runs.table import table_from_mapping
from unit.metrics.ranking_runs.worked import Mapping, grouped

QUERIES = 150
READ = 1_000
HIGHEST = 4
Gains = list[float]
GoesOn = Callable[[int, float, float], float]
"""The chance to go on from a rank, by its number, its gain, and the gain so far."""


def random_case(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(40)]
    judged = {
        f"q{number}": {names[each]: int(rng.integers(-1, HIGHEST + 1)) for each in rng.permutation(40)[:12]}
        for number in range(QUERIES)
    }
    return judged, {query: [names[each] for each in rng.permutation(40)[: rng.integers(1, 35)]] for query in judged}


def in_order(lists: dict[str, list[str]]) -> Mapping:
    return {query: {name: -float(rank) for rank, name in enumerate(names)} for query, names in lists.items()}


def scaled(grades: dict[str, int], names: list[str]) -> Gains:
    return [max(grades.get(name, 0), 0) / HIGHEST for name in names]


def expected_gain(gains: Gains, goes_on: GoesOn, depth: int) -> float:
    """Weights that fall as readers leave, scaled to one, times gain (Moffat, Bailey, Scholer and Thomas 2017)."""
    reached, weights, so_far, total = 1.0, 0.0, 0.0, 0.0
    for rank in range(1, depth + 1):
        gain = gains[rank - 1] if rank <= len(gains) else 0.0
        so_far += gain
        weights += reached
        total += reached * gain
        reached *= goes_on(rank, gain, so_far)
    return total / weights


def goal(wanted: float) -> GoesOn:
    def goes_on(rank: int, gain: float, so_far: float) -> float:
        at = rank + wanted + wanted - so_far
        return ((at - 1) / at) ** 2

    return goes_on


def bejeweled(gains: Gains, wanted: float, depth: int) -> float:
    so_far = 0.0
    for rank in range(1, depth + 1):
        so_far += gains[rank - 1] if rank <= len(gains) else 0.0
        if so_far >= wanted - 1e-9:
            return so_far / rank
    return so_far / depth


def cascade(gains: Gains, cut: int) -> float:
    """Chapelle, Metzler, Zhang and Grinspan (2009), with ``gains`` as shares of the highest grade."""
    still, total = 1.0, 0.0
    for rank, gain in enumerate(gains[:cut], start=1):
        satisfied = (2 ** (gain * HIGHEST) - 1) / 2**HIGHEST
        total += still * satisfied / rank
        still *= 1 - satisfied
    return total


READERS: dict[str, Callable[[Gains], float]] = {
    f"INSQ(T=2,max_rel={HIGHEST})": lambda gains: expected_gain(
        gains, lambda rank, gain, so_far: ((rank + 3) / (rank + 4)) ** 2, READ
    ),
    f"INST(T=1.5,max_rel={HIGHEST})": lambda gains: expected_gain(gains, goal(1.5), READ),
    f"NERR8(max_rel={HIGHEST})@7": lambda gains: expected_gain(gains, lambda rank, gain, so_far: 1 - gain, 7),
    f"NERR9(max_rel={HIGHEST})@7": lambda gains: expected_gain(
        gains, lambda rank, gain, so_far: (1 - gain) * rank / (rank + 1), 7
    ),
    f"NERR10(p=0.8,max_rel={HIGHEST})": lambda gains: expected_gain(
        gains, lambda rank, gain, so_far: (1 - gain) * 0.8, READ
    ),
    f"NERR11(T=2,max_rel={HIGHEST})": lambda gains: expected_gain(
        gains, lambda rank, gain, so_far: (1 - gain) * goal(2.0)(rank, gain, so_far), READ
    ),
    f"BPM(T=1.25,max_rel={HIGHEST})@9": lambda gains: bejeweled(gains, 1.25, 9),
    f"SDCG(max_rel={HIGHEST})@6": lambda gains: (
        sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:6], start=1))
        / sum(1 / math.log2(rank + 1) for rank in range(1, 7))
    ),
    "ERR@8": lambda gains: cascade(gains, 8),
    "RBP(p=0.7)": lambda gains: sum(0.3 * 0.7**rank for rank, gain in enumerate(gains) if gain > 0),
}


@pytest.mark.parametrize("written", READERS)
def test_readers_walk_down_the_list_as_their_papers_say(written: str) -> None:
    judged, lists = random_case(1)
    table = table_from_mapping({query: dict(grades) for query, grades in judged.items()})
    found = evaluate_run(table, table_from_mapping(in_order(lists)), parse_measures([written]))
    for query, value in zip(found.queries, found.values[0].tolist(), strict=True):
        assert value == pytest.approx(READERS[written](scaled(judged[query], lists[query])), abs=1e-12), query


def test_the_residual_is_the_reach_of_the_documents_that_nobody_judged() -> None:
    judged, lists = random_case(2)
    table = table_from_mapping({query: dict(grades) for query, grades in judged.items()})
    run = table_from_mapping(in_order(lists))
    found = evaluate_run(table, run, parse_measures(["RBPResidual(p=0.9)", "RBP(p=0.9,gain='grade')"]))
    for query, residual, value in zip(found.queries, *found.values.tolist(), strict=True):
        grades, names = judged[query], lists[query]
        unknown = sum(0.1 * 0.9**rank for rank, name in enumerate(names) if grades.get(name, -1) < 0)
        assert residual == pytest.approx(unknown + 0.9 ** len(names), abs=1e-12)
        best = max(grades.values())
        gained = sum(0.1 * 0.9**rank * max(grades.get(name, 0), 0) / best for rank, name in enumerate(names))
        assert value == pytest.approx(gained, abs=1e-12)


Topics = dict[str, set[str]]
"""The relevant documents of every subtopic."""


def random_topics(seed: int) -> tuple[dict[str, Topics], dict[str, list[str]]]:
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(25)]
    judged = {
        f"q{number}": {
            f"s{topic}": {names[each] for each in rng.permutation(25)[: rng.integers(1, 6)]}
            for topic in range(int(rng.integers(1, 5)))
        }
        for number in range(QUERIES)
    }
    return judged, {query: [names[each] for each in rng.permutation(25)[: rng.integers(1, 20)]] for query in judged}


def novel_gains(topics: Topics, names: list[str], alpha: float) -> Iterator[float]:
    seen = dict.fromkeys(topics, 0)
    for name in names:
        holding = [topic for topic, relevant in topics.items() if name in relevant]
        yield sum((1 - alpha) ** seen[topic] for topic in holding)
        for topic in holding:
            seen[topic] += 1


def greedy(topics: Topics, alpha: float) -> list[str]:
    """The next document is the one with the greatest gain; of equal ones that with the greatest id."""
    left, chosen = set().union(*topics.values()), list[str]()
    while left:
        gains = {name: round(list(novel_gains(topics, [*chosen, name], alpha))[-1], 9) for name in left}
        best = max(left, key=lambda name: (gains[name], name.encode()))
        chosen.append(best)
        left.remove(best)
    return chosen


def discounted(gains: Iterator[float], discount: Callable[[int], float], cut: int) -> float:
    return sum(gain * discount(rank) for rank, gain in enumerate(gains, start=1) if rank <= cut)


@pytest.mark.parametrize("alpha", [0.5, 0.3])
def test_novelty_and_diversity_as_their_papers_say(alpha: float) -> None:
    judged, lists = random_topics(3)
    rows = [
        (q, t, "0", name, 1.0) for q, topics in judged.items() for t, relevant in topics.items() for name in relevant
    ]
    discounts: dict[str, Callable[[int], float]] = {
        "alpha_{}DCG(alpha={})@6": lambda rank: 1 / math.log2(rank + 1),
        "{}ERR_IA(alpha={})@6": lambda rank: 1 / rank,
        "{}NRBP(alpha={},beta=0.6)": lambda rank: 0.6 ** (rank - 1),
    }
    run = table_from_mapping(in_order(lists))
    for form, discount in discounts.items():
        names = [form.format(prefix, alpha) for prefix in ("", "n")]
        found = evaluate_groups(grouped(*rows), run, parse_measures(names))
        cut = 6 if "@" in form else 10_000
        for query, plain, normalised in zip(found.queries, *found.values.tolist(), strict=True):
            topics = judged[query]
            total = discounted(novel_gains(topics, lists[query], alpha), discount, cut)
            most = sum((1 - alpha) ** (rank - 1) * discount(rank) for rank in range(1, cut + 1))
            assert plain == pytest.approx(total / (len(topics) * most), abs=1e-10)
            best = discounted(novel_gains(topics, greedy(topics, alpha), alpha), discount, cut)
            assert normalised == pytest.approx(total / best, abs=1e-10), query


@pytest.mark.parametrize("seed", [4, 5])
def test_preferences_counted_pair_by_pair(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [
        (f"q{query}", f"g{group}", "0", f"d{each}", float(rng.integers(0, 3)))
        for query in range(60)
        for group in range(int(rng.integers(1, 4)))
        for each in rng.permutation(12)[:7]
    ]
    scores: Mapping = {
        f"q{query}": {f"d{each}": float(rng.integers(0, 5)) for each in rng.permutation(12)[:8]} for query in range(60)
    }
    names = ["PrefsPossible", "PrefsFulfilled", "PrefsFulfilledRet", "Prefs", "PrefsEither", "PrefsGroup", "PrefsPair"]
    found = evaluate_groups(grouped(*rows), table_from_mapping(scores), parse_measures(names))
    for query, *values in zip(found.queries, *found.values.tolist(), strict=True):
        assert values == pytest.approx(pair_by_pair([row for row in rows if row[0] == query], scores[query]), abs=1e-12)


def pair_by_pair(rows: list[tuple[str, str, str, str, float]], scores: dict[str, float]) -> list[float]:
    met: list[tuple[str, frozenset[str], bool, bool, bool]] = []
    for _, group, _, better, grade in rows:
        for _, other_group, _, worse, lower in rows:
            if group == other_group and grade > lower:
                one, two = scores.get(better), scores.get(worse)
                is_met = one is not None and (two is None or one > two)
                met.append(
                    (group, frozenset((better, worse)), is_met, None not in (one, two), (one, two) != (None, None))
                )

    def share(chosen: list[bool]) -> float:
        return sum(chosen) / len(chosen) if chosen else 0.0

    groups, pairs = {row[1] for row in rows}, {each[1] for each in met}
    by_group = [share([each[2] for each in met if each[0] == group]) for group in groups]
    by_pair = [share([each[2] for each in met if each[1] == pair]) for pair in pairs]
    return [
        len(met), sum(each[2] for each in met), sum(each[2] for each in met if each[3]),
        share([each[2] for each in met]), share([each[2] for each in met if each[4]]), sum(by_group) / len(by_group),
        sum(by_pair) / len(by_pair) if by_pair else 0.0,
    ]  # fmt: skip
