"""Kernels over answers: calibration error of a million confidences, BERTScore of a thousand pairs.

usage: python benchmarks/bench_answers.py [--smoke]

The calibration error is measured beside scikit-learn's calibration_curve, BERTScore beside plain loops over
scikit-learn's cosine similarity, on vectors of 384 dimensions. Each side takes the best of some rounds in one process.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics.pairwise import cosine_similarity

from beleg.core.inference import TokenVectors
from beleg.metrics.generation.token_matching import bert_score
from beleg.stats.reliability import reliability
from measuring import Row, is_smoke, show, spend

ROUNDS = 7
BUDGET_S = 0.006
WIDTH = 384


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least processor time of some rounds."""
    return min(spend(work)[1].cpu_s for _ in range(rounds))


def calibration(n: int) -> Row:
    """ECE of n confidences."""
    rng = np.random.default_rng(1)
    confidences = rng.random(n)
    outcomes = (rng.random(n) < confidences).astype(np.float64)
    ours = best(lambda: reliability(confidences, outcomes).ece)
    theirs = best(lambda: calibration_curve(outcomes, confidences, n_bins=15), 3)
    return Row(
        what="calibration error",
        measured=ours,
        unit="CPU s",
        budget=BUDGET_S,
        peer="scikit-learn calibration_curve",
        peer_measured=theirs,
    )


def texts(count: int, seed: int) -> list[TokenVectors]:
    """Texts of 5 to 60 tokens."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(5, 60, count)
    return [
        TokenVectors(tokens=("w",) * size, vectors=rng.normal(size=(size, WIDTH)).astype(np.float32))
        for size in sizes.tolist()
    ]


def matching(count: int) -> Row:
    """BERTScore of some pairs."""
    answers, references = texts(count, 2), texts(count, 3)

    def plain() -> None:
        for answer, reference in zip(answers, references, strict=True):
            close = cosine_similarity(answer.vectors, reference.vectors)
            close.max(axis=0).mean(), close.max(axis=1).mean()

    return Row(
        what="BERTScore",
        measured=best(lambda: bert_score(answers, references).f1, 3),
        unit="CPU s",
        peer="loops over scikit-learn cosine_similarity",
        peer_measured=best(plain, 3),
    )


def main() -> None:
    """Runs both."""
    smoke = is_smoke(__doc__)
    n, pairs = (1_000, 10) if smoke else (1_000_000, 1_000)
    show(
        "answers",
        f"{n:,} confidences in 15 bins; {pairs:,} pairs of 5 to 60 tokens, {WIDTH} dimensions.",
        [calibration(n), matching(pairs)],
        packages=("numpy", "scikit-learn"),
        smoke=smoke,
    )


if __name__ == "__main__":
    main()
