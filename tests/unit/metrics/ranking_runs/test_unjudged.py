"""What unjudged documents can do, against judging them in every possible way and evaluating anew."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import UsageError
from beleg.core.ranking import ranked
from beleg.metrics.ranking_runs.kernels import evaluate_run
from beleg.metrics.ranking_runs.measures import Measure, parse_measure
from beleg.metrics.ranking_runs.pooling import pool_of
from beleg.metrics.ranking_runs.table import table_from_mapping
from beleg.metrics.ranking_runs.unjudged import Range, Unjudged

MEASURES = ["nDCG@3", "nDCG(dcg='exp-log2')@3", "P@3", "R@3", "R(rel=2)@3", "RR@3", "RR(rel=2)@2", "Success@2"]
NAMES = "abcdef"
Grades = dict[str, float]
SCORES = st.permutations(NAMES).map(lambda names: {name: float(9 - place) for place, name in enumerate(names[:4])})
JUDGED = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=2, max_size=4)


def value(judged: Grades, scores: Grades, measure: Measure) -> float:
    return evaluate_run(table_from_mapping({"q": judged}), table_from_mapping({"q": scores}), [measure]).summary()[0]


def judged_in_every_way(judged: Grades, lists: list[Grades], measure: Measure, depth: int) -> list[list[float]]:
    """The values of all lists under every way to judge what is unjudged in their pool."""
    free = sorted({name for scores in lists for name, _ in ranked(scores)[:depth]} - judged.keys())
    return [
        [value(judged | dict(zip(free, grades, strict=True)), scores, measure) for scores in lists]
        for grades in itertools.product([0.0, 1.0, 2.0], repeat=len(free))
    ]


@settings(max_examples=40)
@given(
    judged=JUDGED,
    first=SCORES,
    second=SCORES,
    name=st.sampled_from([*MEASURES, "nDCG@1", "R@1"]),
    depth=st.integers(3, 4),
)
def test_the_range_is_what_all_possible_judgements_of_the_pool_span(
    judged: Grades, first: Grades, second: Grades, name: str, depth: int
) -> None:
    (measure,) = parse_measure(name)
    runs = [table_from_mapping({"q": scores}) for scores in (first, second)]
    found = Unjudged(pool_of(table_from_mapping({"q": judged}), runs, depth), measure, max_grade=2)
    spans = judged_in_every_way(judged, [first, second], measure, depth)
    both, alone = [mine - theirs for mine, theirs in spans], [each[0] for each in spans]
    now = value(judged, first, measure)
    for told, spanned, figure in (
        (found.difference(0, 1), both, now - value(judged, second, measure)),
        (found.run(0), alone, now),
    ):
        assert told.value == pytest.approx(figure, abs=1e-12)
        assert told.lowest == pytest.approx(min(spanned), abs=1e-12)
        assert told.highest == pytest.approx(max(spanned), abs=1e-12)


@given(judged=JUDGED, first=SCORES, second=SCORES, name=st.sampled_from(MEASURES))
def test_movement_is_what_one_label_of_the_highest_grade_does(
    judged: Grades, first: Grades, second: Grades, name: str
) -> None:
    (measure,) = parse_measure(name)
    pool = pool_of(
        table_from_mapping({"q": judged}), [table_from_mapping({"q": scores}) for scores in (first, second)], 4
    )
    wanted = pool.unjudged(4)
    for (_, document), told in zip(
        pool.pairs.ids(wanted), Unjudged(pool, measure, max_grade=2).movement(wanted).tolist(), strict=True
    ):
        after = judged | {document: 2.0}
        change = [value(after, scores, measure) - value(judged, scores, measure) for scores in (first, second)]
        assert told == pytest.approx(abs(change[0] - change[1]), abs=1e-12)


def test_a_document_between_cutoff_and_depth_can_flip_a_difference() -> None:
    judged = table_from_mapping({"q1": {"d1": 1.0, "e1": 0.0}, "q2": {"d2": 1.0, "x2": 0.0, "y2": 1.0}})
    base = table_from_mapping({"q1": {"e1": 4.0, "u1": 3.0, "u2": 2.0, "u3": 1.0}, "q2": {"d2": 2.0}})
    new = table_from_mapping({"q1": {"d1": 2.0, "u1": 1.0}, "q2": {"x2": 2.0}})
    found = Unjudged(pool_of(judged, [base, new], 20), parse_measure("R@1")[0]).difference(1, 0)
    # As judged, (1 - 1/2) / 2; with u1, u2 and u3 relevant, (1/4 - 1/2) / 2.
    assert (found.value, found.lowest, found.highest) == (0.25, -0.125, 0.25)
    assert found.can_flip


def test_means_are_over_the_judged_queries() -> None:
    judged = table_from_mapping({"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"c": 1.0}})
    run = table_from_mapping({"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 2.0}, "q9": {"x": 1.0}})
    found = Unjudged(pool_of(judged, [run], 2), parse_measure("P@2")[0]).run(0)
    # q1: one of two, and perhaps both; q2: none, and perhaps one; q3: not returned; q9: not judged.
    assert (found.value, found.lowest, found.highest) == pytest.approx((0.5 / 3, 0.5 / 3, 1.5 / 3))


def test_with_one_run_movement_is_the_change_of_its_value() -> None:
    pool = pool_of(table_from_mapping({"q": {"a": 1.0}}), [table_from_mapping({"q": {"x": 2.0, "a": 1.0}})], 2)
    assert Unjudged(pool, parse_measure("RR@2")[0]).movement(pool.unjudged(2)).tolist() == [0.5]


@pytest.mark.parametrize(
    ("difference", "can_flip"),
    [(Range(0.1, 0.01, 0.2), False), (Range(0.1, 0.0, 0.2), True), (Range(-0.1, -0.2, -0.01), False)],
)
def test_a_difference_stands_when_its_range_leaves_out_nought(difference: Range, can_flip: bool) -> None:
    assert difference.can_flip is can_flip


@pytest.mark.parametrize(
    ("name", "max_grade", "said"),
    [
        ("AP", None, "not known for AP"),
        ("nDCG", None, "not known"),
        ("P@9", None, "looks deeper"),
        ("P@2", 1.0, "2 occurs"),
        ("P@2", float("inf"), "finite"),
        ("nDCG@2", float("nan"), "finite"),
        ("nDCG@2", 1e6, "at most 1,000"),
    ],
)
def test_what_has_no_range_is_refused(name: str, max_grade: float | None, said: str) -> None:
    pool = pool_of(table_from_mapping({"q": {"a": 2.0}}), [table_from_mapping({"q": {"x": 2.0}})], 2)
    with pytest.raises(UsageError, match=said):
        Unjudged(pool, parse_measure(name)[0], max_grade=max_grade)


def test_the_top_of_the_scale_is_what_the_measure_needs_where_no_judgement_is_so_high() -> None:
    pool = pool_of(table_from_mapping({"q": {"a": 1.0}}), [table_from_mapping({"q": {"x": 2.0}})], 2)
    found = Unjudged(pool, parse_measure("P(rel=3)@2")[0])
    assert (found.max_grade, found.run(0).highest) == (3.0, 0.5)


def test_many_pairs_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    runs = [
        table_from_mapping({f"q{q}": {f"d{d}": float(s) for d, s in enumerate(rng.random(12))} for q in range(9)})
        for _ in range(3)
    ]
    judged = table_from_mapping({f"q{q}": {"d1": 1.0, "d2": 0.0} for q in range(9)})
    pool = pool_of(judged, runs, 8)
    found = Unjudged(pool, parse_measure("nDCG@5")[0])
    wanted = pool.unjudged(8)
    whole = found.movement(wanted)
    monkeypatch.setattr("beleg.metrics.ranking_runs.unjudged._CELLS", 12)
    assert np.array_equal(found.movement(wanted), whole)
