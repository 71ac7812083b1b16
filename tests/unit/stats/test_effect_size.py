from __future__ import annotations

import numpy as np
import pytest

from beleg.stats.effect_size import effect_size


def test_all_sizes_by_hand() -> None:
    found = effect_size([0.4, 0.2, -0.1, 0.0])
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert found.superiority == 0.625
    assert found.dominance == 0.25
    assert found.rank_biserial == pytest.approx((3 + 2 - 1) / 6)
    assert found.cohen_dz == pytest.approx(0.125 / np.std([0.4, 0.2, -0.1, 0.0], ddof=1))
    # J(3) = Γ(1.5) / (sqrt(1.5) Γ(1)) = sqrt(pi / 6).
    assert found.hedges_g == pytest.approx(found.cohen_dz * np.sqrt(np.pi / 6))


def test_what_does_not_vary_has_no_standardised_size() -> None:
    same, shifted, single = effect_size([0.0] * 5), effect_size([0.1] * 5), effect_size([0.3])
    assert same.cohen_dz is same.hedges_g is same.rank_biserial is None
    assert shifted.cohen_dz is None
    assert (shifted.rank_biserial, shifted.dominance) == (1.0, 1.0)
    assert single.cohen_dz is None
    assert (same.superiority, same.dominance) == (0.5, 0.0)


def test_the_sign_turns_with_the_systems() -> None:
    values = np.random.default_rng(1).normal(size=30)
    one, other = effect_size(values), effect_size(-values)
    assert one.cohen_dz == -other.cohen_dz
    assert one.rank_biserial == pytest.approx(-other.rank_biserial)
    assert one.superiority == pytest.approx(1 - other.superiority)


def test_two_differences_have_no_correction() -> None:
    assert effect_size([0.1, 0.3]).hedges_g is None


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_size_in_deviations_does_not_depend_on_the_scale(scale: float) -> None:
    values = np.array([1.0, 2.0, -0.5, 0.75])
    assert effect_size(scale * values).cohen_dz == pytest.approx(effect_size(values).cohen_dz, rel=1e-12)
    assert effect_size([5e-324, 0.0]).cohen_dz == pytest.approx(0.5**0.5)
