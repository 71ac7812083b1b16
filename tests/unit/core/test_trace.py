from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from beleg.core.trace import Citation, FilterKind, FilterPredicate, Output, Passage, Stage, Trace, TraceStatus, Usage
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


@pytest.mark.parametrize(
    ("build", "most"),
    [
        (lambda n: Usage(prompt_tokens=n), 10**12),
        (lambda n: Usage(completion_tokens=n), 10**12),
        (lambda n: Usage(cost_usd=float(n)), 10**9),
        (lambda n: Output(first_token_ms=float(n)), 10**12),
        (lambda n: Output(stage_ms={"search": float(n)}), 10**12),
        (lambda n: Trace(case_id="c", status=TraceStatus.OK, total_ms=float(n)), 10**12),
        (lambda n: Trace(case_id="c", status=TraceStatus.OK, attempts=n), 1_000_000),
        (lambda n: Output(citations=(Citation(marker="1"),) * n), 1_000),
        (lambda n: Output(stage_ms={f"s{i}": 1.0 for i in range(n)}), 100),
        (lambda n: passage("p", metadata={f"k{i}": i for i in range(n)}), 200),
    ],
)
def test_what_a_candidate_gives_is_bounded(build, most: int) -> None:  # type: ignore[no-untyped-def]
    build(most)
    with pytest.raises(ValidationError):
        build(most + 1)


def test_a_cost_that_would_overflow_a_sum_is_refused() -> None:
    with pytest.raises(ValidationError):
        Usage(cost_usd=1.7e308)
