from __future__ import annotations

import numpy as np
import pytest

from beleg.core.errors import DataError, UsageError
from beleg.metrics.generation.consistency import agreement, semantic_groups


def test_equal_answers_agree_fully_whatever_their_dress() -> None:
    found = agreement(["The fee is 5 euros.", "the fee is 5 euros", "Fee is 5 euros!"])
    assert (found.majority, found.groups, found.pairwise) == (1.0, 1, pytest.approx(1.0))


def test_agreement_is_the_share_of_the_largest_group_and_mean_f1_over_pairs() -> None:
    found = agreement(["14 days", "14 days", "30 days", "60 days"])
    # Pairs: one of 1, five of 1/2.
    assert (found.majority, found.groups) == (0.5, 3)
    assert found.pairwise == pytest.approx((1 + 5 * 0.5) / 6)
    assert found.majority_answer == "14 days"


def test_refusals_are_one_group_however_they_are_worded() -> None:
    found = agreement(["I don't know.", "Das kann ich nicht beantworten.", "14 days"])
    assert (found.refusals, found.groups) == (2, 2)
    assert found.majority == pytest.approx(2 / 3)
    assert found.pairwise == pytest.approx(1 / 3)


def test_labels_of_meaning_take_the_place_of_equal_wording() -> None:
    found = agreement(["two weeks", "14 days", "30 days"], labels=[0, 0, 1])
    assert found.majority == pytest.approx(2 / 3)


def test_agreement_is_no_correctness() -> None:
    assert agreement(["Sydney"] * 5).majority == 1.0


@pytest.mark.parametrize(("answers", "labels"), [([], None), (["a"], None), (["a", "b"], [1])])
def test_too_few_answers_or_labels_are_refused(answers: list[str], labels: list[int] | None) -> None:
    with pytest.raises(DataError):
        agreement(answers, labels=labels)


def test_groups_are_complete_so_that_a_chain_of_neighbours_is_no_group() -> None:
    angles = np.radians([0, 30, 60, 90])
    chain = np.column_stack([np.cos(angles), np.sin(angles)])
    groups = semantic_groups(chain, threshold=float(np.cos(np.radians(31))))
    assert len(set(groups)) == 2
    assert semantic_groups(chain, threshold=-1.0) == [0, 0, 0, 0]
    assert semantic_groups(chain, threshold=1.0) == [0, 1, 2, 3]


def test_pairs_whose_facts_differ_are_kept_apart_however_similar_they_are() -> None:
    alike = np.array([[1.0, 0.0], [1.0, 0.001], [1.0, 0.002]])
    apart = np.zeros((3, 3), dtype=bool)
    apart[0, 1] = apart[1, 0] = True
    groups = semantic_groups(alike, threshold=0.9, apart=apart)
    assert groups[0] != groups[1]
    assert len(set(groups)) == 2


def test_groups_do_not_depend_on_the_order_of_answers() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(30, 4))
    groups = semantic_groups(vectors, threshold=0.5)
    order = rng.permutation(30)
    shuffled = semantic_groups(vectors[order], threshold=0.5)
    for one in range(30):
        for other in range(30):
            together = groups[order[one]] == groups[order[other]]
            assert (shuffled[one] == shuffled[other]) is together


def test_what_is_no_similarity_or_no_vector_is_refused() -> None:
    with pytest.raises(UsageError, match="similarity"):
        semantic_groups(np.ones((2, 2)), threshold=1.5)
    with pytest.raises(DataError, match="direction"):
        semantic_groups(np.zeros((2, 2)), threshold=0.5)
