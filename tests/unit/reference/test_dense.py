from __future__ import annotations

import numpy as np
import pytest

from beleg.reference.dense import GramHasher, fit_lsa

TEXTS = [
    f"{colour} {thing} number {number}"
    for number, (colour, thing) in enumerate(
        (colour, thing) for colour in ("red", "blue", "green", "yellow") for thing in ("tent", "boat", "rope", "lamp")
    )
]


def fitted(seed: int = 1, dimensions: int = 8) -> tuple[object, np.ndarray]:
    return fit_lsa(TEXTS, dimensions=dimensions, rng=np.random.default_rng(seed))


def test_grams_stay_within_the_bounds_of_a_word() -> None:
    # " ab " holds " ab", "ab " and " ab " whole.
    columns, counts = GramHasher().row("ab")
    assert len(columns) == 3
    assert counts.tolist() == [1.0, 1.0, 1.0]
    assert len(GramHasher().row("ab cd")[0]) == 6


def test_the_same_seed_gives_the_same_bytes() -> None:
    assert fitted(1)[1].tobytes() == fitted(1)[1].tobytes()


def test_the_leading_components_match_an_exact_decomposition() -> None:
    rows = [GramHasher().row(text) for text in TEXTS]
    width = 1 << 17
    matrix = np.zeros((len(TEXTS), width))
    frequency = np.zeros(width)
    for columns, _ in rows:
        frequency[columns] += 1
    for at, (columns, counts) in enumerate(rows):
        matrix[at, columns] = (1 + np.log(counts)) * (np.log((1 + len(rows)) / (1 + frequency[columns])) + 1)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    left, singular, _ = np.linalg.svd(matrix @ matrix.T)
    exact = left[:, :8] * np.sqrt(singular[:8])
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    vectors = fitted(dimensions=8)[1]
    assert vectors @ vectors.T == pytest.approx(exact @ exact.T, abs=1e-3)


def test_vectors_have_length_one_and_a_text_is_nearest_to_itself() -> None:
    model, vectors = fit_lsa(TEXTS, dimensions=16, rng=np.random.default_rng(1))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    assert all(int(np.argmax(vectors @ model.embed(text))) == at for at, text in enumerate(TEXTS))


def test_a_text_with_nothing_known_has_no_direction() -> None:
    model, _ = fit_lsa(TEXTS, dimensions=8, rng=np.random.default_rng(1))
    assert not np.any(model.embed("日本"))
    assert not np.any(model.embed(""))


def test_one_passage_and_passages_without_letters_are_no_fault() -> None:
    model, vectors = fit_lsa(["red tent"], dimensions=200, rng=np.random.default_rng(1))
    assert vectors.shape == (1, 1)
    assert abs(float(vectors[0] @ model.embed("red tent"))) == pytest.approx(1.0, abs=1e-5)
    _, mixed = fit_lsa(["red tent", "…"], dimensions=4, rng=np.random.default_rng(1))
    assert not np.any(mixed[1])
    assert fit_lsa(["…", "!"], dimensions=4, rng=np.random.default_rng(1))[1].shape == (2, 0)


def test_forms_of_a_word_are_near_without_a_stemmer() -> None:
    model, vectors = fit_lsa(["Rückgabe von Zelten", "Versand nach Wien"], dimensions=2, rng=np.random.default_rng(1))
    assert int(np.argmax(vectors @ model.embed("Rückgaben"))) == 0
