"""Estimates from human labels and verdicts: against published code's figures, by closed forms and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.core.errors import DataError, UsageError
from beleg.stats.intervals import clopper_pearson
from beleg.stats.prediction_powered import JudgeAssisted, judge_assisted_rate, ppi_interval, square_and_add

# ppi-python 0.2.3 (numpy 2.4.6): ppi_mean_pointestimate and ppi_mean_ci. Counts of labelled cases as (human and judge
# pass, only human, only judge, neither), then of the unlabelled ones (judge passes, all), alpha, lambda (None: tuned).
PUBLISHED = [
    ((40, 5, 3, 12), (700, 1000), 0.05, 1.0, 0.7333333333333333, 0.6370413638699628, 0.8296253027967038),
    ((40, 5, 3, 12), (700, 1000), 0.05, None, 0.740320630122291, 0.6563210265686228, 0.8243202336759592),
    ((40, 5, 3, 12), (700, 1000), 0.1, 1.0, 0.7333333333333333, 0.6525225651419505, 0.8141441015247161),
    ((40, 5, 3, 12), (700, 1000), 0.1, None, 0.740320630122291, 0.6698259405986156, 0.8108153196459664),
    ((90, 4, 2, 4), (1880, 2000), 0.05, 1.0, 0.96, 0.9110322698516944, 1.0089677301483055),
    ((90, 4, 2, 4), (1880, 2000), 0.05, None, 0.9517084178498983, 0.911840201861286, 0.9915766338385107),
    ((150, 20, 30, 100), (950, 1500), 0.05, 1.0, 0.6, 0.5478978800819277, 0.6521021199180722),
    ((150, 20, 30, 100), (950, 1500), 0.05, None, 0.585676044555981, 0.5409500242903746, 0.6304020648215873),
    ((28, 1, 1, 0), (95, 100), 0.05, 1.0, 0.95, 0.8482096856428483, 1.0517903143571516),
    ((28, 1, 1, 0), (95, 100), 0.05, None, 0.9666666666666667, 0.9024326310941547, 1.0309007022391785),
    ((30, 0, 0, 10), (300, 400), 0.05, None, 0.7500000000000001, 0.7095392801851613, 0.7904607198148389),
]


def counted(cells: tuple[int, int, int, int], rest: tuple[int, int]) -> tuple[Any, Any, Any]:
    human, judge = np.repeat([1.0, 1.0, 0.0, 0.0], cells), np.repeat([1.0, 0.0, 1.0, 0.0], cells)
    return human, judge, np.repeat([1.0, 0.0], [rest[0], rest[1] - rest[0]])


@pytest.mark.parametrize("row", PUBLISHED)
def test_the_published_intervals_come_out_as_in_the_authors_package(row: tuple[Any, ...]) -> None:
    cells, rest, alpha, tuning, *expected = row
    found = ppi_interval(*counted(cells, rest), 1.0 - alpha, tuning=tuning)
    assert (found.estimate, found.lower, found.upper) == pytest.approx(expected, abs=1e-12)


def test_graded_values_come_out_as_in_the_authors_package() -> None:
    human, judge = [0.2, 0.9, 0.7, 0.5, 1.0, 0.0, 0.4, 0.8], [0.3, 0.8, 0.9, 0.4, 0.9, 0.2, 0.2, 0.7]
    rest = [0.1, 0.5, 0.9, 0.8, 0.7, 0.3, 0.6, 0.95, 0.4, 0.2, 0.75, 0.5]
    plain, tuned = ppi_interval(human, judge, rest), ppi_interval(human, judge, rest, tuning=None)
    assert (plain.estimate, plain.lower, plain.upper) == pytest.approx(
        (0.5708333333333333, 0.3916268221170862, 0.7500398445495804)
    )
    assert (tuned.estimate, tuned.lower, tuned.upper) == pytest.approx(
        (0.5678995453014483, 0.4100918211847523, 0.7257072694181442)
    )


def test_a_perfect_judge_leaves_the_bounds_of_its_own_mean_and_of_no_error_seen() -> None:
    """Closed form at the middle: Wilson's half width of 0.5, and the largest rate that shows nothing in 100 labels."""
    found = square_and_add([1.0, 0.0] * 50, [1.0, 0.0] * 50, [1.0, 0.0] * 450)
    z = 1.959963984540054
    of_judge = 0.5 * z / np.sqrt(1000 + z * z)
    of_rectifier = 1.0 - 0.025 ** (1 / 100)
    assert found.estimate == 0.5
    assert found.upper - 0.5 == pytest.approx(np.hypot(of_judge, of_rectifier), abs=1e-9)
    assert 0.5 - found.lower == pytest.approx(found.upper - 0.5, abs=1e-9)


