"""BERTScore against the formula written out in plain loops over scikit-learn's cosine similarity."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from beleg.core.inference import TokenVectors
from beleg.metrics.generation.token_matching import bert_score


def plain(answer: TokenVectors, reference: TokenVectors, weight: dict[str, float]) -> tuple[float, float, float]:
    close = cosine_similarity(answer.vectors.astype(float), reference.vectors.astype(float))
    sums = [0.0, 0.0]
    for side, (tokens, axis) in enumerate(((answer.tokens, 1), (reference.tokens, 0))):
        total = 0.0
        for at, token in enumerate(tokens):
            partners = close[at, :] if axis == 1 else close[:, at]
            sums[side] += weight.get(token, 2.5) * max(partners)
            total += weight.get(token, 2.5)
        sums[side] /= total
    precision, recall = sums
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("weighted", [False, True])
def test_batched_scores_are_those_of_plain_loops(weighted: bool) -> None:
    rng = np.random.default_rng(11)

    def text() -> TokenVectors:
        size = int(rng.integers(1, 60))
        tokens = tuple(f"w{number}" for number in rng.integers(0, 25, size))
        vectors = rng.normal(loc=0.6, size=(size, 32)).astype(np.float32)
        return TokenVectors(tokens=tokens, vectors=vectors)

    answers, references = [text() for _ in range(40)], [text() for _ in range(40)]
    weight = {f"w{number}": 0.1 + number / 10 for number in range(20)}
    uniform = {f"w{number}": 2.5 for number in range(25)}
    found = bert_score(answers, references, idf=weight if weighted else None, unseen_idf=2.5)
    for at, (answer, reference) in enumerate(zip(answers, references, strict=True)):
        precision, recall, f1 = plain(answer, reference, weight if weighted else uniform)
        assert found.precision[at] == pytest.approx(precision, abs=2e-6)
        assert found.recall[at] == pytest.approx(recall, abs=2e-6)
        assert found.f1[at] == pytest.approx(f1, abs=2e-6)
