from __future__ import annotations

import numpy as np

from beleg.core.score import ScoreStatus
from beleg.metrics.generation.noise import TracedClaim, TracedClaims, noise_sensitivity


def claim(*passages: str, right: bool = False) -> TracedClaim:
    return TracedClaim(claim_id="1", claim="c", in_reference=right, passages=passages)


def test_a_right_claim_is_never_noise() -> None:
    found = TracedClaims(claims=(claim("p1", right=True), claim("p2", right=True)), relevant=("p1",))
    assert noise_sensitivity(found).value == noise_sensitivity(found, "irrelevant").value == 0.0


def test_no_claim_counts_in_both_modes() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        names = [f"p{number}" for number in range(4)]
        claims = tuple(
            claim(*(name for name in names if rng.random() < 0.4), right=bool(rng.random() < 0.5))
            for _ in range(rng.integers(1, 6))
        )
        found = TracedClaims(claims=claims, relevant=tuple(name for name in names if rng.random() < 0.5))
        relevant, irrelevant = noise_sensitivity(found).value, noise_sensitivity(found, "irrelevant").value
        assert relevant is not None
        assert irrelevant is not None
        wrong = sum(not each.in_reference for each in claims) / len(claims)
        assert relevant + irrelevant <= wrong + 1e-12


def test_an_answer_without_claims_has_no_score() -> None:
    assert noise_sensitivity(TracedClaims(claims=(), relevant=())).status is ScoreStatus.NO_CLAIMS
