from __future__ import annotations

import numpy as np
import pytest

from beleg.metrics.verification.alignment import (
    MISMATCH_FACTOR,
    NEAR_CREDIT,
    ORDER_WEIGHT,
    PAIR_CREDIT,
    AlignedPassages,
)

FAQ = "Returns are free. You have 30 days to return an item. The warranty covers water damage."


def support(claim: str, *passages: str, question: str = "") -> float:
    named = [(str(number), text) for number, text in enumerate(passages)]
    return AlignedPassages(named, question=question).align(claim).support


def test_a_sentence_that_stands_there_is_carried_in_full_and_located() -> None:
    found = AlignedPassages([("a", "Nothing here."), ("b", FAQ)]).align("The warranty covers water damage.")
    assert found.support == pytest.approx(1.0)
    assert found.passage_id == "b"
    assert FAQ[found.start : found.end] == "The warranty covers water damage."


def test_the_support_is_the_weighted_share_of_words_by_hand() -> None:
    """Two sentences; "alpha" stands in one, "beta" in both, "gamma" in none: weights by log(1 + 2/count)."""
    passages = AlignedPassages([("p", "Alpha beta. Beta delta.")])
    weights = np.log1p(2 / np.array([1, 2, 0.5]))
    covered = (weights[0] + weights[1]) / weights.sum()
    # One of the two neighbouring pairs of the claim (alpha beta, beta gamma) stands in order.
    expected = covered * (1 - ORDER_WEIGHT + ORDER_WEIGHT / 2)
    assert passages.align("Alpha beta gamma").support == pytest.approx(expected)


def test_words_of_two_neighbouring_sentences_count_a_little_less() -> None:
    assert support("alpha gamma", "Alpha beta. Gamma delta.") == pytest.approx(PAIR_CREDIT)


def test_a_compound_counts_in_part() -> None:
    assert support("Rücksendefrist", "Eine Rücksendung dauert.") == pytest.approx(NEAR_CREDIT)


def test_a_fact_that_is_not_there_lowers_the_support() -> None:
    right = AlignedPassages([("faq", FAQ)]).align("You have 30 days to return an item.")
    wrong = AlignedPassages([("faq", FAQ)]).align("You have 60 days to return an item.")
    assert wrong.mismatches == ("number: 60 days is not in the evidence",)
    assert wrong.support == pytest.approx(wrong.coverage * MISMATCH_FACTOR)
    assert wrong.support < 0.5 * right.support


def test_a_negation_lowers_the_support_in_both_languages() -> None:
    assert support("The warranty does not cover water damage.", FAQ) < 0.5
    german = "Die Garantie deckt Wasserschäden ab."
    assert support("Die Garantie deckt Wasserschäden nicht ab.", german) < 0.5 < support(german, german)


def test_words_of_the_question_need_no_evidence() -> None:
    assert support("Kiwi phones are free.", "Free.", question="Are kiwi phones free?") == pytest.approx(1.0)


@pytest.mark.parametrize(("claim", "passages"), [("", (FAQ,)), ("It is.", (FAQ,)), ("Anything.", ()), ("A b.", ("",))])
def test_nothing_is_carried_where_there_is_nothing(claim: str, passages: tuple[str, ...]) -> None:
    found = AlignedPassages([(str(at), text) for at, text in enumerate(passages)]).align(claim)
    assert (found.support, found.passage_id) == (0.0, None)


def test_swapped_roles_are_a_blind_spot() -> None:
    """Words and facts are the same, so a proxy without understanding is nearly as sure."""
    assert support("The bank pays the customer a fee.", "The customer pays the bank a fee.") > 0.8


def test_a_long_claim_and_long_passages_are_no_trouble() -> None:
    long = " ".join(f"Word{number} stands here." for number in range(3_000))
    passages = AlignedPassages([("p", long)])
    assert passages.align("Word2999 stands here.").support == pytest.approx(1.0)
    assert 0 <= passages.align("Word5 " * 5_000).support <= 1
