from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.stats.clustered import group, robust_weights
from beleg.stats.inputs import FloatArray


def test_equal_sizes_give_the_variance_of_a_mean_of_cluster_means() -> None:
    means = np.array([0.1, 0.4, 0.2, 0.9, 0.6])
    design = robust_weights(np.full(5, 7.0))
    variance = ((means - means.mean()) ** 2) @ design.factors
    assert variance == pytest.approx(means.var(ddof=1) / 5)
    assert design.df == pytest.approx(4.0)


def projected_variance(sizes: FloatArray, covariance: FloatArray, design: FloatArray) -> float:
    """Expectation of the estimated variance by matrices: residuals r = (I - 1 w') y."""
    shares = sizes / sizes.sum()
    maker = np.eye(len(sizes)) - np.outer(np.ones(len(sizes)), shares)
    return float(np.diag(maker @ covariance @ maker.T) @ design)


@given(st.lists(st.integers(1, 60), min_size=2, max_size=25), st.floats(0.0, 1.0))
def test_the_variance_is_not_biased_low_under_any_correlation_within_clusters(sizes: list[int], rho: float) -> None:
    counts = np.array(sizes, dtype=float)
    covariance = np.diag(rho + (1.0 - rho) / counts)
    shares = counts / counts.sum()
    truth = shares @ covariance @ shares
    design = robust_weights(counts)
    assert projected_variance(counts, covariance, design.factors) >= truth * (1.0 - 1e-9)


@given(st.lists(st.integers(1, 60), min_size=2, max_size=25))
def test_degrees_of_freedom_follow_satterthwaite_by_matrices(sizes: list[int]) -> None:
    counts = np.array(sizes, dtype=float)
    shares = counts / counts.sum()
    maker = np.eye(len(counts)) - np.outer(np.ones(len(counts)), shares)
    design = robust_weights(counts)
    form = np.sqrt(np.outer(design.factors, design.factors)) * (maker @ np.diag(1.0 / shares) @ maker.T)
    assert design.df == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))
    assert design.df <= len(counts) - 1 + 1e-9


def test_cases_fold_to_their_clusters() -> None:
    grouped = group(np.array([1.0, 0.0, 1.0, 0.5]), np.array([0, 1, 1, 2]))
    assert grouped.means.tolist() == [1.0, 0.5, 0.5]
    assert grouped.sizes.tolist() == [1.0, 2.0, 1.0]
    assert grouped.mean == pytest.approx(2.5 / 4)
    assert grouped.effective == pytest.approx(16 / 6)
