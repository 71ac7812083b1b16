"""The error of the graded rule at the margin, enumerated exactly with scipy's binomial distribution.

A difference is a small steady gain, or with some probability a loss; the gain is set so that the true mean difference
is exactly -margin. How often such a sample would pass is then a sum over the number of losses, without simulation.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from beleg.stats.adjusted_t import adjusted_t

ALPHA = 0.05
PROMISED = 0.06


def error_at_margin(n: int, *, loss_share: float, loss: float, margin: float) -> float:
    """The probability that n cases pass although the true difference is -margin."""
    gain = (loss_share * loss - margin) / (1.0 - loss_share)
    counts = np.arange(min(n, int(n * loss_share + 12 * np.sqrt(n * loss_share) + 12)) + 1)
    units = np.where(np.arange(n) < counts[:, None], -loss, gain)
    passes = adjusted_t(units, np.ones(n), span=1.0).lower(ALPHA) > -margin
    return float(binom.pmf(counts[passes], n, loss_share).sum())


@pytest.mark.parametrize(
    ("loss_share", "loss", "margin"),
    [
        (0.02, 1.0, 0.02),
        (0.03, 0.99, 0.02),
        (0.05, 0.5, 0.02),
        (0.05, 1.0, 0.02),
        (0.1, 1.0, 0.02),
        (0.2, 0.5, 0.02),
        (0.05, 1.0, 0.05),
        (0.06, 1.0, 0.05),
        (0.1, 0.5, 0.05),
        (0.1, 1.0, 0.05),
        (0.2, 0.5, 0.05),
    ],
)
def test_rare_large_losses_pass_no_more_often_than_promised_at_any_size(
    loss_share: float, loss: float, margin: float
) -> None:
    worst = max(
        error_at_margin(n, loss_share=loss_share, loss=loss, margin=margin)
        for n in (*range(20, 200, 9), *range(200, 900, 53))
    )
    assert worst <= PROMISED


def test_a_stream_that_breaks_plug_in_variance_does_not_break_the_rule() -> None:
    """99 in 100 cases gain 0.01 and one loses 0.99; shifted so that the mean is exactly at the margin."""
    worst = max(error_at_margin(n, loss_share=0.01 + 0.02, loss=0.99, margin=0.02) for n in range(20, 1_001, 29))
    assert worst <= PROMISED