def test_labels_that_agree_with_a_judge_who_passes_everything_prove_no_more_than_they_do_alone() -> None:
    found = judge_assisted_rate(*counted((30, 0, 0, 0), (5_000, 5_000)), 0.9, one_sided=True)
    assert found.lower <= clopper_pearson(30, 30, 0.9).lower == pytest.approx(0.05 ** (1 / 30))


@pytest.mark.parametrize(
    ("labels", "rate", "false_pass", "false_fail"),
    [(2, 0.55, 1.0, 0.0), (10, 0.85, 1.0, 0.0), (30, 0.85, 1.0, 0.0), (50, 0.96, 1.0, 0.0), (30, 0.9, 0.8, 0.005)],
)
def test_a_lenient_judge_does_not_make_the_bound_that_decides_too_high(
    labels: int, rate: float, false_pass: float, false_fail: float
) -> None:
    """Half a case added to either error (Agresti and Min) alone lets .08 to .31 of these bounds lie above the truth."""
    rng = np.random.default_rng(7)
    shares = [rate * (1 - false_fail), rate * false_fail, (1 - rate) * false_pass, (1 - rate) * (1 - false_pass)]
    above = 0
    for _ in range(1_000):
        rest = int(rng.binomial(2_000, shares[0] + shares[2]))
        drawn = counted(tuple(rng.multinomial(labels, shares).tolist()), (rest, 2_000))
        above += judge_assisted_rate(*drawn, 0.9, one_sided=True).lower > rate
    assert above / 1_000 < 0.07


CELLS = st.tuples(*[st.integers(0, 40)] * 4).filter(lambda cells: sum(cells) >= 2)


@given(CELLS, st.integers(0, 200), st.integers(0, 200), st.floats(0.5, 0.99))
def test_bounds_enclose_the_estimate_and_stay_in_the_range(
    cells: tuple[int, int, int, int], passed: int, failed: int, confidence: float
) -> None:
    found = judge_assisted_rate(*counted(cells, (passed, passed + failed)), confidence)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 1.0
    assert found.labelled == sum(cells)
    assert found.judged == sum(cells) + passed + failed


@given(CELLS, st.integers(0, 200), st.integers(0, 200))
def test_pass_and_fail_are_mirror_images(cells: tuple[int, int, int, int], passed: int, failed: int) -> None:
    human, judge, rest = counted(cells, (passed, passed + failed))
    one, two = square_and_add(human, judge, rest), square_and_add(1 - human, 1 - judge, 1 - rest)
    assert (one.lower, one.estimate, one.upper) == pytest.approx((1 - two.upper, 1 - two.estimate, 1 - two.lower))


class TestWhichRuleIsTaken:
    def test_few_labels(self) -> None:
        assert judge_assisted_rate(*counted((100, 40, 40, 119), (600, 1000))).method == "square_and_add"

    def test_many_labels_at_a_middling_rate(self) -> None:
        found = judge_assisted_rate(*counted((150, 20, 30, 100), (950, 1500)))
        assert (found.method, found.labelled) == ("ppi++", 300)
        assert found.lower == pytest.approx(0.5409500242903746)

    def test_many_labels_where_a_single_bound_decides(self) -> None:
        found = judge_assisted_rate(*counted((150, 20, 30, 100), (950, 1500)), one_sided=True)
        assert found.method == "square_and_add"

    @pytest.mark.parametrize("cells", [(380, 10, 5, 5), (5, 5, 10, 380)])
    def test_an_extreme_rate(self, cells: tuple[int, int, int, int]) -> None:
        passed = 960 if cells[0] > 300 else 40
        assert judge_assisted_rate(*counted(cells, (passed, 1000))).method == "square_and_add"

    def test_everything_labelled_leaves_the_judge_out(self) -> None:
        human, judge, rest = counted((40, 5, 3, 12), (0, 0))
        found, exact = judge_assisted_rate(human, judge, rest), clopper_pearson(45, 60)
        assert found.method == "human_labels_clopper_pearson"
        assert (found.estimate, found.lower, found.upper) == pytest.approx((0.75, exact.lower, exact.upper))

    def test_graded_labels(self) -> None:
        found = judge_assisted_rate([0.2, 0.4, 1.0] * 120, [0.3, 0.5, 1.0] * 120, [0.6] * 50)
        assert found.method == "square_and_add"


