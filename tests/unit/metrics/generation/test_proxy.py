from __future__ import annotations

import pytest

from beleg.core.score import Score, ScoreStatus
from beleg.metrics.catalogue import CATALOGUE, compute
from unit.metrics.building import case, citation, one, passage

FAQ = passage("d1", "Returns are free. You have 30 days to return an item.")


def scored(**output: object) -> Score:
    given = {"delivered": (FAQ,), **output}
    return compute(["faithfulness_proxy"], one(case(language="en"), **given))["faithfulness_proxy"].score_at(0)


def test_the_share_of_sentences_that_are_carried() -> None:
    half = scored(answer="Returns are free [1]. Our shop opens on Mars [1].", citations=(citation("[1]"),))
    assert (half.value, half.detail) == (0.5, "not carried: sentence 2 of 2")
    assert scored(answer="Returns are free.").value == 1.0


def test_a_wrong_number_is_not_carried() -> None:
    assert scored(answer="Within 30 days you return an item.").value == 1.0
    assert scored(answer="Within 60 days you can send it.").value == 0.0


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ({"answer": None}, ScoreStatus.MISSING),
        ({"answer": " "}, ScoreStatus.INVALID),
        ({"answer": "I do not know."}, ScoreStatus.NO_CLAIMS),
        ({"answer": "Sure! Anything else?"}, ScoreStatus.NO_CLAIMS),
        ({"answer": "Returns are free.", "delivered": (passage("d1"),)}, ScoreStatus.MISSING),
    ],
)
def test_where_there_is_nothing_to_measure_there_is_a_reason(output: dict[str, object], status: ScoreStatus) -> None:
    assert scored(**output).status is status


def test_claims_without_any_passage_are_not_carried() -> None:
    """As for faithfulness: leaving them out would reward answers from memory."""
    assert scored(answer="Returns are free.", delivered=()).value == 0.0


def test_it_says_that_it_is_a_proxy() -> None:
    assert CATALOGUE["faithfulness_proxy"].proxy
    assert [name for name, spec in CATALOGUE.items() if spec.proxy] == ["faithfulness_proxy"]
