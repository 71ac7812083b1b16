from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from beleg.core.trace import FilterKind, FilterPredicate, Output, Passage, Stage, Usage
from support.builders import passage


def test_the_final_list_is_what_was_delivered_else_reranked_else_retrieved() -> None:
    one, two, three = passage("p1"), passage("p2"), passage("p3")
    assert Output(retrieved=(one,)).final_passages() == (one,)
    assert Output(retrieved=(one,), reranked=(two,)).final_passages() == (two,)
    assert Output(retrieved=(one,), reranked=(two,), delivered=()).final_passages() == ()
    assert Output(retrieved=(one,), delivered=(three,)).passages_at(Stage.RERANKED) is None


def test_a_hard_predicate_removes_and_a_soft_one_does_not() -> None:
    hard = FilterPredicate(kind=FilterKind.RELEVANCE, field="locale", values=("de-DE",))
    soft = FilterPredicate(kind=FilterKind.RELEVANCE, field="locale", values=("de-DE",), hard=False)
    assert [hard.admits({"locale": "de-DE"}), hard.admits({"locale": "en-GB"}), hard.admits({})] == [True, False, False]
    assert soft.admits({"locale": "en-GB"})


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_passage_score_is_finite(score: float) -> None:
    with pytest.raises(ValidationError):
        Passage(passage_id="p", document_id="d", score=score)


def test_what_an_answer_cost_is_known_or_left_out_and_never_negative() -> None:
    assert Usage().cost_usd is None
    with pytest.raises(ValidationError):
        Usage(cost_usd=-1.0)
