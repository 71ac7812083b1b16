"""How large a paired difference is: in standard deviations, in ranks, in cases won and lost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from beleg.stats.inputs import Numbers, binary_scaled, finite_vector
from beleg.stats.signed_rank import middle_ranks

_LAST_DIGITS = 1e-12


@dataclass(frozen=True, slots=True)
class EffectSize:
    """Sizes of one column of paired differences; above 0 the first system is better.

    Attributes:
        cohen_dz: mean over standard deviation of the differences; None where they do not vary or there is only one.
        hedges_g: the same without its bias in small samples; None likewise.
        rank_biserial: rank sum of gains less that of losses, over both; None where nothing differs.
        superiority: share of cases won, ties counting half: the chance to win on a case drawn at random.
        dominance: share won less share lost (Cliff's delta of paired scores).
        wins: cases with a difference above 0.
        ties: cases without a difference.
        losses: cases with a difference below 0.
    """

    cohen_dz: float | None
    hedges_g: float | None
    rank_biserial: float | None
    superiority: float
    dominance: float
    wins: int
    ties: int
    losses: int


def effect_size(differences: Numbers) -> EffectSize:
    """Effect sizes of paired differences.

    Formulas: d_z = mean / sd (Cohen 1988); g = d_z J(n - 1) with J(m) = Γ(m/2) / (sqrt(m/2) Γ((m-1)/2)) (Hedges 1981);
    rank-biserial = (R+ - R-) / (R+ + R-) over the ranks of the differences that are not 0 (Kerby 2014); superiority =
    (wins + ties/2) / n; dominance = (wins - losses) / n.
    Range: d_z and g real, rank-biserial and dominance -1 to 1, superiority 0 to 1.

    Args:
        differences: one difference per case.

    Returns:
        All sizes.

    Raises:
        DataError: if there is no difference or one is not finite.

    Example:
        >>> found = effect_size([0.1, 0.2, 0.0, -0.1])
        >>> round(found.cohen_dz, 3), found.superiority, found.dominance
        (0.387, 0.625, 0.25)
    """
    values = finite_vector("differences", differences)
    n = len(values)
    wins, losses = int((values > 0.0).sum()), int((values < 0.0).sum())
    scaled, _ = binary_scaled(values)
    deviation = float(scaled.std(ddof=1)) if n > 1 else 0.0
    varies = deviation > _LAST_DIGITS * float(np.abs(scaled).max())
    dz = float(scaled.mean()) / deviation if varies else None
    return EffectSize(
        cohen_dz=dz,
        hedges_g=None if dz is None or n < 3 else dz * _unbiased(n - 1),
        rank_biserial=_rank_biserial(values[values != 0.0]) if wins + losses else None,
        superiority=(wins + 0.5 * (n - wins - losses)) / n,
        dominance=(wins - losses) / n,
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
    )


def _unbiased(df: int) -> float:
    return math.exp(math.lgamma(0.5 * df) - 0.5 * math.log(0.5 * df) - math.lgamma(0.5 * (df - 1)))


def _rank_biserial(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    ranks = middle_ranks(np.abs(values))
    return float(ranks @ np.sign(values) / ranks.sum())