def coverage(made: list[JudgeAssisted], truth: float) -> float:
    return float(np.mean([found.lower <= truth <= found.upper for found in made]))


@pytest.mark.parametrize(
    ("rate", "sensitivity", "specificity"), [(0.95, 0.95, 0.8), (0.95, 0.99, 0.6), (0.8, 0.9, 0.8)]
)
def test_few_labels_keep_the_promise_that_the_published_interval_breaks(
    rate: float, sensitivity: float, specificity: float
) -> None:
    """1,500 draws with known truth: at .95 the published interval covers .73 to .77, measured elsewhere too."""
    rng = np.random.default_rng(5)
    shares = [rate * sensitivity, rate * (1 - sensitivity), (1 - rate) * (1 - specificity), (1 - rate) * specificity]
    ours, published = [], []
    for _ in range(1_500):
        rest = int(rng.binomial(2_000, shares[0] + shares[2]))
        drawn = counted(tuple(rng.multinomial(30, shares).tolist()), (rest, 2_000))
        ours.append(judge_assisted_rate(*drawn))
        published.append(ppi_interval(*drawn))
    assert coverage(ours, rate) > 0.945
    if rate > 0.9:
        assert coverage(published, rate) < 0.8


def test_the_bound_that_decides_keeps_its_promise_where_that_of_ppi_plus_plus_does_not() -> None:
    """300 labels at a rate of .85: above the truth in .073 of 200,000 draws (PPI++) and .042 (square-and-add)."""
    rng = np.random.default_rng(6)
    shares = [0.85 * 0.95, 0.85 * 0.05, 0.15 * 0.4, 0.15 * 0.6]
    misses = {"ours": 0, "published": 0}
    for _ in range(1_500):
        rest = int(rng.binomial(2_000, shares[0] + shares[2]))
        drawn = counted(tuple(rng.multinomial(300, shares).tolist()), (rest, 2_000))
        misses["ours"] += judge_assisted_rate(*drawn, 0.9, one_sided=True).lower > 0.85
        misses["published"] += ppi_interval(*drawn, 0.9, tuning=None).lower > 0.85
    assert misses["ours"] / 1_500 < 0.055
    assert misses["published"] / 1_500 > 0.055


def test_cases_that_share_a_document_widen_the_interval() -> None:
    human, judge, rest = counted((30, 5, 5, 20), (100, 180))
    groups = (np.arange(60) // 4, 15 + np.arange(180) // 4)
    alone, together = (square_and_add(human, judge, rest, clusters=groups) for groups in (None, groups))
    assert together.width > alone.width
    assert together.clusters == 60


def test_unusable_input_is_refused_with_its_reason() -> None:
    with pytest.raises(DataError, match="two human labels"):
        judge_assisted_rate([1], [1], [1, 0])
    with pytest.raises(DataError, match="between 0 and 1"):
        judge_assisted_rate([1, 2], [1, 1], [1, 0])
    with pytest.raises(DataError, match="2 entries are needed"):
        judge_assisted_rate([1, 0], [1], [1, 0])
    with pytest.raises(DataError, match="not finite"):
        ppi_interval([1, float("nan")], [1, 0], [1, 0])
    with pytest.raises(UsageError, match="confidence"):
        square_and_add([1, 0], [1, 0], [1], 1.0)
    with pytest.raises(DataError, match="groups with a human label"):
        square_and_add([1, 0], [1, 0], [1, 1], clusters=(["a", "a"], ["b", "b"]))
