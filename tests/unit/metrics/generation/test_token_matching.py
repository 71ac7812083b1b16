from __future__ import annotations

import math

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.core.inference import TokenVectors
from beleg.metrics.generation.token_matching import TokenMatch, bert_score, greedy_match, idf_weights


def text(*tokens: str, width: int = 6) -> TokenVectors:
    """Each distinct word has its own direction; the same word has the same."""
    rows = [np.random.default_rng(sum(map(ord, token)) * 7 + len(token)).normal(size=width) for token in tokens]
    return TokenVectors(tokens=tokens, vectors=np.array(rows, dtype=np.float32).reshape(len(tokens), width))


def test_recall_weighs_the_best_similarity_of_each_reference_token() -> None:
    # The worked example of Zhang et al. 2020, figure 1: best similarities and idf weights of five reference tokens.
    best = np.array([0.713, 0.515, 0.858, 0.796, 0.913])
    weights = np.array([[1.27, 7.94, 1.82, 7.90, 8.88]])
    similarity = np.zeros((1, 5, 5))
    similarity[0, range(5), range(5)] = best
    match = greedy_match(similarity, np.ones((1, 5)), weights)
    by_hand = (0.713 * 1.27 + 0.515 * 7.94 + 0.858 * 1.82 + 0.796 * 7.90 + 0.913 * 8.88) / (
        1.27 + 7.94 + 1.82 + 7.90 + 8.88
    )
    assert match.recall[0] == pytest.approx(by_hand, rel=1e-12)
    assert match.precision[0] == pytest.approx(best.mean(), rel=1e-12)


def test_a_text_matches_itself_fully_and_swapping_sides_swaps_precision_and_recall() -> None:
    one, other = text("the", "fee", "is", "5"), text("a", "fee", "of", "7", "euros")
    same = bert_score([one], [one])
    assert [same.precision[0], same.recall[0], same.f1[0]] == pytest.approx([1.0] * 3, abs=1e-6)
    forth, back = bert_score([one], [other]), bert_score([other], [one])
    assert forth.precision[0] == pytest.approx(back.recall[0], abs=1e-6)
    assert forth.f1[0] == pytest.approx(back.f1[0], abs=1e-6)


def test_pairs_of_any_length_score_as_they_do_alone() -> None:
    rng = np.random.default_rng(2)
    words = [f"w{number}" for number in range(30)]
    answers = [text(*rng.choice(words, size=rng.integers(1, 40))) for _ in range(50)]
    references = [text(*rng.choice(words, size=rng.integers(1, 40))) for _ in range(50)]
    together = bert_score(answers, references)
    for at in range(50):
        alone = bert_score([answers[at]], [references[at]])
        assert together.f1[at] == pytest.approx(alone.f1[0], abs=1e-6)


def test_weights_by_rarity_let_common_words_count_less() -> None:
    idf = idf_weights([["the", "fee"], ["the", "box"], ["the", "fee"]])
    assert idf == pytest.approx({"the": 0.0, "fee": math.log(4 / 3), "box": math.log(2), "": math.log(4)})
    answer, reference = text("the", "fee"), text("the", "box")
    plain = bert_score([answer], [reference])
    weighted = bert_score([answer], [reference], idf=idf, unseen_idf=idf[""])
    assert weighted.recall[0] < plain.recall[0]


def test_a_baseline_becomes_zero_and_one_stays_one() -> None:
    match = TokenMatch(precision=np.array([0.8, 1.0]), recall=np.array([0.9, 1.0])).rescaled(0.8)
    assert match.precision.tolist() == pytest.approx([0.0, 1.0])
    assert match.recall.tolist() == pytest.approx([0.5, 1.0])
    for baseline in (1.0, -1.5, float("nan")):
        with pytest.raises(UsageError, match="baseline"):
            match.rescaled(baseline)


def test_no_pairs_are_no_scores() -> None:
    assert len(bert_score([], []).f1) == 0


@pytest.mark.parametrize(
    ("answers", "references", "message"),
    [
        ([text("a")], [], "one reference per answer"),
        ([text()], [text("a")], "no token"),
        ([text("a")], [text("b", width=3), text("b")][:1], "vectors"),
        ([TokenVectors(tokens=("a",), vectors=np.zeros((1, 6), np.float32))], [text("a")], "no direction"),
        ([TokenVectors(tokens=("a",), vectors=np.full((1, 6), np.nan, np.float32))], [text("a")], "no direction"),
        ([TokenVectors(tokens=("a", "b"), vectors=np.ones((1, 6), np.float32))], [text("a")], "do not fit"),
    ],
)
def test_what_cannot_be_matched_is_refused(
    answers: list[TokenVectors], references: list[TokenVectors], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        bert_score(answers, references)


def test_weights_that_are_all_zero_are_refused() -> None:
    with pytest.raises(DataError, match="weight 0"):
        bert_score([text("the")], [text("the")], idf={"the": 0.0})
