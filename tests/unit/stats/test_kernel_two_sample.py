"""The discrepancy is what its definition says, its p-value holds its rate, and large numbers break nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beleg.core.errors import DataError
from beleg.stats.kernel_two_sample import BLOCK_ROWS, MAX_ROWS, mmd_test

Matrix = npt.NDArray[np.float64]


def by_definition(reference: Matrix, current: Matrix, sigma: float) -> float:
    """Lemma 6 of Gretton et al. 2012, pair by pair."""

    def k(a: Matrix, b: Matrix) -> Matrix:
        return np.exp(-np.square(a[:, None, :] - b[None, :, :]).sum(axis=2) / (2 * sigma**2))

    m, n = len(reference), len(current)
    within = (k(reference, reference).sum() - m) / (m * (m - 1))
    other = (k(current, current).sum() - n) / (n * (n - 1))
    return float(within + other - 2 * k(reference, current).mean())


def test_the_estimate_is_the_sum_over_all_pairs() -> None:
    rng = np.random.default_rng(1)
    reference, current = rng.normal(size=(31, 4)), rng.normal(loc=0.4, size=(19, 4))
    found = mmd_test(reference, current, permutations=9, rng=rng, bandwidth=1.7)
    assert found.squared_mmd == pytest.approx(by_definition(reference, current, 1.7), abs=1e-6)
    assert (found.n_reference, found.n_current, found.bandwidth) == (31, 19, 1.7)


def test_blocks_change_nothing() -> None:
    rng = np.random.default_rng(2)
    reference, current = rng.normal(size=(BLOCK_ROWS + 100, 3)), rng.normal(loc=0.1, size=(700, 3))
    found = mmd_test(reference, current, permutations=3, rng=rng, bandwidth=1.0)
    assert found.squared_mmd == pytest.approx(by_definition(reference, current, 1.0), abs=1e-6)


def test_two_points_each_have_a_closed_form() -> None:
    # k = exp(-d²/2): within both 1 at distance 0, between exp(-1/2) at distance 1.
    found = mmd_test(np.zeros((2, 1)), np.ones((2, 1)), permutations=9, rng=np.random.default_rng(1), bandwidth=1.0)
    assert found.squared_mmd == pytest.approx(2 - 2 * np.exp(-0.5), abs=1e-6)


def test_the_bandwidth_is_the_median_distance() -> None:
    rng = np.random.default_rng(3)
    pooled = rng.normal(size=(80, 6))
    distances = np.sqrt(np.square(pooled[:, None] - pooled[None]).sum(axis=2))[np.triu_indices(80, 1)]
    found = mmd_test(pooled[:50], pooled[50:], permutations=3, rng=rng)
    assert found.bandwidth == pytest.approx(np.median(distances), rel=1 / 4_096)


def test_copies_do_not_count_for_the_bandwidth() -> None:
    window = np.repeat([[0.0, 0.0], [3.0, 4.0]], [40, 4], axis=0)
    assert mmd_test(window, window, permutations=3, rng=np.random.default_rng(1)).bandwidth == pytest.approx(
        5.0, rel=1 / 4_096
    )


def test_windows_of_one_vector_are_alike() -> None:
    same = np.full((5, 3), 0.3)
    found = mmd_test(same, same, permutations=19, rng=np.random.default_rng(1))
    assert (found.squared_mmd, found.p_value) == (0.0, 1.0)


def test_a_window_beside_itself_is_not_above_zero() -> None:
    window = np.random.default_rng(4).normal(size=(40, 5))
    found = mmd_test(window, window, permutations=199, rng=np.random.default_rng(1))
    assert found.squared_mmd <= 0.0
    assert found.p_value > 0.9


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000), exponent=st.sampled_from([-150, -30, 0, 30, 150]))
def test_order_rotation_place_and_unit_change_nothing(seed: int, exponent: int) -> None:
    rng = np.random.default_rng(seed)
    reference, current = rng.normal(size=(12, 4)), rng.normal(loc=0.5, size=(9, 4))
    turned, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    plain = mmd_test(reference, current, permutations=3, rng=rng)
    other = mmd_test(
        (rng.permutation(reference) @ turned + 1.0) * 10.0**exponent,
        (rng.permutation(current) @ turned + 1.0) * 10.0**exponent,
        permutations=3,
        rng=rng,
    )
    assert other.bandwidth == pytest.approx(plain.bandwidth * 10.0**exponent, rel=1e-3)
    assert other.squared_mmd == pytest.approx(plain.squared_mmd, abs=1e-3)


def test_the_rate_of_false_alarms_is_held() -> None:
    rng = np.random.default_rng(5)
    ps = [
        mmd_test(rng.normal(size=(12, 3)), rng.normal(size=(9, 3)), permutations=39, rng=rng).p_value
        for _ in range(600)
    ]
    # At 5 %, three standard errors over 600 windows are 2.7 points.
    assert 0.023 <= np.mean(np.array(ps) <= 0.05) <= 0.077
    assert min(ps) >= 1 / 40


def test_a_small_shift_of_many_vectors_is_found() -> None:
    rng = np.random.default_rng(6)
    found = mmd_test(rng.normal(size=(400, 64)), rng.normal(size=(400, 64)) + 0.1, permutations=99, rng=rng)
    assert found.p_value == 0.01


def test_documents_that_change_sides_as_one_hold_the_rate_where_rows_do_not() -> None:
    rng = np.random.default_rng(8)

    def window(first: int) -> tuple[Matrix, list[int]]:
        documents = rng.normal(size=(8, 2))
        return np.repeat(documents, 6, axis=0) + 0.1 * rng.normal(size=(48, 2)), list(
            np.repeat(range(first, first + 8), 6)
        )

    alarms = np.zeros(2)
    for _ in range(200):
        (old, these), (new, those) = window(0), window(8)
        alarms += [
            mmd_test(old, new, permutations=39, rng=rng).p_value <= 0.05,
            mmd_test(old, new, permutations=39, rng=rng, groups=these + those).p_value <= 0.05,
        ]
    by_row, by_document = alarms / 200
    assert by_row > 0.5
    assert by_document <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(
    ("reference", "current", "says"),
    [
        (np.zeros(3), np.zeros((3, 1)), "rows of vectors"),
        (np.zeros((0, 2)), np.zeros((3, 2)), "rows of vectors"),
        (np.zeros((3, 2)), np.zeros((3, 4)), "2 and 4 dimensions"),
        (np.zeros((3, 2)), np.array([[0.0, 1.0], [np.nan, 0.0], [0.0, 0.0]]), "position 1 is not finite"),
        (np.array([[np.inf]] * 3), np.zeros((3, 1)), "position 0 is not finite"),
        (np.zeros((1, 2)), np.zeros((5, 2)), "single row"),
        (np.zeros((MAX_ROWS, 1)), np.zeros((1, 1)), "more than 100000"),
    ],
)
def test_what_cannot_be_tested_is_refused(reference: Matrix, current: Matrix, says: str) -> None:
    with pytest.raises(DataError, match=says):
        mmd_test(reference, current, permutations=9, rng=np.random.default_rng(1))


@pytest.mark.parametrize("bandwidth", [0.0, -1.0, np.nan, np.inf])
def test_a_bandwidth_is_above_zero(bandwidth: float) -> None:
    with pytest.raises(DataError, match="bandwidth must be above 0"):
        mmd_test(np.zeros((3, 1)), np.ones((3, 1)), permutations=3, rng=np.random.default_rng(1), bandwidth=bandwidth)
